import type { GuardrailKind } from '../../../src/contract/guardrails.ts';
import type { ConfigField } from '../../kit/config-draft.ts';
import { guardrailFieldTexts as texts } from './strings.ts';

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

/** In the order in which they are offered. */
export const GUARDRAIL_KINDS = Object.keys(GUARDRAIL_FIELDS) as GuardrailKind[];
