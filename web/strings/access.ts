// Pages that grant somebody or something access: first organization, invitations, device codes, OAuth consent.
export const organizationStrings = {
  title: 'Create your organization',
  titleMore: 'Create an organization',
  text: 'Everything here belongs to an organization: people, workspaces, keys and receipts. You become its owner and can invite others next.',
  name: 'Organization name',
  submit: 'Create organization',
  created: (name: string): string => `${name} is ready.`,
  invited: 'Were you invited? Open the invitation link you were given instead.',
} as const;

export const invitationStrings = {
  title: (organization: string): string => `Join ${organization}`,
  loadingTitle: 'Invitation',
  text: (organization: string, role: string): string => `You are invited to ${organization} as ${role.toLowerCase()}.`,
  account: (email: string): string => `You are signed in as ${email}.`,
  switchAccount: 'Sign in with another account',
  accept: 'Accept invitation',
  joined: (organization: string): string => `Welcome to ${organization}.`,
  goneTitle: 'This invitation cannot be used',
  goneText: 'It was withdrawn or has expired, or it is addressed to another email address than yours.',
} as const;

export const deviceStrings = {
  title: 'Connect a device',
  text: 'Enter the code that servicectl login shows in your terminal.',
  code: 'Code',
  codeRequired: 'Enter the code.',
  submit: 'Continue',
  confirmTitle: 'Is this your device?',
  confirmText: 'Approve only if you started this sign-in yourself and your terminal shows the same code.',
  account: (email: string): string => `The device will act as ${email}.`,
  approve: 'Approve',
  deny: 'Deny',
  approvedTitle: 'Device connected',
  approvedText: 'Go back to your terminal; it continues by itself. You can close this page.',
  deniedTitle: 'Request denied',
  deniedText: 'The device got no access. You can close this page.',
  unknown: 'This code is not known or has expired. Start again with servicectl login.',
} as const;

export const consentStrings = {
  title: (client: string): string => `Allow ${client}?`,
  loadingTitle: 'Allow access',
  text: (client: string): string => `${client} asks to act as you.`,
  verified: (host: string): string => `Published by ${host}.`,
  unverified: 'This program chose its name itself; nobody has checked it. Allow it only if you started this yourself.',
  redirect: (host: string): string => `After your answer the browser goes to ${host}.`,
  asks: 'It asks to',
  unknownScope: 'A permission this app has no description for.',
  offline: { name: 'Stay connected', text: 'Keep access without asking again, until you revoke it.' },
  organization: 'Organization',
  workspace: 'Workspace',
  allWorkspaces: 'Every workspace I am in',
  approve: 'Allow access',
  deny: 'Deny',
  missingTitle: 'No request to answer',
  missingText: 'Start again from the program that asked for access.',
  needsOrganization: 'You need an organization first.',
} as const;
