import { inLanguage } from '../../language/language.ts';

export const accountStrings = inLanguage('accountStrings', {
  title: 'Account',
  description: 'How answers are written for you, your language, password and sessions.',
  instructions: {
    title: 'Custom instructions',
    text: (organization: string): string =>
      `What should answers know about you, and how should they be written? Only you can see this. It applies to your chats in ${organization}, not to background runs.`,
    label: 'Instructions',
    placeholder: 'I work in support. Answer briefly, and show code in TypeScript.',
    enabled: 'Use them for every answer',
    submit: 'Save instructions',
    done: 'Custom instructions saved.',
    failed: 'The custom instructions could not be loaded',
  },
  tokens: 'Also revoke my tokens and connected clients',
  tokensText:
    'Programs that use your tokens and clients you approved lose access immediately, and the runs they started stop. Clear this only if you are sure that no one else has them.',
  password: {
    title: 'Change password',
    current: 'Current password',
    next: 'New password',
    required: 'Enter your current password.',
    short: 'Use at least 8 characters.',
    others: 'Also sign out everywhere else',
    othersText: 'Other browsers, and devices signed in with servicectl.',
    submit: 'Change password',
    done: 'Password changed.',
    wrong: 'The current password is incorrect.',
  },
  sessions: {
    title: 'Sign out everywhere',
    text: 'Ends every session, including this one. You will need to sign in again.',
    submit: 'Sign out everywhere',
  },
  language: {
    title: 'Language',
    text: 'For this browser. The page is loaded again when you change it.',
  },
});
