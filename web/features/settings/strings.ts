export const settingsStrings = {
  title: 'Organization settings',
  rail: 'Organization settings',
  items: {
    members: 'Members',
    byok: 'BYOK',
    models: 'Models',
    guardrails: 'Guardrails',
    policies: 'Policies',
    tools: 'Tools',
    plan: 'Plan and usage',
    domains: 'Domains',
    sso: 'Single Sign-On',
    directory: 'Directory Provisioning',
  },
  refusedTitle: 'Only owners and admins can open organization settings',
  refusedText: (organization: string, role: string): string =>
    `You are ${role} in ${organization}. Ask an owner or admin if something here needs to change.`,
} as const;

export const placeholderStrings = {
  badge: 'Placeholder',
  domains: {
    title: 'Domains',
    text: 'Claiming email domains is not built. Nothing is configured here, and nothing on this page changes how people join.',
  },
  sso: {
    title: 'Single Sign-On',
    text: 'Single sign-on is not built. Nothing is configured here; people sign in with email and password.',
  },
  directory: {
    title: 'Directory Provisioning',
    text: 'Directory provisioning is not built. Nothing is configured here; members are added on the Members page.',
  },
} as const;

export const peopleStrings = {
  title: 'Members',
  description: (organization: string): string => `Who belongs to ${organization} and what they may do.`,
  invite: 'Invite',
  inviteTitle: 'Invite somebody',
  inviteText: 'You get a link to hand over. It works for that email address only.',
  inviteSubmit: 'Create invitation',
  invitedTitle: 'Invitation ready',
  invitedText: (email: string): string => `Send this link to ${email}. Nothing is sent for you.`,
  link: 'Invitation link',
  done: 'Done',
  seats: (used: number): string => (used === 1 ? '1 seat used' : `${used} seats used`),
  invitations: 'Open invitations',
  noInvitations: 'No open invitations',
  noInvitationsText: 'Invite somebody to share this organization with them.',
  email: 'Email',
  expires: 'Expires',
  copyLink: 'Copy link',
  withdraw: 'Withdraw',
  withdrawTitle: (email: string): string => `Withdraw the invitation of ${email}?`,
  withdrawText: 'The link stops working at once.',
  withdrawn: 'Invitation withdrawn.',
  roleTexts: {
    owner: 'Everything, including other owners.',
    admin: 'Settings, members and every workspace.',
    member: 'Default and the workspaces they are added to.',
  },
} as const;
