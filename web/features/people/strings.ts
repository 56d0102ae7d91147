import { plural } from '../../language/format.ts';
import { inLanguage } from '../../language/language.ts';
import { german } from './strings.de.ts';

const peopleEnglish = {
  title: 'Members',
  invitationsFailed: 'The open invitations could not be loaded',
  description: (organization: string): string => `The people in ${organization} and their roles.`,
  invite: 'Invite',
  inviteTitle: 'Invite someone',
  inviteText: 'Creates a link that works only for this email address.',
  inviteSubmit: 'Create invitation',
  invitedTitle: 'Invitation ready',
  invitedText: (email: string): string => `Send this link to ${email} yourself. No email is sent.`,
  link: 'Invitation link',
  done: 'Done',
  seats: (used: number): string => plural(used, { one: '# seat used', other: '# seats used' }),
  invitations: 'Open invitations',
  noInvitations: 'No open invitations',
  noInvitationsText: 'Invite people to join this organization.',
  email: 'Email',
  expires: 'Expires',
  copyLink: 'Copy link',
  withdraw: 'Withdraw',
  withdrawTitle: (email: string): string => `Withdraw the invitation for ${email}?`,
  withdrawText: 'The link stops working immediately.',
  withdrawn: 'Invitation withdrawn.',
  roleTexts: {
    owner: 'Everything, including managing owners.',
    admin: 'Settings, members and every workspace.',
    member: 'The Default workspace and those they are added to.',
  },
} as const;

const memberEnglish = {
  title: 'Members',
  failed: 'The members could not be loaded',
  empty: 'No members yet',
  emptyWorkspaceText: 'Add people from your organization to let them use this workspace.',
  add: 'Add member',
  addTitle: 'Add a member',
  addSubmit: 'Add to workspace',
  person: 'Person',
  personPlaceholder: 'Search by name or email',
  personRequired: 'Choose a person.',
  nobodyLeft: 'Everyone in the organization is already a member.',
  role: 'Role',
  roleOf: (name: string): string => `Role of ${name}`,
  added: (name: string): string => `${name} was added.`,
  roleChanged: (name: string, role: string): string => `${name} is now ${role.toLowerCase()}.`,
  lowerTitle: (role: string): string => `Become ${role.toLowerCase()}?`,
  lowerText: (place: string): string =>
    `You lose your current permissions in ${place} immediately. Only an owner or admin can restore your role.`,
  lower: 'Change my role',
  remove: 'Remove',
  leave: 'Leave',
  removeTitle: (name: string): string => `Remove ${name}?`,
  leaveTitle: (place: string): string => `Leave ${place}?`,
  removeText: (place: string): string => `They lose access to ${place} immediately. You can add them again later.`,
  leaveText: 'You lose access immediately. Only an owner or admin can add you again.',
  removed: (name: string): string => `${name} was removed.`,
} as const;

/** The texts of this file by the name that they are exported by. */
export const english = {
  peopleStrings: peopleEnglish,
  memberStrings: memberEnglish,
};

export const { peopleStrings, memberStrings } = inLanguage(english, german);
