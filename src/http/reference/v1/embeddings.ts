import { z } from 'zod';

export const embeddingRequest = z
  .looseObject({
    model: z.string().describe('The id of an embedding model.'),
    input: z.union([z.string(), z.array(z.string()), z.array(z.number().int()), z.array(z.array(z.number().int()))]),
    dimensions: z.number().int().min(1).optional(),
    encoding_format: z.enum(['float', 'base64']).optional(),
    user: z.string().optional(),
  })
  .meta({ id: 'EmbeddingRequest', examples: [{ model: 'openai/text-embedding-3-small', input: 'A sentence.' }] });

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
