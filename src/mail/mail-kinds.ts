// Every mail that the service sends, and what each tells. The texts are in mail-texts.ts, a row for each.
import type { SignInChange } from '../identity/account/identity-mailer.ts';

export interface MailValues {
  /** To the address of the account; the link works once. */
  readonly 'reset-password': { readonly link: string };
  /** To the address that is to be proved; the link works once. */
  readonly 'prove-address': { readonly link: string };
  /** To the address that the account had before. */
  readonly 'address-changed': { readonly address: string };
  /** The password, a passkey, one-time codes or recovery codes: what was added, changed or removed. */
  readonly 'sign-in-changed': { readonly what: SignInChange };
  readonly 'new-device': { readonly device: string; readonly place: string; readonly at: string };
  readonly invitation: { readonly organization: string; readonly inviter: string; readonly link: string };
  readonly 'cap-warning': { readonly organization: string; readonly whose: string; readonly percent: number };
  /** By choice: how many runs of the person have ended since the last one. */
  readonly 'runs-ended': {
    readonly completed: number;
    readonly failed: number;
    readonly aborted: number;
    readonly link: string;
  };
  readonly 'organization-deleted': { readonly organization: string; readonly erasedOn: string };
}
export type MailKind = keyof MailValues;

export type MailLanguage = 'en' | 'de';

export interface Mail<K extends MailKind = MailKind> {
  readonly kind: K;
  /** One address. */
  readonly to: string;
  readonly values: MailValues[K];
  /** Of the request that causes it; the language of the account with that address comes first, if it is known. */
  readonly language?: MailLanguage | undefined;
  /** The id of the person who causes it, for kinds that are limited per person. */
  readonly causedBy?: string | undefined;
}
