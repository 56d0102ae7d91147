export const identity = {
  signIn: {
    title: 'Sign in',
    submit: 'Sign in',
    other: 'New here?',
    otherLink: 'Create an account',
    invited: 'New here? You need an invitation: open the link you were given.',
    closed: 'New accounts are not open here. Ask your operator if you need one.',
  },
  signUp: {
    title: 'Create an account',
    submit: 'Create account',
    other: 'Already have an account?',
    otherLink: 'Sign in',
    name: 'Name',
    nameRequired: 'Tell us your name.',
    passwordHint: 'At least 8 characters.',
    invited:
      'You need an invitation to create an account here. Ask a member of your organization for one, then open the link you are given.',
    closed: 'New accounts are not open here. Ask your operator if you need one.',
  },
  email: 'Email',
  password: 'Password',
  passwordRequired: 'Enter your password.',
  signOut: 'Sign out',
  ended: {
    title: 'Your session has ended',
    text: 'This page is as you left it. Sign in again and carry on; what you typed is still here.',
    submit: 'Sign in and continue',
    otherAccount: 'Use another account',
    back: 'You are signed in again.',
  },
} as const;
