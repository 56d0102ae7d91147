// Settings of the organization policy: what each does, and which of them are not enforced.
import type { OrganizationPolicy } from '../../../src/contract/policy.ts';
import type { ConfigField } from '../../kit/config-draft.ts';
import { inLanguage } from '../../language/language.ts';
import { german } from './strings.de.ts';

const policyPageEnglish = {
  loadFailed: 'These settings could not be loaded.',
  save: 'Save',
  changed: 'Setting saved.',
} as const;

const complianceEnglish = {
  title: 'Compliance',
  description: 'The server checks these on every chat request, in the app and on /v1.',
  zdr: 'Require ZDR',
  zdrText:
    'Only models with zero data retention may be used. Others are refused with policy_denied:compliance. Your own provider key lifts this for models that run on that provider.',
  study: 'Enforce Study Mode',
  studyText:
    'Every request uses the Study Mode model, regardless of the model chosen. No provider serves that model, so every request fails.',
  studyOn: 'Study Mode is on: chat requests in this organization are not answered.',
} as const;

const toolEnglish = {
  title: 'Tools',
  description: 'The provider tools this organization would allow in chat.',
  note: 'These switches are recorded with each chat turn but not enforced: chat requests never include provider tools.',
  switches: 'Tool switches',
  known: {
    web_search: { name: 'Web search', text: 'Web search by the provider.' },
    file_search: { name: 'File search', text: 'Search in uploaded files by the provider.' },
    code_interpreter: { name: 'Code interpreter', text: 'Code that the provider runs.' },
    image_generation: { name: 'Image generation', text: 'Images made by the provider.' },
  } as Readonly<Record<string, { name: string; text: string }>>,
  other: 'Set through the API.',
} as const;

type Module = keyof OrganizationPolicy['modules'];

const sharingEnglish = {
  title: 'Chat sharing',
  allow: 'Allow sharing chats by link',
  allowText:
    'Members can share a read-only copy of a chat with its workspace. When this is off, no links can be made, and existing links do not open. The server checks this on every request.',
} as const;

const moduleEnglish = {
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
} as const satisfies { modules: Record<Module, { title: string; text: string }>; [key: string]: unknown };

const moduleFieldTextsEnglish = {
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
} as const satisfies Record<Module, unknown>;

/** The texts of this file by the name that they are exported by. */
export const english = {
  policyPageStrings: policyPageEnglish,
  complianceStrings: complianceEnglish,
  toolStrings: toolEnglish,
  sharingStrings: sharingEnglish,
  moduleStrings: moduleEnglish,
  moduleFieldTexts: moduleFieldTextsEnglish,
};

export const { policyPageStrings, complianceStrings, toolStrings, sharingStrings, moduleStrings, moduleFieldTexts } =
  inLanguage(english, german);

const { rateLimiting, budgetLimiting, loggingConfig, toolApproval } = moduleFieldTexts;
const onOff = { name: 'enabled', control: 'switch', initial: false } as const;
const dollars = { control: 'number', min: 0, max: 10_000_000 } as const;

export const MODULE_FIELDS = {
  rateLimiting: [
    { ...onOff, ...rateLimiting.enabled },
    { name: 'requestsPerMinute', ...rateLimiting.requestsPerMinute, control: 'number', min: 1, max: 100_000 },
  ],
  budgetLimiting: [
    { ...onOff, ...budgetLimiting.enabled },
    { name: 'monthlyUsd', ...budgetLimiting.monthlyUsd, ...dollars },
    { name: 'memberMonthlyUsd', ...budgetLimiting.memberMonthlyUsd, ...dollars },
  ],
  loggingConfig: [
    { ...onOff, ...loggingConfig.enabled },
    { name: 'level', ...loggingConfig.level, control: 'choice' },
    { name: 'retentionDays', ...loggingConfig.retentionDays, control: 'number', min: 1, max: 3_650 },
  ],
  toolApproval: [
    { ...onOff, ...toolApproval.enabled },
    { name: 'mode', ...toolApproval.mode, control: 'choice' },
    { name: 'exempt', ...toolApproval.exempt, control: 'lines' },
  ],
} as const satisfies Record<Module, readonly ConfigField[]>;
