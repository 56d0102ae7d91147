// How people can sign in and sign up, for the pages that are shown before anyone is signed in. The browser reads these
// values, so there is no schema here: a validator would be most of what its first visit loads.

export const SIGN_IN_OPTIONS_PATH = '/api/sign-in-options';

export const SIGN_UP_KINDS = ['open', 'invited', 'closed'] as const;

export interface SignInOptions {
  readonly signUp: (typeof SIGN_UP_KINDS)[number];
}
