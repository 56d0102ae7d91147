import { AnthropicSession, Anthropic } from '@llamaindex/anthropic';
import { OpenAI, OpenAIResponses } from '@llamaindex/openai';
import { agent } from '@llamaindex/workflow';
import { tool } from 'llamaindex';
import { api, collect, model, origin, readNote, report, TASKS, token, TOOL, UNKNOWN_MODEL } from './report.mjs';

const MODELS = {
  // Its own default of 0.1 is refused by OpenAI for models that reason.
  openai: (name) =>
    new OpenAI({
      model: name,
      temperature: 1,
      apiKey: token,
      baseURL: api,
      additionalSessionOptions: { baseURL: api },
      maxRetries: 0,
      supportToolCall: true,
    }),
  responses: (name) =>
    new OpenAIResponses({
      model: name,
      apiKey: token,
      baseURL: api,
      additionalSessionOptions: { baseURL: api },
      maxRetries: 0,
    }),
  anthropic: (name) =>
    new Anthropic({
      model: name,
      apiKey: token,
      maxTokens: 1024,
      session: new AnthropicSession({ apiKey: token, baseURL: origin, maxRetries: 0 }),
    }),
};
const make = MODELS[process.argv[2]];
const llm = make(model);
// Its list of models that call tools does not know the names of a gateway.
Object.defineProperty(llm, 'supportToolCall', { value: true });
const note = tool({ name: TOOL.name, description: TOOL.description, parameters: TOOL.parameters, execute: readNote });
const say = (content) => [{ role: 'user', content }];

await report({
  async tools() {
    const reader = agent({ llm, tools: [note] });
    const first = await reader.run(TASKS.read);
    const second = await reader.run(TASKS.repeat, { state: first.data.state });
    return { first: String(first.data.result), second: String(second.data.result) };
  },
  stream: async () => collect(await llm.chat({ messages: say(TASKS.tell), stream: true }), ({ delta }) => delta),
  refused: () => make(UNKNOWN_MODEL).chat({ messages: say(TASKS.tell) }),
  tooLong: () => llm.chat({ messages: say(TASKS.overflow) }),
});
