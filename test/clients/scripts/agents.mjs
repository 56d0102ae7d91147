import { Agent, MemorySession, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import { api, collect, model, readNote, report, TASKS, token, TOOL, UNKNOWN_MODEL } from './report.mjs';

setTracingDisabled(true);
const runner = new Runner({
  modelProvider: new OpenAIProvider({
    openAIClient: new OpenAI({ baseURL: api, apiKey: token, maxRetries: 0 }),
    useResponses: process.argv[2] === 'responses',
  }),
  tracingDisabled: true,
});
const note = tool({
  name: TOOL.name,
  description: TOOL.description,
  parameters: TOOL.parameters,
  strict: true,
  execute: async () => readNote(),
});
const agent = new Agent({ name: 'Reader', instructions: 'You read notes.', model, tools: [note] });
const plain = new Agent({ name: 'Teller', instructions: 'You tell words.', model });

await report({
  async tools() {
    const session = new MemorySession();
    const first = await runner.run(agent, TASKS.read, { session });
    const second = await runner.run(agent, TASKS.repeat, { session });
    return { first: first.finalOutput, second: second.finalOutput };
  },
  async streamedTools() {
    const result = await runner.run(agent, TASKS.read, { stream: true });
    await result.completed;
    return { first: result.finalOutput };
  },
  stream: async () => collect((await runner.run(plain, TASKS.tell, { stream: true })).toTextStream(), (piece) => piece),
  // Only the Responses interface keeps conversations.
  ...(process.argv[2] === 'responses' && {
    async stored() {
      const first = await runner.run(agent, TASKS.read);
      const second = await runner.run(agent, TASKS.repeat, { previousResponseId: first.lastResponseId });
      return { first: first.finalOutput, second: second.finalOutput };
    },
  }),
  refused: () => runner.run(new Agent({ name: 'Nobody', model: UNKNOWN_MODEL }), TASKS.tell),
  tooLong: () => runner.run(plain, TASKS.overflow),
  async abort(signal, onPiece) {
    for await (const piece of (await runner.run(plain, TASKS.wait, { stream: true, signal })).toTextStream())
      if (piece !== '') onPiece();
  },
});
