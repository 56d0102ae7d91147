import createInstructor from '@instructor-ai/instructor';
import OpenAI from 'openai';
// It was written for the third edition of zod.
import { z } from 'zod/v3';
import { api, model, report, TASKS, token, UNKNOWN_MODEL } from './report.mjs';

const make = createInstructor.default ?? createInstructor;
const client = make({ client: new OpenAI({ baseURL: api, apiKey: token, maxRetries: 0 }), mode: process.argv[2] });
const ask = (content, name = model) =>
  client.chat.completions.create({
    model: name,
    messages: [{ role: 'user', content }],
    response_model: { schema: z.object({ word: z.string() }), name: 'Form' },
    max_retries: 0,
  });

await report({
  object: async () => ({ word: (await ask(TASKS.fill)).word }),
  refused: () => ask(TASKS.fill, UNKNOWN_MODEL),
  tooLong: () => ask(TASKS.overflow),
});
