import type { GuardrailKind } from '../../contract/guardrails.ts';
import { jsonSchema } from './json-schema.ts';
import { keyword } from './keyword.ts';
import type { KindRow } from './kind-row.ts';
import { length } from './length.ts';
import { pii } from './pii.ts';
import { profanity } from './profanity.ts';
import { promptInjection } from './prompt-injection.ts';
import { regex } from './regex.ts';
import { secrets } from './secrets.ts';
import { topic } from './topic.ts';

/** Every kind of guardrail. */
export const KINDS = {
  pii,
  secrets,
  profanity,
  'prompt-injection': promptInjection,
  topic,
  regex,
  keyword,
  length,
  'json-schema': jsonSchema,
} as const satisfies Record<GuardrailKind, KindRow>;
