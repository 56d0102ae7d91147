import type { GuardrailKind } from '../../../src/contract/guardrails.ts';
import type { ConfigField } from '../../kit/config-draft.ts';

export const guardrailStrings = {
  title: 'Guardrails',
  description:
    'Groups of rules that find things in a text. Write them, keep their versions and try them on sample text.',
  note: 'No live traffic is evaluated. A chat request that a group would match is answered like any other.',
  create: 'New group',
  createTitle: 'New guardrail group',
  createSubmit: 'Create group',
  created: (name: string): string => `Group “${name}” created.`,
  list: 'Guardrail groups',
  empty: 'No guardrail groups yet',
  emptyText: 'A group holds one or more rules of nine kinds, from personal data to a JSON Schema.',
  name: 'Group name',
  rules: 'Rules',
  rule: (at: number): string => `Rule ${at}`,
  ruleFault: (at: number, fault: string): string => `Rule ${at}: ${fault}`,
  kind: 'Kind',
  addRule: 'Add rule',
  removeRule: 'Remove rule',
  noConfig: 'This kind has no settings.',
  standard: 'Standard settings',
  rulesCount: (count: number): string => (count === 1 ? '1 rule' : `${count} rules`),
  version: (version: number): string => `Version ${version}`,
  latest: 'Latest',
  versions: 'Versions',
  versionsText: 'A version that was written never changes.',
  edit: 'Write a new version',
  editTitle: (version: number): string => `New version, from version ${version}`,
  editSubmit: 'Save new version',
  edited: (version: number): string => `Version ${version} saved.`,
  notFound: 'Group not found',
  notFoundText: 'There is no such guardrail group in this organization, or not this version of it.',
  loadFailed: 'This guardrail group could not be loaded.',
  back: 'All guardrails',
  yes: 'yes',
  no: 'no',
  notJson: 'This is not JSON.',
  test: {
    title: 'Test against sample text',
    text: (version: number): string => `Version ${version} is evaluated. The text is not stored.`,
    sample: 'Sample text',
    submit: 'Run test',
    none: 'No matches.',
    found: (count: number): string => (count === 1 ? '1 match' : `${count} matches`),
    result: 'Text with matches highlighted',
    matches: 'Matches',
    position: (start: number, end: number): string => `characters ${start} to ${end}`,
    more: (count: number): string => `and ${count} more`,
  },
} as const;

export const guardrailKinds = {
  pii: {
    name: 'Personal data',
    text: 'E-mail addresses, telephone numbers, payment cards, IBANs, US social security numbers, IP addresses.',
  },
  secrets: { name: 'Secrets', text: 'API keys, tokens, private keys, and values assigned to names such as password.' },
  profanity: { name: 'Profanity', text: 'Words of an English list.' },
  'prompt-injection': { name: 'Prompt injection', text: 'Turns of speech that try to take over the model.' },
  topic: { name: 'Topic', text: 'Terms of a topic.' },
  regex: { name: 'Regular expression', text: 'What a JavaScript regular expression matches.' },
  keyword: { name: 'Keyword', text: 'Words and phrases.' },
  length: { name: 'Length', text: 'What is past a maximum, or a text that is too short.' },
  'json-schema': { name: 'JSON Schema', text: 'A text that is not JSON, or that the schema does not accept.' },
} as const satisfies Record<GuardrailKind, { name: string; text: string }>;

export const GUARDRAIL_KIND_ORDER = Object.keys(guardrailKinds) as GuardrailKind[];

export const GUARDRAIL_FIELDS = {
  pii: [
    {
      name: 'types',
      label: 'Kinds of data',
      control: 'checks',
      options: {
        email: 'E-mail addresses',
        phone: 'Telephone numbers',
        'credit-card': 'Payment cards',
        iban: 'IBANs',
        ssn: 'US social security numbers',
        'ip-address': 'IP addresses',
      },
    },
  ],
  secrets: [],
  profanity: [
    { name: 'words', label: 'Words to add', hint: 'One a line.', control: 'lines' },
    { name: 'allow', label: 'Words to leave out', hint: 'One a line.', control: 'lines' },
  ],
  'prompt-injection': [{ name: 'phrases', label: 'Phrases to add', hint: 'One a line.', control: 'lines' }],
  topic: [
    {
      name: 'topics',
      label: 'Topics',
      hint: 'One a line: politics, religion, medical, legal, finance, violence, gambling, drugs, any other word, or a topic of your own with its terms, such as tea: oolong, green tea',
      control: 'topics',
    },
    { name: 'minHits', label: 'Terms that must occur', control: 'number', min: 1, max: 100 },
  ],
  regex: [
    { name: 'pattern', label: 'Pattern', control: 'text' },
    { name: 'flags', label: 'Flags', hint: 'Any of i m s u v.', control: 'text' },
  ],
  keyword: [
    { name: 'keywords', label: 'Keywords', hint: 'One a line.', control: 'lines' },
    { name: 'caseSensitive', label: 'Upper and lower case differ', control: 'switch', initial: false },
    { name: 'wholeWord', label: 'Whole words only', control: 'switch', initial: true },
  ],
  length: [
    { name: 'min', label: 'At least', control: 'number', min: 0, max: 10_000_000 },
    { name: 'max', label: 'At most', control: 'number', min: 0, max: 10_000_000 },
    { name: 'unit', label: 'Unit', control: 'choice', options: { characters: 'Characters', words: 'Words' } },
  ],
  'json-schema': [
    {
      name: 'schema',
      label: 'Schema',
      hint: 'JSON Schema 2020-12 without pattern, patternProperties, uniqueItems and references.',
      control: 'json',
    },
  ],
} as const satisfies Record<GuardrailKind, readonly ConfigField[]>;
