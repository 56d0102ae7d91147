import { ChatAnthropic } from '@langchain/anthropic';
import { tool } from '@langchain/core/tools';
import { MemorySaver } from '@langchain/langgraph';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import { api, collect, model, origin, readNote, report, TASKS, token, TOOL, UNKNOWN_MODEL } from './report.mjs';

const MODELS = {
  openai: (name) => new ChatOpenAI({ model: name, apiKey: token, configuration: { baseURL: api }, maxRetries: 0 }),
  responses: (name) =>
    new ChatOpenAI({
      model: name,
      apiKey: token,
      configuration: { baseURL: api },
      maxRetries: 0,
      useResponsesApi: true,
    }),
  anthropic: (name) =>
    new ChatAnthropic({ model: name, apiKey: token, anthropicApiUrl: origin, maxTokens: 1024, maxRetries: 0 }),
};
const make = MODELS[process.argv[2]];
const chat = make(model);
const note = tool(readNote, { name: TOOL.name, description: TOOL.description, schema: TOOL.parameters });
const textOf = (message) => message.text;

await report({
  // The graph keeps the conversation.
  async tools() {
    const agent = createReactAgent({ llm: chat, tools: [note], checkpointer: new MemorySaver() });
    const ask = async (content) =>
      textOf(
        (
          await agent.invoke({ messages: [{ role: 'user', content }] }, { configurable: { thread_id: '1' } })
        ).messages.at(-1),
      );
    return { first: await ask(TASKS.read), second: await ask(TASKS.repeat) };
  },
  async streamedTools() {
    const agent = createReactAgent({ llm: chat, tools: [note] });
    const { text } = await collect(
      await agent.stream({ messages: [{ role: 'user', content: TASKS.read }] }, { streamMode: 'messages' }),
      ([message]) => (message.getType() === 'ai' ? message.text : ''),
    );
    return { first: text };
  },
  stream: async () => collect(await chat.stream(TASKS.tell), textOf),
  object: () =>
    chat
      .withStructuredOutput({
        title: 'form',
        type: 'object',
        properties: { word: { type: 'string' } },
        required: ['word'],
        additionalProperties: false,
      })
      .invoke(TASKS.fill),
  refused: () => make(UNKNOWN_MODEL).invoke(TASKS.tell),
  tooLong: () => chat.invoke(TASKS.overflow),
  async abort(signal, onPiece) {
    for await (const piece of await chat.stream(TASKS.wait, { signal })) if (piece.text !== '') onPiece();
  },
});
