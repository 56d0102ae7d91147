import { useQuery } from '@tanstack/react-query';
import { signInOptionsQuery } from '../../api/identity.ts';
import { invitationOf } from './invitation-of.ts';

export type SignUpOffer = 'unknown' | 'offered' | 'invited' | 'closed';

/**
 * Whether whoever is here may make an account: `invited` where they would have to bring an invitation and did not.
 * The server decides; a server that cannot be asked says so when the form is sent.
 */
export function useSignUp(next: string | undefined): { offer: SignUpOffer; invitation: string | undefined } {
  const { data, isError } = useQuery({ ...signInOptionsQuery, retry: false });
  const invitation = invitationOf(next, window.location.origin);
  if (data === undefined) return { offer: isError ? 'offered' : 'unknown', invitation };
  if (data.signUp === 'open' || (data.signUp === 'invited' && invitation !== undefined))
    return { offer: 'offered', invitation };
  return { offer: data.signUp, invitation };
}
