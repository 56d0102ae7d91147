import { useQuery } from '@tanstack/react-query';
import { signInOptionsQuery } from '../../api/identity.ts';
import { invitationOf } from './invitation-of.ts';

export type SignUpOffer = 'unknown' | 'offered' | 'invited' | 'closed';

/**
 * Whether the visitor may create an account; `invited` means that they need an invitation and have none. The server
 * decides; if it cannot be reached, submitting the form shows that.
 */
export function useSignUp(next: string | undefined): { offer: SignUpOffer; invitation: string | undefined } {
  const { data, isError } = useQuery({ ...signInOptionsQuery, retry: false });
  const invitation = invitationOf(next, window.location.origin);
  if (data === undefined) return { offer: isError ? 'offered' : 'unknown', invitation };
  if (data.signUp === 'open' || (data.signUp === 'invited' && invitation !== undefined))
    return { offer: 'offered', invitation };
  return { offer: data.signUp, invitation };
}
