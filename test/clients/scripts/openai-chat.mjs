import OpenAI from 'openai';
import { api, collect, model, readNote, report, TASKS, token, TOOL, UNKNOWN_MODEL } from './report.mjs';

const client = new OpenAI({ baseURL: api, apiKey: token, maxRetries: 0 });
const tools = [{ type: 'function', function: { ...TOOL, function: readNote, parse: JSON.parse, strict: true } }];
const say = (content) => [{ role: 'user', content }];

await report({
  async tools() {
    const runner = client.chat.completions.runTools({ model, messages: say(TASKS.read), tools });
    const first = await runner.finalContent();
    const second = await client.chat.completions.create({
      model,
      messages: [...runner.messages, ...say(TASKS.repeat)],
    });
    return { first, second: second.choices[0].message.content };
  },
  async streamedTools() {
    const runner = client.chat.completions.runTools({ model, messages: say(TASKS.read), tools, stream: true });
    return { first: await runner.finalContent() };
  },
  stream: async () =>
    collect(
      await client.chat.completions.create({ model, messages: say(TASKS.tell), stream: true }),
      (chunk) => chunk.choices[0]?.delta.content,
    ),
  limited: async () =>
    (await client.chat.completions.create({ model, messages: say(TASKS.tell), max_tokens: 500 })).choices[0].message
      .content,
  refused: () => client.chat.completions.create({ model: UNKNOWN_MODEL, messages: say(TASKS.tell) }),
  tooLong: () => client.chat.completions.create({ model, messages: say(TASKS.overflow) }),
  async abort(signal, onPiece) {
    for await (const chunk of await client.chat.completions.create(
      { model, messages: say(TASKS.wait), stream: true },
      { signal },
    ))
      if (chunk.choices[0]?.delta.content) onPiece();
  },
});
