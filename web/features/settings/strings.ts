import { formatList } from '../../language/format.ts';
import { inLanguage } from '../../language/language.ts';

export const settingsStrings = inLanguage('settingsStrings', {
  title: 'Organization settings',
  rail: 'Organization settings',
  items: {
    general: 'General',
    members: 'Members',
    byok: 'BYOK',
    models: 'Models',
    guardrails: 'Guardrails',
    policies: 'Policies',
    tools: 'Tools',
    plan: 'Plan and usage',
    spending: 'Spending',
    feedback: 'Feedback',
    domains: 'Domains',
    sso: 'Single Sign-On',
    directory: 'Directory Provisioning',
  },
  groups: { acts: 'In effect', stored: 'Stored only', placeholder: 'Not available yet' },
  effects: {
    acts: {
      badge: 'In effect',
      text: 'Changes on this page take effect at once.',
      except: (controls: readonly string[]): string => `Takes effect at once, except: ${formatList(controls)}.`,
    },
    stored: {
      badge: 'Stored only',
      text: 'Changes are saved, but no request is handled differently because of them.',
      except: (controls: readonly string[]): string => `Saved without effect, except: ${formatList(controls)}.`,
    },
    placeholder: {
      badge: 'Placeholder',
      text: 'There is nothing to set here yet.',
      except: (controls: readonly string[]): string => `Nothing to set here yet, except: ${formatList(controls)}.`,
    },
  },
  refusedTitle: 'Only owners and admins can open organization settings',
  refusedText: (organization: string, role: string): string =>
    `Your role in ${organization} is ${role}. Ask an owner or admin if something here needs to change.`,
});

export const generalStrings = inLanguage('generalStrings', {
  title: 'General',
  description: 'The name of the organization and who owns it.',
  name: 'Organization name',
  nameHint: 'Everyone in the organization sees it.',
  rename: 'Rename',
  renamed: (name: string): string => `The organization is now called ${name}.`,
  id: 'Organization ID',
  idText: 'For programs that call the API.',
  slug: 'Address name',
  slugText: 'Part of links into the app. It stays the same when the organization is renamed.',
  owners: 'Owners',
  ownersText: 'They can change everything, including who else is an owner.',
  changeOwners: 'Change roles',
  ownersFailed: 'The owners could not be loaded.',
  plan: 'Plan',
});

export const placeholderStrings = inLanguage('placeholderStrings', {
  domains: {
    title: 'Domains',
    text: 'Nothing can be set here yet. Who may sign in, and from which domains, is set by the operator of this deployment.',
  },
  sso: {
    title: 'Single Sign-On',
    text: 'Nothing can be set here yet. How people sign in, through a provider too, is set by the operator of this deployment.',
  },
  directory: {
    title: 'Directory Provisioning',
    text: 'Nothing can be set here yet. An owner lets an identity provider keep the members on the Members page, under Provisioning.',
  },
});

/** Controls of the enforcement matrix by their English names, which the server sends. */
export const controlNames = inLanguage<Readonly<Record<string, string>>>('controlNames', {});

export const deleteOrganizationStrings = inLanguage('deleteOrganizationStrings', {
  title: 'Delete this organization',
  text: 'Everyone loses access at once. Owners can bring it back for some days; then everything in it is erased.',
  ownersOnly: 'Only owners can delete the organization.',
  submit: 'Delete organization',
  dialogTitle: (name: string): string => `Delete ${name}?`,
  happens: [
    'Its members lose access at once. Its tokens, streams and runs stop.',
    'Owners can bring it back until the day that is shown next.',
    'Then its workspaces, chats, files, projects, runs, keys and connections are erased. That cannot be undone.',
    'Receipts stay, without names or content, and keep verifying.',
  ],
  typed: (name: string): string => `Type ${name} to confirm`,
});
