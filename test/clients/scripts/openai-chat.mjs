import OpenAI from 'openai';
import {
  api,
  collect,
  model,
  OVERFLOW,
  READ,
  readNote,
  REPEAT,
  report,
  TELL,
  token,
  TOOL,
  UNKNOWN_MODEL,
  WAIT,
} from './report.mjs';

const client = new OpenAI({ baseURL: api, apiKey: token, maxRetries: 0 });
const tools = [{ type: 'function', function: { ...TOOL, function: readNote, parse: JSON.parse, strict: true } }];
const say = (content) => [{ role: 'user', content }];

await report({
  async tools() {
    const runner = client.chat.completions.runTools({ model, messages: say(READ), tools });
    const first = await runner.finalContent();
    const second = await client.chat.completions.create({ model, messages: [...runner.messages, ...say(REPEAT)] });
    return { first, second: second.choices[0].message.content };
  },
  async streamedTools() {
    const runner = client.chat.completions.runTools({ model, messages: say(READ), tools, stream: true });
    return { first: await runner.finalContent() };
  },
  stream: async () =>
    collect(
      await client.chat.completions.create({ model, messages: say(TELL), stream: true }),
      (chunk) => chunk.choices[0]?.delta.content,
    ),
  limited: async () =>
    (await client.chat.completions.create({ model, messages: say(TELL), max_tokens: 500 })).choices[0].message.content,
  refused: () => client.chat.completions.create({ model: UNKNOWN_MODEL, messages: say(TELL) }),
  tooLong: () => client.chat.completions.create({ model, messages: say(OVERFLOW) }),
  async abort(signal, onPiece) {
    for await (const chunk of await client.chat.completions.create(
      { model, messages: say(WAIT), stream: true },
      { signal },
    ))
      if (chunk.choices[0]?.delta.content) onPiece();
  },
});
