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
    spending: 'Spending',
    domains: 'Domains',
    sso: 'Single Sign-On',
    directory: 'Directory Provisioning',
  },
  refusedTitle: 'Only owners and admins can open organization settings',
  refusedText: (organization: string, role: string): string =>
    `Your role in ${organization} is ${role}. Ask an owner or admin if something here needs to change.`,
} as const;

export const placeholderStrings = {
  badge: 'Placeholder',
  domains: {
    title: 'Domains',
    text: 'Domain claiming is not available yet. There is nothing to configure, and this page does not affect how people join.',
  },
  sso: {
    title: 'Single Sign-On',
    text: 'Single sign-on is not available yet. There is nothing to configure; people sign in with email and password.',
  },
  directory: {
    title: 'Directory Provisioning',
    text: 'Directory provisioning is not available yet. There is nothing to configure; add members on the Members page.',
  },
} as const;
