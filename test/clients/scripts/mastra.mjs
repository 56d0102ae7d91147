import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
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

const make = (modelId, tools = {}) =>
  new Agent({
    id: 'reader',
    name: 'Reader',
    instructions: 'You read notes.',
    model: { providerId: 'service', modelId, url: api, apiKey: token, api: process.argv[2] },
    tools,
    maxRetries: 0,
  });
const note = createTool({
  id: TOOL.name,
  description: TOOL.description,
  inputSchema: z.object({ title: z.string() }),
  execute: async () => ({ note: readNote() }),
});
const agent = make(model, { [TOOL.name]: note });
const plain = make(model);
const failing = async (result) => {
  if (result.error) throw result.error;
  return result;
};

await report({
  async tools() {
    const first = await failing(await agent.generate(READ));
    const second = await failing(
      await agent.generate([
        { role: 'user', content: READ },
        ...first.response.messages,
        { role: 'user', content: REPEAT },
      ]),
    );
    return { first: first.text, second: second.text };
  },
  async streamedTools() {
    const result = await agent.stream(READ);
    await result.consumeStream();
    return { first: await result.text };
  },
  stream: async () => collect((await plain.stream(TELL)).textStream, (piece) => piece),
  refused: async () => failing(await make(UNKNOWN_MODEL).generate(TELL)),
  tooLong: async () => failing(await plain.generate(OVERFLOW)),
  async abort(abortSignal, onPiece) {
    for await (const piece of (await plain.stream(WAIT, { abortSignal })).textStream) if (piece !== '') onPiece();
  },
});
