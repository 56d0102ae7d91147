// One shape for both families of clients, with OpenAI's and Anthropic's fields.
import { z } from 'zod';

export const model = z
  .object({
    id: z.string(),
    object: z.literal('model'),
    type: z.literal('model'),
    display_name: z.string(),
    created: z.number(),
    created_at: z.string(),
    owned_by: z.string(),
    providers: z.array(z.string()),
    price: z
      .object({
        input: z.number(),
        output: z.number(),
        long_input: z.object({ above_tokens: z.number(), input: z.number(), output: z.number() }).optional(),
      })
      .nullable()
      .describe('US dollars per million tokens at list price; null if unknown.'),
  })
  .meta({ id: 'Model' });

export const modelList = z
  .object({
    object: z.literal('list'),
    data: z.array(model),
    has_more: z.literal(false),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
  })
  .meta({ id: 'ModelList' });
