import { useQuery } from '@tanstack/react-query';
import { signInOptionsQuery } from '../../api/identity.ts';
import type { SignInOptions } from '../../../src/contract/sign-in-options.ts';
import { invitationOf } from './invitation-of.ts';

export type SignUpOffer = 'unknown' | 'offered' | 'invited' | 'closed';

/**
 * Whether the visitor may create an account; `invited` means that they need an invitation and have none. The server
 * decides; if it cannot be reached, submitting the form shows that.
 */
export function useSignUp(next: string | undefined): {
  offer: SignUpOffer;
  invitation: string | undefined;
  openid: SignInOptions['openid'];
  mail: boolean | undefined;
} {
  const { data, isError } = useQuery({ ...signInOptionsQuery, retry: false });
  const invitation = invitationOf(next, location.origin);
  return { offer: offerOf(data, isError, invitation), invitation, openid: data?.openid, mail: data?.mail };
}

function offerOf(data: SignInOptions | undefined, isError: boolean, invitation: string | undefined): SignUpOffer {
  if (data === undefined) return isError ? 'offered' : 'unknown';
  const offered = data.signUp === 'open' || (data.signUp === 'invited' && invitation !== undefined);
  return offered ? 'offered' : data.signUp;
}
