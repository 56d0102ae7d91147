// Strings of the first organization, invitations, device codes and OAuth consent.
import { inLanguage } from '../../language/language.ts';

export const organizationStrings = inLanguage('organizationStrings', {
  title: 'Create your organization',
  titleMore: 'Create an organization',
  text: 'Everything here belongs to an organization: people, workspaces, keys and receipts. You become its owner and can invite others afterwards.',
  name: 'Organization name',
  submit: 'Create organization',
  created: (name: string): string => `${name} is ready.`,
  invited: 'Were you invited? Open your invitation link instead.',
  noneTitle: 'You are not in an organization yet',
  closedTitle: 'You cannot create an organization here',
  closedText:
    'Only the operator of this service can create organizations. Ask them to create one for you, or open your invitation link.',
  account: (email: string): string => `You are signed in as ${email}.`,
});

export const invitationStrings = inLanguage('invitationStrings', {
  title: (organization: string): string => `Join ${organization}`,
  loadingTitle: 'Invitation',
  text: (organization: string, role: string): string =>
    `You have been invited to join ${organization} as ${role.toLowerCase()}.`,
  account: (email: string): string => `You are signed in as ${email}.`,
  switchAccount: 'Sign in with another account',
  accept: 'Accept invitation',
  joined: (organization: string): string => `Welcome to ${organization}.`,
  goneTitle: 'This invitation cannot be used',
  goneText: 'It was revoked, has expired, or was made for a different email address.',
});

export const deviceStrings = inLanguage('deviceStrings', {
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
  approvedText: 'Return to your terminal. You can close this page.',
  deniedTitle: 'Request denied',
  deniedText: 'The device was not given access. You can close this page.',
  unknown: 'This code is invalid or has expired. Run servicectl login again.',
});

export const consentStrings = inLanguage('consentStrings', {
  title: (client: string): string => `Allow ${client}?`,
  loadingTitle: 'Allow access',
  text: (client: string): string => `${client} wants to act on your behalf.`,
  verified: (host: string): string => `Published by ${host}.`,
  unverified: 'This app’s name has not been verified. Allow access only if you started this request.',
  redirect: (host: string): string => `You will be redirected to ${host}.`,
  asks: 'It will be able to',
  unknownScope: 'A permission without a description.',
  offline: { name: 'Stay connected', text: 'Keep access until you revoke it.' },
  organization: 'Organization',
  workspace: 'Workspace',
  allWorkspaces: 'All my workspaces',
  approve: 'Allow access',
  deny: 'Deny',
  faultTitle: (client: string): string => `${client} made an invalid request`,
  faultText: 'No access was granted. The problem with the request:',
  faultBack: (host: string): string => `Go back to ${host}`,
  faultStay: 'If you did not start this request, close this page.',
  missingTitle: 'No access request',
  missingText: 'Start again from the app that asked for access.',
  needsOrganization: 'Create an organization first.',
  needsInvitation: 'Join an organization first. Ask your operator, or an owner or admin who can invite you.',
});

export const shutOrganizationStrings = inLanguage('shutOrganizationStrings', {
  title: 'Deleted and paused organizations',
  deleted: (day: string): string => `Deleted. It can be brought back until ${day}.`,
  paused: 'Paused by the operator of this service. Ask them when it goes on.',
  restore: 'Bring back',
  restored: (name: string): string => `${name} is back.`,
});

export const addressStrings = inLanguage('addressStrings', {
  title: 'Use this address?',
  text: 'You opened the link that was sent to your new address.',
  who: 'From then on you sign in with it, and your old address is told.',
  submit: 'Use this address',
  taken: 'An account with this email address already exists. Your address stays as it is.',
  doneTitle: 'Address changed',
  doneText: (email: string): string => `You now sign in with ${email}.`,
  toAccount: 'Go to your account',
  goneTitle: 'This link cannot be used',
  goneText:
    'It was used, is older than a day, or was replaced by a newer one. Or it is for another account: sign in with that one, then open the link again.',
});
