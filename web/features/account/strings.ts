export const accountStrings = {
  title: 'Account',
  description: 'Your password and sessions.',
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
} as const;
