import { z } from 'zod';
import { FIELD_TABLE } from '../../../model-providers/codecs/fields/field-table.ts';
import { printOf } from '../../../model-providers/codecs/fields/rows.ts';

export const embeddingRequest = printOf(FIELD_TABLE.embeddings.request).meta({
  id: 'EmbeddingRequest',
  examples: [{ model: 'openai/text-embedding-3-small', input: 'A sentence.' }],
});

export const embeddingList = z
  .looseObject({
    object: z.literal('list'),
    model: z.string(),
    data: z.array(
      z.looseObject({
        object: z.literal('embedding'),
        index: z.number().int(),
        embedding: z.union([z.array(z.number()), z.string()]).describe('A string with encoding_format base64.'),
      }),
    ),
    usage: z.looseObject({ prompt_tokens: z.number().int(), total_tokens: z.number().int() }),
  })
  .meta({ id: 'EmbeddingList' });
