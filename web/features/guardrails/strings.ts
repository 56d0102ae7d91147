import type { GuardrailKind } from '../../../src/contract/guardrails.ts';
import { plural } from '../../language/format.ts';
import { inLanguage } from '../../language/language.ts';

export const guardrailStrings = inLanguage('guardrailStrings', {
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
});

export const guardrailKinds = inLanguage('guardrailKinds', {
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
} satisfies Record<GuardrailKind, { name: string; text: string }>);

export const guardrailFieldTexts = inLanguage('guardrailFieldTexts', {
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
} satisfies Record<GuardrailKind, unknown>);
