// What happens to every field, block, item and tool of the four surfaces, for each target. The decoders follow it, a
// test walks every cell through the real request builder, and the reference documentation is generated from it.
import type { Protocol } from '../neutral.ts';
import { passed, refused, type Row, type Section } from './cells.ts';
import { CHAT_FIELDS } from './chat-fields.ts';
import { MESSAGES_FIELDS } from './messages-fields.ts';
import { RESPONSES_FIELDS } from './responses-fields.ts';

// OpenAI's shape is the only one for embeddings: nothing is translated, and Anthropic has no such models.
const noEmbeddings = refused('Anthropic serves no embedding models');
const embeddingField: Row = { openai: passed(), anthropic: noEmbeddings, account: passed() };

const embeddingRequest = {
  title: 'Fields of the body',
  rows: {
    model: {
      ...embeddingField,
      openai: passed('its id at the provider'),
      account: passed('the account’s name for it'),
    },
    input: embeddingField,
    dimensions: embeddingField,
    encoding_format: embeddingField,
    user: embeddingField,
  },
} as const satisfies Section;

const EMBEDDING_FIELDS = { request: embeddingRequest } as const satisfies Readonly<Record<string, Section>>;

export const FIELD_TABLE = {
  chat: CHAT_FIELDS,
  responses: RESPONSES_FIELDS,
  messages: MESSAGES_FIELDS,
  embeddings: EMBEDDING_FIELDS,
} as const satisfies Record<Protocol | 'embeddings', Readonly<Record<string, Section>>>;
