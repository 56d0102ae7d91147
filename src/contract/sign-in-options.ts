// How people can sign in and sign up, for the pages that are shown before anyone is signed in.
import { z } from 'zod';

export const SIGN_IN_OPTIONS_PATH = '/api/sign-in-options';

export const signInOptions = z.object({ signUp: z.enum(['open', 'invited', 'closed']) });
export type SignInOptions = z.infer<typeof signInOptions>;
