// Every field of an Embeddings body. OpenAI's shape is the only one there is: nothing is translated, and Anthropic has
// no such models.
import { passed, refused, type Row, type Section } from './cells.ts';

const none = refused('Anthropic serves no embedding models');
const own: Row = { openai: passed(), anthropic: none, account: passed() };

const request = {
  title: 'Fields of the body',
  rows: {
    model: { ...own, openai: passed('its id at the provider'), account: passed('the name that the account knows') },
    input: own,
    dimensions: own,
    encoding_format: own,
    user: own,
  },
} as const satisfies Section;

export const EMBEDDING_FIELDS = { request } as const satisfies Readonly<Record<string, Section>>;
