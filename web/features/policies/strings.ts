// Settings of the organization policy: what each does, and plainly which of them nothing enforces.
import type { OrganizationPolicy } from '../../../src/contract/policy.ts';
import type { ConfigField } from '../../kit/config-draft.ts';

export const policyPageStrings = {
  loadFailed: 'These settings could not be loaded.',
  save: 'Save',
  storedOnly: 'Stored only',
} as const;

export const complianceStrings = {
  title: 'Compliance',
  description: 'Checked on the server at every chat request, in the app and at /v1.',
  zdr: 'Require ZDR',
  zdrText:
    'Only models whose provider keeps nothing of a request (zero data retention) are answered; others are refused with policy_denied:compliance. A provider key of your own lifts this for models that run at that provider.',
  study: 'Enforce Study Mode',
  studyText:
    'Every request is pinned to the Study Mode model, whatever was chosen. No route can execute that model, so every turn fails instead of answering.',
  studyOn: 'Study Mode is on: no chat request of this organization is answered.',
} as const;

export const toolStrings = {
  title: 'Tools',
  description: 'Which provider tools this organization would allow in chat.',
  note: 'These switches are recorded with each chat turn and enforced nowhere: a direct answer is sent with no provider tools attached, whatever is chosen here.',
  switches: 'Tool switches',
  known: {
    web_search: { name: 'Web search', text: 'The provider’s own search of the web.' },
    file_search: { name: 'File search', text: 'The provider’s own index over uploaded files.' },
    code_interpreter: { name: 'Code interpreter', text: 'Code that runs at the provider.' },
    image_generation: { name: 'Image generation', text: 'Pictures made at the provider.' },
  } as Readonly<Record<string, { name: string; text: string }>>,
  other: 'Set through the API.',
} as const;

type Module = keyof OrganizationPolicy['modules'];

export const moduleStrings = {
  title: 'Policies',
  description: 'Four modules whose settings are kept with the organization.',
  note: 'These settings are stored and read by nothing. The limits that act, the per-user request limit and the dollar budgets, are set by the operator and the plan.',
  saved: (module: string): string => `${module} saved.`,
  modules: {
    rateLimiting: { title: 'Rate limiting', text: 'How many requests a member may send.' },
    budgetLimiting: { title: 'Budget limiting', text: 'What may be spent in a month.' },
    loggingConfig: { title: 'Logging config', text: 'What is kept about requests, and for how long.' },
    toolApproval: { title: 'Tool approval', text: 'Which tool calls ask a person first.' },
  },
} as const satisfies { modules: Record<Module, { title: string; text: string }>; [key: string]: unknown };

const enabled: ConfigField = { name: 'enabled', label: 'Enabled', control: 'switch', initial: false };

export const MODULE_FIELDS = {
  rateLimiting: [
    enabled,
    {
      name: 'requestsPerMinute',
      label: 'Requests per minute',
      hint: 'For each member.',
      control: 'number',
      min: 1,
      max: 100_000,
    },
  ],
  budgetLimiting: [
    enabled,
    { name: 'monthlyUsd', label: 'Organization, USD per month', control: 'number', min: 0, max: 10_000_000 },
    { name: 'memberMonthlyUsd', label: 'Each member, USD per month', control: 'number', min: 0, max: 10_000_000 },
  ],
  loggingConfig: [
    enabled,
    {
      name: 'level',
      label: 'Level',
      control: 'choice',
      options: { metadata: 'Metadata only', full: 'Metadata and content' },
    },
    { name: 'retentionDays', label: 'Days to keep', control: 'number', min: 1, max: 3_650 },
  ],
  toolApproval: [
    enabled,
    { name: 'mode', label: 'Ask before', control: 'choice', options: { writes: 'Every write', all: 'Every call' } },
    { name: 'exempt', label: 'Tools that never ask', hint: 'One a line.', control: 'lines' },
  ],
} as const satisfies Record<Module, readonly ConfigField[]>;
