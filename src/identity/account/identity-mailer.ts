// The mail that changes of an account send. The room that sends it is above this one, so it is handed in.
import type { Queryable } from '../../store/database.ts';

export type SignInChange =
  | 'password'
  | 'password-set'
  | 'password-removed'
  | 'passkey-added'
  | 'passkey-removed'
  | 'codes-added'
  | 'codes-removed'
  | 'recovery-codes';

type IdentityMail =
  | { readonly kind: 'prove-address'; readonly to: string; readonly values: { readonly link: string } }
  | { readonly kind: 'address-changed'; readonly to: string; readonly values: { readonly address: string } }
  | { readonly kind: 'sign-in-changed'; readonly to: string; readonly values: { readonly what: SignInChange } };

export interface IdentityMailer {
  readonly configured: boolean;
  queue(tx: Queryable, mail: IdentityMail): Promise<void>;
}
