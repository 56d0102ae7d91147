// What becomes of every field, block, item and tool of the four surfaces, for each target. The decoders are held to
// it, a test walks every cell through the real request builder, and the reference documentation is printed from it.
import type { Protocol } from '../neutral.ts';
import type { Section } from './cells.ts';
import { CHAT_FIELDS } from './chat-fields.ts';
import { EMBEDDING_FIELDS } from './embedding-fields.ts';
import { MESSAGES_FIELDS } from './messages-fields.ts';
import { RESPONSES_FIELDS } from './responses-fields.ts';

export const FIELD_TABLE = {
  chat: CHAT_FIELDS,
  responses: RESPONSES_FIELDS,
  messages: MESSAGES_FIELDS,
  embeddings: EMBEDDING_FIELDS,
} as const satisfies Record<Protocol | 'embeddings', Readonly<Record<string, Section>>>;
