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
