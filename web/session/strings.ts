import { inLanguage } from '../language/language.ts';

export const sessionStrings = inLanguage('sessionStrings', {
  workspacesFailed: 'Workspaces could not be loaded',
  toWorkspaces: 'Go to workspaces',
  plan: (plan: string): string => `${plan.charAt(0).toUpperCase()}${plan.slice(1)} plan`,
});

export const proofStrings = inLanguage('proofStrings', {
  title: 'Is it you?',
  text: 'This concerns your whole account or organization, so prove once more who you are.',
  provider: 'This concerns your whole account or organization. Prove once more who you are where you sign in.',
  toProvider: 'Go to sign-in',
  password: 'Password',
  passwordRequired: 'Enter your password.',
  wrong: 'The password is incorrect.',
  passkey: 'Use a passkey',
  submit: 'Continue',
});
