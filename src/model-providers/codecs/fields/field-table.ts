// What happens to every field, block, item and tool of the four surfaces, for each target. The decoders follow it, a
// test walks every cell through the real request builder, and the reference documentation is generated from it.
import { z } from 'zod';
import { any, plain, type Rule } from '../../bounds/rules.ts';
import type { Protocol } from '../neutral.ts';
import { passed, refused } from './cells.ts';
import { CHAT_FIELDS } from './chat-fields.ts';
import { MESSAGES_FIELDS } from './messages-fields.ts';
import { RESPONSES_FIELDS } from './responses-fields.ts';
import { field, type Row, section, type Section } from './rows.ts';

// OpenAI's shape is the only one for embeddings: nothing is translated, and Anthropic has no such models.
const noEmbeddings = refused('Anthropic serves no embedding models');
const embeddingField = (credit: Rule, schema: z.ZodType): Row =>
  field({ openai: passed(), anthropic: noEmbeddings, account: passed() }, credit, schema);
const words = z.array(z.string());
const numbers = z.array(z.number().int());

const EMBEDDING_FIELDS = {
  request: section('Fields of the body', {
    model: {
      ...embeddingField(plain, z.string().describe('The id of an embedding model.')),
      openai: passed('its id at the provider'),
      account: passed('the account’s name for it'),
    },
    // Numbers are tokens, each at least two characters of the body.
    input: embeddingField(any, z.union([z.string(), words, numbers, z.array(numbers)])),
    dimensions: embeddingField(plain, z.number().int().min(1).optional()),
    encoding_format: embeddingField(plain, z.enum(['float', 'base64']).optional()),
    user: embeddingField(plain, z.string().optional()),
  }),
};

export const FIELD_TABLE = {
  chat: CHAT_FIELDS,
  responses: RESPONSES_FIELDS,
  messages: MESSAGES_FIELDS,
  embeddings: EMBEDDING_FIELDS,
} as const satisfies Record<Protocol | 'embeddings', Readonly<Record<string, Section>>>;
