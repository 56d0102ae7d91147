import { generateObject, generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { api, collect, model, readNote, report, TASKS, token, TOOL, UNKNOWN_MODEL } from './report.mjs';

const settings = { baseURL: api, apiKey: token };
// Each is loaded only when it is asked for: the tests of every day have one of them.
const PROVIDERS = {
  responses: async () => (await import('@ai-sdk/openai')).createOpenAI(settings),
  chat: async () => (await import('@ai-sdk/openai')).createOpenAI(settings).chat,
  anthropic: async () => (await import('@ai-sdk/anthropic')).createAnthropic(settings),
  compatible: async () =>
    (await import('@ai-sdk/openai-compatible')).createOpenAICompatible({
      ...settings,
      name: 'service',
      supportsStructuredOutputs: true,
    }),
};
const provider = await PROVIDERS[process.argv[2]]();
const common = { model: provider(model), maxRetries: 0 };
const tools = {
  [TOOL.name]: tool({ description: TOOL.description, inputSchema: jsonSchema(TOOL.parameters), execute: readNote }),
};
const loop = { ...common, tools, stopWhen: stepCountIs(4) };

await report({
  async tools() {
    const first = await generateText({ ...loop, prompt: TASKS.read });
    const second = await generateText({
      ...loop,
      messages: [
        { role: 'user', content: TASKS.read },
        ...first.responseMessages,
        { role: 'user', content: TASKS.repeat },
      ],
    });
    return { first: first.text, second: second.text };
  },
  async streamedTools() {
    const faults = [];
    const result = streamText({ ...loop, prompt: TASKS.read, onError: ({ error }) => faults.push(error) });
    await result.consumeStream();
    if (faults.length > 0) throw faults[0];
    return { first: await result.text };
  },
  async stream() {
    const faults = [];
    const seen = await collect(
      streamText({ ...common, prompt: TASKS.tell, onError: ({ error }) => faults.push(error) }).textStream,
      (piece) => piece,
    );
    if (faults.length > 0) throw faults[0];
    return seen;
  },
  limited: async () => (await generateText({ ...common, prompt: TASKS.tell, maxOutputTokens: 500 })).text,
  object: async () =>
    (
      await generateObject({
        ...common,
        prompt: TASKS.fill,
        schema: jsonSchema({
          type: 'object',
          properties: { word: { type: 'string' } },
          required: ['word'],
          additionalProperties: false,
        }),
      })
    ).object,
  refused: () => generateText({ ...common, model: provider(UNKNOWN_MODEL), prompt: TASKS.tell }),
  tooLong: () => generateText({ ...common, prompt: TASKS.overflow }),
  async abort(abortSignal, onPiece) {
    for await (const piece of streamText({ ...common, prompt: TASKS.wait, abortSignal, onError() {} }).textStream)
      if (piece !== '') onPiece();
  },
});
