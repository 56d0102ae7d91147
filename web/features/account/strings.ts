export const accountStrings = {
  title: 'Account',
  description: 'Your password, and what is signed in as you.',
  tokens: 'Also end my tokens and connected clients',
  tokensText:
    'Programs that use your personal tokens, and clients that you allowed, lose access at once; runs they started stop. Clear this only if you are sure that nobody else holds them.',
  password: {
    title: 'Change password',
    current: 'Current password',
    next: 'New password',
    required: 'Enter your current password.',
    short: 'Use at least 8 characters.',
    others: 'Also sign out everywhere else',
    othersText: 'Other browsers, and devices that signed in with servicectl.',
    submit: 'Change password',
    done: 'Your password is changed.',
    wrong: 'The current password is not right.',
  },
  sessions: {
    title: 'Sign out everywhere',
    text: 'Ends every session, this one included. You sign in again afterwards.',
    submit: 'Sign out everywhere',
  },
} as const;
