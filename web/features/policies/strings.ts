// Settings of the organization policy: what each does, and which of them are not enforced.
import type { OrganizationPolicy } from '../../../src/contract/policy.ts';
import { inLanguage } from '../../language/language.ts';

export const policyPageStrings = inLanguage('policyPageStrings', {
  loadFailed: 'These settings could not be loaded.',
  save: 'Save',
  changed: 'Setting saved.',
});

export const complianceStrings = inLanguage('complianceStrings', {
  title: 'Compliance',
  description: 'The server checks these on every chat request, in the app and on /v1.',
  zdr: 'Require ZDR',
  zdrText:
    'Only models with zero data retention may be used. Others are refused with policy_denied:compliance. Your own provider key lifts this for models that run on that provider.',
  study: 'Enforce Study Mode',
  studyText:
    'Every request uses the Study Mode model, regardless of the model chosen. No provider serves that model, so every request fails.',
  studyOn: 'Study Mode is on: chat requests in this organization are not answered.',
});

const known: Readonly<Record<string, { name: string; text: string }>> = {
  web_search: { name: 'Web search', text: 'Web search by the provider.' },
  file_search: { name: 'File search', text: 'Search in uploaded files by the provider.' },
  code_interpreter: { name: 'Code interpreter', text: 'Code run by the provider.' },
  image_generation: { name: 'Image generation', text: 'Images made by the provider.' },
};

export const toolStrings = inLanguage('toolStrings', {
  title: 'Tools',
  description: 'The provider tools this organization would allow in chat.',
  note: 'These switches are recorded with each chat turn but not enforced: chat requests never include provider tools.',
  switches: 'Tool switches',
  known,
  other: 'Set through the API.',
});

type Module = keyof OrganizationPolicy['modules'];

export const sharingStrings = inLanguage('sharingStrings', {
  title: 'Chat sharing',
  allow: 'Allow sharing chats by link',
  allowText:
    'Members can share a read-only copy of a chat with its workspace. When this is off, no links can be made, and existing links do not open. The server checks this on every request.',
});

export const factorStrings = inLanguage('factorStrings', {
  title: 'Signing in',
  require: 'Require a second factor',
  requireText:
    'Members whose session has no second factor cannot open this organization until they set up a passkey or one-time codes. Sign-in through your provider counts as one. Tokens with a name keep working. To turn this on, your own session needs a second factor.',
});

export const moduleStrings = inLanguage('moduleStrings', {
  title: 'Policies',
  description: 'Whether chats may be shared, and four policy modules that are stored with the organization.',
  note: 'About the four modules below: these settings are stored but not enforced. The limits in effect, requests per user and dollar budgets, are set by the operator and the plan.',
  saved: (module: string): string => `${module} saved.`,
  modules: {
    rateLimiting: { title: 'Rate limiting', text: 'How many requests a member may send.' },
    budgetLimiting: { title: 'Budget limiting', text: 'How much may be spent per month.' },
    loggingConfig: { title: 'Logging config', text: 'What is logged about requests, and for how long.' },
    toolApproval: { title: 'Tool approval', text: 'Which tool calls need a person’s approval.' },
  },
} satisfies { modules: Record<Module, { title: string; text: string }>; [key: string]: unknown });

export const moduleFieldTexts = inLanguage('moduleFieldTexts', {
  rateLimiting: {
    enabled: { label: 'Enabled' },
    requestsPerMinute: { label: 'Requests per minute', hint: 'For each member.' },
  },
  budgetLimiting: {
    enabled: { label: 'Enabled' },
    monthlyUsd: { label: 'Organization, USD per month' },
    memberMonthlyUsd: { label: 'Each member, USD per month' },
  },
  loggingConfig: {
    enabled: { label: 'Enabled' },
    level: { label: 'Level', options: { metadata: 'Metadata only', full: 'Metadata and content' } },
    retentionDays: { label: 'Retention in days' },
  },
  toolApproval: {
    enabled: { label: 'Enabled' },
    mode: { label: 'Approval for', options: { writes: 'Every write', all: 'Every call' } },
    exempt: { label: 'Tools that never need approval', hint: 'One per line.' },
  },
} satisfies Record<Module, unknown>);
