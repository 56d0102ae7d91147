import OpenAI from 'openai';
import { api, collect, model, readNote, report, TASKS, token, TOOL, UNKNOWN_MODEL } from './report.mjs';

const client = new OpenAI({ baseURL: api, apiKey: token, maxRetries: 0 });
const tools = [{ type: 'function', ...TOOL, strict: true }];
const outputsOf = ({ output }) =>
  output
    .filter(({ type }) => type === 'function_call')
    .map(({ call_id }) => ({ type: 'function_call_output', call_id, output: readNote() }));

await report({
  async tools() {
    const input = [{ role: 'user', content: TASKS.read }];
    const call = await client.responses.create({ model, input, tools, store: false });
    input.push(...call.output, ...outputsOf(call));
    const first = await client.responses.create({ model, input, tools, store: false });
    const second = await client.responses.create({
      model,
      input: [...input, ...first.output, { role: 'user', content: TASKS.repeat }],
      store: false,
    });
    return { first: first.output_text, second: second.output_text };
  },
  // The provider, or the service in its place, keeps the conversation.
  async stored() {
    const call = await client.responses.create({ model, input: TASKS.read, tools });
    const first = await client.responses.create({
      model,
      input: outputsOf(call),
      tools,
      previous_response_id: call.id,
    });
    const second = await client.responses.create({ model, input: TASKS.repeat, previous_response_id: first.id });
    return { first: first.output_text, second: second.output_text };
  },
  async thinking() {
    const common = {
      model,
      tools,
      store: false,
      reasoning: { effort: 'low', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
    };
    const input = [{ role: 'user', content: TASKS.read }];
    const call = await client.responses.stream({ ...common, input }).finalResponse();
    input.push(...call.output, ...outputsOf(call));
    return { first: (await client.responses.stream({ ...common, input }).finalResponse()).output_text };
  },
  stream: async () =>
    collect(await client.responses.create({ model, input: TASKS.tell, stream: true }), (event) =>
      event.type === 'response.output_text.delta' ? event.delta : '',
    ),
  refused: () => client.responses.create({ model: UNKNOWN_MODEL, input: TASKS.tell }),
  tooLong: () => client.responses.create({ model, input: TASKS.overflow }),
  async abort(signal, onPiece) {
    for await (const event of await client.responses.create({ model, input: TASKS.wait, stream: true }, { signal }))
      if (event.type === 'response.output_text.delta') onPiece();
  },
});
