import { useQuery } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import type { OrganizationPolicy } from '../../../src/contract/policy.ts';
import { policyQuery } from './queries.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { policyPageStrings as strings } from './strings.ts';
import { CardSkeleton } from '../../kit/card-skeleton.tsx';
import { LoadFailure } from '../../kit/list-state.tsx';

/** Renders its children once the organization's policy is loaded. */
export function PolicyGate({ children }: { children: (policy: OrganizationPolicy) => ReactNode }): ReactElement {
  const { organization } = useSignedIn();
  const query = useQuery(policyQuery(organization.id));
  if (query.data !== undefined) return <>{children(query.data)}</>;
  return query.error === null ? (
    <CardSkeleton />
  ) : (
    <LoadFailure title={strings.loadFailed} error={query.error} retry={query.refetch} />
  );
}
