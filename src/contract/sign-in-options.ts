// What somebody who is not signed in has to know to come in. Asked by the sign-in and sign-up pages, of nobody.
import { z } from 'zod';

export const SIGN_IN_OPTIONS_PATH = '/api/sign-in-options';

export const signInOptions = z.object({ signUp: z.enum(['open', 'invited', 'closed']) });
export type SignInOptions = z.infer<typeof signInOptions>;
