import { inLanguage } from '../../language/language.ts';

export const identity = inLanguage('identity', {
  signIn: {
    title: 'Sign in',
    submit: 'Sign in',
    other: 'New here?',
    otherLink: 'Create an account',
    invited: 'New here? Open your invitation link to create an account.',
    closed: 'Sign-up is closed. Ask your operator if you need an account.',
  },
  signUp: {
    title: 'Create an account',
    submit: 'Create account',
    other: 'Already have an account?',
    otherLink: 'Sign in',
    name: 'Name',
    nameRequired: 'Enter your name.',
    passwordHint: 'At least 8 characters.',
    invited:
      'You need an invitation to create an account here. Ask an owner or admin of your organization for one, then open the link they send you.',
    closed: 'Sign-up is closed. Ask your operator if you need an account.',
  },
  email: 'Email',
  password: 'Password',
  passwordRequired: 'Enter your password.',
  signOut: 'Sign out',
  ended: {
    title: 'Your session has ended',
    text: 'Sign in again to pick up where you left off. What you typed is still here.',
    submit: 'Sign in and continue',
    otherAccount: 'Use another account',
    back: 'You are signed in again.',
  },
});
