import { useQuery } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import type { SignInWays } from '../../../src/contract/account/account.ts';
import { LoadFailure } from '../../kit/list-state.tsx';
import { Loading } from '../../kit/loading.tsx';
import { accountStrings as strings } from './strings.ts';
import { signInWaysQuery } from './use-sign-in-ways.ts';

/** Shows its content once it is known how the person can sign in. */
export function WithWays({ children }: { children: (ways: SignInWays) => ReactNode }): ReactElement {
  const { data, error, refetch } = useQuery(signInWaysQuery);
  if (data !== undefined) return <>{children(data)}</>;
  return error === null ? <Loading /> : <LoadFailure title={strings.waysFailed} error={error} retry={refetch} />;
}
