import Anthropic from '@anthropic-ai/sdk';
import { collect, model, origin, readNote, report, TASKS, token, TOOL, UNKNOWN_MODEL } from './report.mjs';

const client = new Anthropic({ baseURL: origin, apiKey: token, maxRetries: 0 });
const tool = { name: TOOL.name, description: TOOL.description, input_schema: TOOL.parameters };
const common = { model, max_tokens: 1024 };
const say = (content) => [{ role: 'user', content }];
const textOf = ({ content }) => content.map((block) => (block.type === 'text' ? block.text : '')).join('');
const resultsOf = ({ content }) =>
  content
    .filter(({ type }) => type === 'tool_use')
    .map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: readNote() }));

await report({
  async tools() {
    const messages = say(TASKS.read);
    const call = await client.messages.create({ ...common, messages, tools: [tool] });
    messages.push({ role: 'assistant', content: call.content }, { role: 'user', content: resultsOf(call) });
    const first = await client.messages.create({ ...common, messages, tools: [tool] });
    messages.push({ role: 'assistant', content: first.content }, ...say(TASKS.repeat));
    return {
      first: textOf(first),
      second: textOf(await client.messages.create({ ...common, messages, tools: [tool] })),
    };
  },
  // The helper that runs the loop by itself.
  async runner() {
    const runner = client.beta.messages.toolRunner({
      ...common,
      messages: say(TASKS.read),
      tools: [{ ...tool, run: readNote, parse: (input) => input }],
    });
    const first = textOf(await runner.runUntilDone());
    return { first };
  },
  async streamedTools() {
    const messages = say(TASKS.read);
    const call = await client.messages.stream({ ...common, messages, tools: [tool] }).finalMessage();
    messages.push({ role: 'assistant', content: call.content }, { role: 'user', content: resultsOf(call) });
    return { first: textOf(await client.messages.stream({ ...common, messages, tools: [tool] }).finalMessage()) };
  },
  async thinking() {
    const thoughtful = { ...common, max_tokens: 4096, thinking: { type: 'adaptive' }, tools: [tool] };
    const messages = say(TASKS.read);
    const call = await client.messages.stream({ ...thoughtful, messages }).finalMessage();
    messages.push({ role: 'assistant', content: call.content }, { role: 'user', content: resultsOf(call) });
    return { first: textOf(await client.messages.stream({ ...thoughtful, messages }).finalMessage()) };
  },
  stream: async () =>
    collect(client.messages.stream({ ...common, messages: say(TASKS.tell) }), (event) =>
      event.type === 'content_block_delta' ? event.delta.text : '',
    ),
  refused: () => client.messages.create({ ...common, model: UNKNOWN_MODEL, messages: say(TASKS.tell) }),
  tooLong: () => client.messages.create({ ...common, messages: say(TASKS.overflow) }),
  async abort(signal, onPiece) {
    for await (const event of await client.messages.create(
      { ...common, messages: say(TASKS.wait), stream: true },
      { signal },
    ))
      if (event.type === 'content_block_delta') onPiece();
  },
});
