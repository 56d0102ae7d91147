// How people can sign in and sign up, for the pages that are shown before anyone is signed in. The browser reads these
// values, so there is no schema here: a validator would be most of what its first visit loads.

export const SIGN_IN_OPTIONS_PATH = '/api/sign-in-options';

export const SIGN_UP_KINDS = ['open', 'invited', 'closed'] as const;

export interface SignInOptions {
  readonly signUp: (typeof SIGN_UP_KINDS)[number];
  /** Sign-in through the OpenID provider of the deployment; with `only` there is no password form. */
  readonly openid?: { readonly name: string; readonly only: boolean };
  /** Whether a link for a lost password can be sent. */
  readonly mail: boolean;
}
