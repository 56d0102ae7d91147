// The demo model providers as a process, through the official clients of both providers.
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DemoProviders, startDemoProviders } from '../support/demo-providers.ts';

const FAST = { 'x-demo-pace': 'fast' };
const BASH_SCHEMA = { type: 'object' as const, properties: { command: { type: 'string' } }, required: ['command'], additionalProperties: false };
const ANSWER_FILE = '/workspace/artifacts/answer.md';

let demo: DemoProviders;
let openai: OpenAI;
let anthropic: Anthropic;

beforeAll(async () => {
  demo = await startDemoProviders();
  openai = new OpenAI({ apiKey: 'sk-demo', baseURL: `${demo.url}/v1`, defaultHeaders: FAST, maxRetries: 0 });
  anthropic = new Anthropic({ apiKey: 'sk-ant-demo', baseURL: demo.url, defaultHeaders: FAST, maxRetries: 0 });
});

afterAll(() => demo.stop());

describe('the OpenAI client', () => {
  test('lists the models of the catalogue and finds one of them', async () => {
    const ids = (await openai.models.list()).data.map(({ id, owned_by: owner }) => `${owner} ${id}`);
    expect(ids).toContain('demo gpt-6-sol');
    expect(ids.some((id) => id.includes('claude'))).toBe(false);
    expect((await openai.models.retrieve('gpt-6-sol')).id).toBe('gpt-6-sol');
  });

  test('gets the same chat completion whole and streamed, with figures that add up', async () => {
    const question = { model: 'gpt-6-sol', messages: [{ role: 'user' as const, content: 'Write a function in Python' }] };
    const whole = await openai.chat.completions.create(question);
    const text = whole.choices[0]?.message.content ?? '';
    expect(text).toMatch(/^Demo answer: [^]*```python/);
    expect(whole.choices[0]?.finish_reason).toBe('stop');
    expect(whole.usage?.total_tokens).toBe((whole.usage?.prompt_tokens ?? 0) + (whole.usage?.completion_tokens ?? 0));

    const pieces: string[] = [];
    const usages: unknown[] = [];
    for await (const chunk of await openai.chat.completions.create({ ...question, stream: true, stream_options: { include_usage: true } })) {
      pieces.push(chunk.choices[0]?.delta.content ?? '');
      if (chunk.usage) usages.push(chunk.usage);
    }
    expect(pieces.join('')).toBe(text);
    expect(pieces.length).toBeGreaterThan(20);
    expect(usages).toEqual([whole.usage]);
  });

  test('runs a chat loop with the shell of a run to its end', async () => {
    const run = new OpenAI({ apiKey: 'sk-demo', baseURL: `${demo.url}/v1`, defaultHeaders: { ...FAST, 'user-agent': 'service-run' }, maxRetries: 0 });
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Summarize the project' }];
    const commands: string[] = [];
    for (let turn = 0; turn < 10; turn++) {
      const { message, finish_reason: finish } = (await run.chat.completions.create({ model: 'gpt-5', messages, tools: [{ type: 'function', function: { name: 'bash', parameters: BASH_SCHEMA } }] })).choices[0] ?? {};
      if (!message) break;
      messages.push(message);
      if (finish !== 'tool_calls') break;
      for (const call of message.tool_calls ?? []) {
        if (call.type !== 'function') continue;
        const { command } = JSON.parse(call.function.arguments) as { command: string };
        commands.push(command);
        messages.push({ role: 'tool', tool_call_id: call.id, content: command.includes(ANSWER_FILE) ? '# Demo answer\n\nSummarize the project' : 'README.md' });
      }
    }
    expect(commands).toHaveLength(2);
    expect(commands[1]).toContain(ANSWER_FILE);
    expect(messages.at(-1)?.content).toMatch(/^Demo answer: I called `bash` \(2 calls\)[^]*# Demo answer[^]*answer\.md/);
  });

  test('gets a streamed tool call that comes together', async () => {
    const stream = openai.chat.completions.stream({
      model: 'gpt-5',
      messages: [{ role: 'user', content: 'get the weather in "Porto"' }],
      tools: [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } } }],
    });
    const [choice] = (await stream.finalChatCompletion()).choices;
    expect(choice?.finish_reason).toBe('tool_calls');
    const [call] = choice?.message.tool_calls ?? [];
    expect(call).toMatchObject({ type: 'function', function: { name: 'get_weather', arguments: '{"city":"Porto"}' } });
  });

  test('gets the same response whole and streamed', async () => {
    const question = { model: 'gpt-6-sol', instructions: 'Be brief.', input: 'Hello there' };
    const whole = await openai.responses.create(question);
    expect(whole).toMatchObject({ status: 'completed', output_text: expect.stringMatching(/^Demo answer: /) });
    expect(whole.usage?.total_tokens).toBe((whole.usage?.input_tokens ?? 0) + (whole.usage?.output_tokens ?? 0));
    const stream = openai.responses.stream(question);
    const deltas: string[] = [];
    const numbers: number[] = [];
    for await (const event of stream) {
      numbers.push(event.sequence_number);
      if (event.type === 'response.output_text.delta') deltas.push(event.delta);
    }
    expect(deltas.join('')).toBe(whole.output_text);
    expect(numbers).toEqual(numbers.map((_, index) => index));
    expect((await stream.finalResponse()).usage).toEqual(whole.usage);
  });

  test('runs a loop of streamed responses with a shell to its end', async () => {
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'Find out what is here' }];
    let last: OpenAI.Responses.Response | undefined;
    for (let turn = 0; turn < 10; turn++) {
      last = await openai.responses.stream({ model: 'gpt-6-sol', input, tools: [{ type: 'function', name: 'bash', parameters: BASH_SCHEMA, strict: true }] }).finalResponse();
      const calls = last.output.filter((item) => item.type === 'function_call');
      if (calls.length === 0) break;
      for (const { call_id, name, arguments: given } of calls) input.push({ type: 'function_call', call_id, name, arguments: given }, { type: 'function_call_output', call_id, output: `ran ${given}` });
    }
    expect(input).toHaveLength(3);
    expect(last?.output_text).toMatch(/^Demo answer: I called `bash` \(1 call\)/);
  });

  test('gets an answer cut at its limit', async () => {
    const chat = await openai.chat.completions.create({ model: 'gpt-6-sol', max_completion_tokens: 3, messages: [{ role: 'user', content: 'Hi' }] });
    expect(chat.choices[0]).toMatchObject({ finish_reason: 'length', message: { content: 'Demo answer:' } });
    expect(chat.usage?.completion_tokens).toBe(3);
    const response = await openai.responses.create({ model: 'gpt-6-sol', max_output_tokens: 16, input: 'Hi' });
    expect(response).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } });
  });

  test('gets JSON of the schema that it asks for', async () => {
    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false };
    const chat = await openai.chat.completions.create({ model: 'gpt-6-sol', messages: [{ role: 'user', content: 'the city is "Faro"' }], response_format: { type: 'json_schema', json_schema: { name: 'place', strict: true, schema } } });
    expect(JSON.parse(chat.choices[0]?.message.content ?? '')).toEqual({ city: 'Faro' });
  });

  test('gets embeddings, in either encoding and of the wanted size', async () => {
    const input = ['renew my passport', 'renewing the passport', 'flour and water'];
    const plain = await openai.embeddings.create({ model: 'text-embedding-3-small', input, encoding_format: 'float' });
    const packed = await openai.embeddings.create({ model: 'text-embedding-3-small', input });
    const [passport = [], same = [], bread = []] = plain.data.map(({ embedding }) => embedding);
    const nearness = (one: number[], other: number[]): number => one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
    expect(passport).toHaveLength(1536);
    expect(nearness(passport, same)).toBeGreaterThan(nearness(passport, bread) + 0.2);
    expect(packed.data[0]?.embedding[0]).toBeCloseTo(passport[0] ?? NaN, 6);
    expect(plain.usage.total_tokens).toBe(plain.usage.prompt_tokens);
    expect((await openai.embeddings.create({ model: 'text-embedding-3-large', input: 'x', dimensions: 64 })).data[0]?.embedding).toHaveLength(64);
  });

  test('is refused as by the real one', async () => {
    const ask = (model: string, content: string) => ({ model, messages: [{ role: 'user' as const, content }] });
    const stranger = new OpenAI({ apiKey: 'sk-proj-made-up', baseURL: `${demo.url}/v1`, maxRetries: 0 });
    await expect(stranger.models.list()).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
    await expect(openai.chat.completions.create(ask('unknown-model', 'Hi'))).rejects.toMatchObject({ status: 404, code: 'model_not_found', param: 'model' });
    await expect(openai.chat.completions.create(ask('claude-sonnet-5', 'Hi'))).rejects.toMatchObject({ status: 404 });
    await expect(openai.chat.completions.create({ model: 'gpt-6-sol', messages: [] })).rejects.toMatchObject({ status: 400, param: 'messages', type: 'invalid_request_error' });
    await expect(openai.chat.completions.create({ ...ask('gpt-6-sol', 'Hi'), max_tokens: 5 })).rejects.toMatchObject({ status: 400, code: 'unsupported_parameter', param: 'max_tokens' });
    await expect(openai.embeddings.create({ model: 'text-embedding-3-small', input: '' })).rejects.toMatchObject({ status: 400 });
    await expect(openai.images.generate({ prompt: 'a cat' })).rejects.toMatchObject({ status: 404, code: 'unknown_url' });
  });

  test('may leave in the middle of an answer', async () => {
    const slow = new OpenAI({ apiKey: 'sk-demo', baseURL: `${demo.url}/v1`, maxRetries: 0 });
    const stream = await slow.chat.completions.create({ model: 'gpt-6-sol', stream: true, messages: [{ role: 'user', content: 'a long story of 4000 words' }] });
    let seen = 0;
    for await (const chunk of stream) {
      expect(chunk.choices[0]?.finish_reason).toBeNull();
      if (++seen === 3) stream.controller.abort();
    }
    expect(seen).toBe(3);
    expect((await openai.models.list()).data.length).toBeGreaterThan(0);
  });
});

describe('the Anthropic client', () => {
  const question = { model: 'claude-sonnet-5', max_tokens: 500, messages: [{ role: 'user' as const, content: 'Make me a list' }] };

  test('lists the models of the catalogue, labelled demo', async () => {
    const page = await anthropic.models.list({ limit: 1 });
    expect(page.data).toHaveLength(1);
    expect(page.data[0]?.display_name).toMatch(/\(demo\)$/);
    const ids: string[] = [];
    for await (const model of page) ids.push(model.id);
    expect(ids).toContain('claude-sonnet-5');
    expect((await anthropic.models.retrieve('claude-sonnet-5')).id).toBe('claude-sonnet-5');
  });

  test('gets the same message whole and streamed, and its input counted the same beforehand', async () => {
    const whole = await anthropic.messages.create(question);
    expect(whole.content).toMatchObject([{ type: 'text', text: expect.stringMatching(/^Demo answer: [^]*\n1\. /) }]);
    expect(whole.stop_reason).toBe('end_turn');
    const streamed = await anthropic.messages.stream(question).finalMessage();
    expect(streamed.content).toEqual(whole.content);
    expect(streamed.usage).toMatchObject({ input_tokens: whole.usage.input_tokens, output_tokens: whole.usage.output_tokens });
    expect((await anthropic.messages.countTokens({ model: question.model, messages: question.messages })).input_tokens).toBe(whole.usage.input_tokens);
  });

  test('runs a loop with a shell to its end', async () => {
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Look around' }];
    let last: Anthropic.Message | undefined;
    for (let turn = 0; turn < 10; turn++) {
      last = await anthropic.messages.stream({ ...question, messages, tools: [{ name: 'bash', input_schema: BASH_SCHEMA }] }).finalMessage();
      messages.push({ role: 'assistant', content: last.content });
      if (last.stop_reason !== 'tool_use') break;
      messages.push({ role: 'user', content: last.content.flatMap((block) => (block.type === 'tool_use' ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: `ran ${JSON.stringify(block.input)}` }] : [])) });
    }
    expect(messages).toHaveLength(4);
    expect(last?.content[0]).toMatchObject({ type: 'text', text: expect.stringMatching(/^Demo answer: I called `bash` \(1 call\)/) });
  });

  test('gets an answer cut at its limit or at a stop sequence', async () => {
    expect(await anthropic.messages.create({ ...question, max_tokens: 2 })).toMatchObject({ stop_reason: 'max_tokens', usage: { output_tokens: 2 } });
    expect(await anthropic.messages.create({ ...question, stop_sequences: ['markdown'] })).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: 'markdown', content: [{ text: 'Demo answer: Here is some ' }] });
  });

  test('is refused as by the real one', async () => {
    const stranger = new Anthropic({ apiKey: 'sk-ant-made-up', baseURL: demo.url, maxRetries: 0 });
    await expect(stranger.models.list()).rejects.toMatchObject({ status: 401, error: { error: { type: 'authentication_error' } } });
    await expect(anthropic.messages.create({ ...question, model: 'unknown-model' })).rejects.toMatchObject({ status: 404, error: { error: { type: 'not_found_error' } } });
    await expect(anthropic.messages.create({ ...question, max_tokens: -1 })).rejects.toMatchObject({ status: 400, error: { error: { type: 'invalid_request_error' } } });
    await expect(anthropic.messages.create({ ...question, messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'x' }] }] })).rejects.toMatchObject({ status: 400 });
  });
});

describe('a coding agent', () => {
  const post = async (path: string, headers: Record<string, string>, body: object): Promise<{ status: number; json: Record<string, unknown> }> => {
    const response = await fetch(`${demo.url}${path}`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });
    return { status: response.status, json: (await response.json()) as Record<string, unknown> };
  };

  test('that sends what Claude Code sends holds a conversation with tools', async () => {
    const betas = 'claude-code-20250219,interleaved-thinking-2025-05-14,thinking-token-count-2026-05-13,context-management-2025-06-27,prompt-caching-scope-2026-01-05,mid-conversation-system-2026-04-07,effort-2025-11-24';
    const headers = { 'x-api-key': 'sk-ant-demo', 'anthropic-version': '2023-06-01', 'anthropic-beta': betas };
    const messages: object[] = [
      { role: 'user', content: [{ type: 'text', text: '<system-reminder>\nThe list of code is long.\n</system-reminder>\n' }, { type: 'text', text: 'What is here?' }] },
      { role: 'system', content: 'The date is Monday.' },
    ];
    const body = {
      model: 'claude-sonnet-5', max_tokens: 32_000, stream: false, metadata: { user_id: 'u' }, thinking: { type: 'adaptive' }, output_config: { effort: 'high' },
      context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
      system: [{ type: 'text', text: 'You are a coding agent.', cache_control: { type: 'ephemeral', scope: 'global' } }],
      tools: [{ name: 'Bash', description: 'x', input_schema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] } }, { name: 'Write', input_schema: { type: 'object' } }],
    };
    expect((await post('/v1/messages/count_tokens', headers, { model: body.model, system: body.system, tools: body.tools, messages })).json).toEqual({ input_tokens: expect.any(Number) });
    const { json: called } = await post('/v1/messages?beta=true', headers, { ...body, messages });
    expect(called).toMatchObject({ stop_reason: 'tool_use', content: [{ type: 'tool_use', name: 'Bash', input: { command: 'pwd && ls' } }] });
    const [call] = called['content'] as { id: string }[];
    messages.push({ role: 'assistant', content: called['content'] }, { role: 'user', content: [{ type: 'tool_result', tool_use_id: call?.id, content: '/home/ann\nREADME.md' }] });
    const { json: answered } = await post('/v1/messages?beta=true', headers, { ...body, messages });
    expect(answered).toMatchObject({ stop_reason: 'end_turn', content: [{ text: expect.stringMatching(/^Demo answer: I called `Bash` \(1 call\)[^]*README\.md/) }] });
    messages.push({ role: 'assistant', content: answered['content'] }, { role: 'user', content: 'And again?' });
    expect((await post('/v1/messages?beta=true', headers, { ...body, messages })).json).toMatchObject({ stop_reason: 'tool_use' });
  });

  test('that sends what Codex sends holds a conversation with tools', async () => {
    const headers = { authorization: 'Bearer sk-demo' };
    const user = (text: string): object => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
    const input: object[] = [{ type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Be safe.' }] }, user('<environment_context><cwd>/home/ann</cwd></environment_context>'), user('What is here?')];
    const body = {
      model: 'gpt-6-sol', instructions: 'You are a coding agent.', stream: false, store: false, parallel_tool_calls: true, tool_choice: 'auto', include: ['reasoning.encrypted_content'], prompt_cache_key: 'k', reasoning: { effort: 'medium', summary: 'auto' }, text: { verbosity: 'low' },
      tools: [
        { type: 'function', name: 'exec_command', strict: false, parameters: { type: 'object', properties: { cmd: { type: 'string' } }, required: ['cmd'] } },
        { type: 'custom', name: 'apply_patch', format: { type: 'text' } },
        { type: 'web_search' },
        { type: 'namespace', name: 'mcp__apps', description: 'Apps', tools: [{ type: 'function', name: 'list_issues', strict: false, parameters: { type: 'object', properties: {} } }] },
      ],
    };
    const turn = async (): Promise<{ type: string; call_id: string }[]> => (await post('/v1/responses', headers, { ...body, input })).json['output'] as { type: string; call_id: string }[];
    const first = await turn();
    expect(first).toMatchObject([{ type: 'function_call', name: 'exec_command', arguments: '{"cmd":"pwd && ls"}' }]);
    input.push(...first, { type: 'function_call_output', call_id: first[0]?.call_id, output: 'README.md' });
    const second = await turn();
    expect(second).toMatchObject([{ type: 'message', content: [{ text: expect.stringContaining('I called `exec_command` (1 call)') }] }]);
    input.push(...second, user('Now list the issues'));
    expect(await turn()).toMatchObject([{ type: 'function_call', name: 'list_issues', namespace: 'mcp__apps' }]);
  });
});

describe('a plain client', () => {
  const headers = { authorization: 'Bearer sk-demo', 'content-type': 'application/json' };
  const post = (body: string) => fetch(`${demo.url}/v1/chat/completions`, { method: 'POST', headers, body });

  test('is told what is wrong with a body or a method', async () => {
    const broken = await post('{"model":');
    expect([broken.status, await broken.json()]).toEqual([400, { error: expect.objectContaining({ type: 'invalid_request_error' }) }]);
    expect((await fetch(`${demo.url}/v1/chat/completions`, { headers })).status).toBe(405);
  });

  test('may send a prompt of 10 MB, but not a body of 33 MB', async () => {
    const prompt = (size: number): string => JSON.stringify({ model: 'gpt-6-sol', messages: [{ role: 'user', content: 'word '.repeat(size / 5) }] });
    const long = await post(prompt(10_000_000));
    expect(long.status).toBe(200);
    const { usage } = (await long.json()) as { usage: { prompt_tokens: number } };
    expect(usage.prompt_tokens).toBeGreaterThan(2_000_000);
    const huge = await post(prompt(33 * 1024 * 1024));
    expect(huge.status).toBe(413);
    await huge.body?.cancel();
  });

  test('finds every answer marked as a demo, and health without a key', async () => {
    expect((await fetch(`${demo.url}/healthz`)).status).toBe(200);
    const answer = await fetch(`${demo.url}//`, { headers });
    expect([answer.status, answer.headers.get('x-demo-model')]).toEqual([404, '1']);
  });
});

test('the process stops when it is told to', async () => {
  const other = await startDemoProviders();
  expect(await other.stop()).toBe(0);
});
