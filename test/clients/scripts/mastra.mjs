import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
import { api, collect, model, readNote, report, TASKS, token, TOOL, UNKNOWN_MODEL } from './report.mjs';

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
    const first = await failing(await agent.generate(TASKS.read));
    const second = await failing(
      await agent.generate([
        { role: 'user', content: TASKS.read },
        ...first.response.messages,
        { role: 'user', content: TASKS.repeat },
      ]),
    );
    return { first: first.text, second: second.text };
  },
  async streamedTools() {
    const result = await agent.stream(TASKS.read);
    await result.consumeStream();
    return { first: await result.text };
  },
  stream: async () => collect((await plain.stream(TASKS.tell)).textStream, (piece) => piece),
  refused: async () => failing(await make(UNKNOWN_MODEL).generate(TASKS.tell)),
  tooLong: async () => failing(await plain.generate(TASKS.overflow)),
  async abort(abortSignal, onPiece) {
    for await (const piece of (await plain.stream(TASKS.wait, { abortSignal })).textStream) if (piece !== '') onPiece();
  },
});
