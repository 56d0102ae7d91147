import type { GuardrailKind } from '../../../src/contract/guardrails.ts';
import type { ConfigField } from '../../kit/config-draft.ts';
import { plural } from '../../language/format.ts';
import { inLanguage } from '../../language/language.ts';
import { german } from './strings.de.ts';

const guardrailEnglish = {
  title: 'Guardrails',
  description: 'Versioned groups of rules that detect unwanted content. Write them and test them on sample text.',
  note: 'Guardrails are not applied to live traffic. A chat request that matches a rule is answered like any other.',
  create: 'New group',
  createTitle: 'New guardrail group',
  createSubmit: 'Create group',
  created: (name: string): string => `Group “${name}” created.`,
  list: 'Guardrail groups',
  empty: 'No guardrail groups yet',
  emptyText: 'A group has one or more rules. There are nine kinds, from personal data to JSON Schema.',
  name: 'Group name',
  rules: 'Rules',
  rule: (at: number): string => `Rule ${at}`,
  ruleFault: (at: number, fault: string): string => `Rule ${at}: ${fault}`,
  kind: 'Kind',
  addRule: 'Add rule',
  removeRule: 'Remove rule',
  noConfig: 'This kind has no settings.',
  standard: 'Default settings',
  rulesCount: (count: number): string => plural(count, { one: '# rule', other: '# rules' }),
  version: (version: number): string => `Version ${version}`,
  latest: 'Latest',
  versions: 'Versions',
  versionsText: 'Saved versions never change.',
  edit: 'New version',
  editTitle: (version: number): string => `New version based on version ${version}`,
  editSubmit: 'Save new version',
  edited: (version: number): string => `Version ${version} saved.`,
  notFound: 'Group not found',
  notFoundText: 'This guardrail group or version does not exist in this organization.',
  loadFailed: 'This guardrail group could not be loaded.',
  back: 'All guardrails',
  yes: 'yes',
  no: 'no',
  notJson: 'This is not valid JSON.',
  test: {
    title: 'Test against sample text',
    text: (version: number): string => `Tests version ${version}. The text is not stored.`,
    sample: 'Sample text',
    submit: 'Run test',
    none: 'No matches.',
    found: (count: number): string => plural(count, { one: '# match', other: '# matches' }),
    result: 'Text with matches highlighted',
    matches: 'Matches',
    position: (start: number, end: number): string => `characters ${start} to ${end}`,
    more: (count: number): string => `and ${count} more`,
  },
} as const;

const guardrailKindsEnglish = {
  pii: {
    name: 'Personal data',
    text: 'Email addresses, phone numbers, payment cards, IBANs, US Social Security numbers and IP addresses.',
  },
  secrets: {
    name: 'Secrets',
    text: 'API keys, tokens, private keys, and values assigned to names such as “password”.',
  },
  profanity: { name: 'Profanity', text: 'Words from an English list.' },
  'prompt-injection': { name: 'Prompt injection', text: 'Phrases that try to override the model’s instructions.' },
  topic: { name: 'Topic', text: 'Terms related to a topic.' },
  regex: { name: 'Regular expression', text: 'Matches of a JavaScript regular expression.' },
  keyword: { name: 'Keyword', text: 'Words and phrases.' },
  length: { name: 'Length', text: 'Text that is too long or too short.' },
  'json-schema': { name: 'JSON Schema', text: 'Text that is not JSON or does not match a schema.' },
} as const satisfies Record<GuardrailKind, { name: string; text: string }>;

export const GUARDRAIL_KIND_ORDER = Object.keys(guardrailKindsEnglish) as GuardrailKind[];

const guardrailFieldTextsEnglish = {
  pii: {
    types: {
      label: 'Kinds of data',
      options: {
        email: 'Email addresses',
        phone: 'Phone numbers',
        'credit-card': 'Payment cards',
        iban: 'IBANs',
        ssn: 'US Social Security numbers',
        'ip-address': 'IP addresses',
      },
    },
  },
  secrets: {},
  profanity: {
    words: { label: 'Words to add', hint: 'One per line.' },
    allow: { label: 'Words to allow', hint: 'One per line.' },
  },
  'prompt-injection': { phrases: { label: 'Phrases to add', hint: 'One per line.' } },
  topic: {
    topics: {
      label: 'Topics',
      hint: 'One per line: politics, religion, medical, legal, finance, violence, gambling, drugs, any other word, or your own topic with its terms, such as tea: oolong, green tea',
    },
    minHits: { label: 'Minimum number of terms' },
  },
  regex: { pattern: { label: 'Pattern' }, flags: { label: 'Flags', hint: 'Any of i, m, s, u, v.' } },
  keyword: {
    keywords: { label: 'Keywords', hint: 'One per line.' },
    caseSensitive: { label: 'Case sensitive' },
    wholeWord: { label: 'Whole words only' },
  },
  length: {
    min: { label: 'At least' },
    max: { label: 'At most' },
    unit: { label: 'Unit', options: { characters: 'Characters', words: 'Words' } },
  },
  'json-schema': {
    schema: {
      label: 'Schema',
      hint: 'JSON Schema 2020-12, without pattern, patternProperties, uniqueItems or references.',
    },
  },
} as const satisfies Record<GuardrailKind, unknown>;

/** The texts of this file by the name that they are exported by. */
export const english = {
  guardrailStrings: guardrailEnglish,
  guardrailKinds: guardrailKindsEnglish,
  guardrailFieldTexts: guardrailFieldTextsEnglish,
};

export const { guardrailStrings, guardrailKinds, guardrailFieldTexts } = inLanguage(english, german);

const texts = guardrailFieldTexts;
const anyLength = { control: 'number', min: 0, max: 10_000_000 } as const;

export const GUARDRAIL_FIELDS = {
  pii: [{ name: 'types', ...texts.pii.types, control: 'checks' }],
  secrets: [],
  profanity: [
    { name: 'words', ...texts.profanity.words, control: 'lines' },
    { name: 'allow', ...texts.profanity.allow, control: 'lines' },
  ],
  'prompt-injection': [{ name: 'phrases', ...texts['prompt-injection'].phrases, control: 'lines' }],
  topic: [
    { name: 'topics', ...texts.topic.topics, control: 'topics' },
    { name: 'minHits', ...texts.topic.minHits, control: 'number', min: 1, max: 100 },
  ],
  regex: [
    { name: 'pattern', ...texts.regex.pattern, control: 'text' },
    { name: 'flags', ...texts.regex.flags, control: 'text' },
  ],
  keyword: [
    { name: 'keywords', ...texts.keyword.keywords, control: 'lines' },
    { name: 'caseSensitive', ...texts.keyword.caseSensitive, control: 'switch', initial: false },
    { name: 'wholeWord', ...texts.keyword.wholeWord, control: 'switch', initial: true },
  ],
  length: [
    { name: 'min', ...texts.length.min, ...anyLength },
    { name: 'max', ...texts.length.max, ...anyLength },
    { name: 'unit', ...texts.length.unit, control: 'choice' },
  ],
  'json-schema': [{ name: 'schema', ...texts['json-schema'].schema, control: 'json' }],
} as const satisfies Record<GuardrailKind, readonly ConfigField[]>;
