// What the encoders write, read by the official clients: streams and whole answers of every surface are replayed by
// a local server and accumulated by the clients' own parsers.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Anthropic from '@anthropic-ai/sdk';
import fc from 'fast-check';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { neutralAnswer, toEvents, type NeutralAnswer } from '../../../test/support/models/neutral-answers.ts';
import { AppError } from '../../base/errors.ts';
import { collectResponse } from './collect-response.ts';
import { createStreamEncoder, encodeResponse, type Answer } from './encode-answer.ts';
import { encodeAnthropicError, encodeOpenAiError } from './encode-error.ts';
import type { NeutralEvent, OutputPart, Protocol } from './neutral.ts';

let reply: { status: number; type: string; body: string } = { status: 200, type: '', body: '' };
let server: Server;
let openai: OpenAI;
let anthropic: Anthropic;

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    response.writeHead(reply.status, { 'content-type': reply.type }).end(reply.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  openai = new OpenAI({ apiKey: 'none', baseURL: `${origin}/v1`, maxRetries: 0 });
  anthropic = new Anthropic({ apiKey: 'none', baseURL: origin, maxRetries: 0 });
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const ANSWER: Answer = {
  key: 'abc',
  model: 'asked-model',
  createdSeconds: 1_700_000_000,
  includeUsage: true,
  request: { model: 'asked-model', instructions: 'be kind', tools: [], metadata: { a: 'b' } },
};

function serveStream(surface: Protocol, events: readonly NeutralEvent[]): void {
  const encoder = createStreamEncoder(surface, ANSWER);
  reply = { status: 200, type: 'text/event-stream', body: events.map((event) => encoder.encode(event)).join('') };
}

function serveWhole(surface: Protocol, events: readonly NeutralEvent[]): void {
  const response = collectResponse(events);
  if ('kind' in response) throw new Error(response.message);
  reply = { status: 200, type: 'application/json', body: encodeResponse(surface, response, ANSWER) };
}

const textOf = (parts: readonly OutputPart[]): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
const callsOf = (parts: readonly OutputPart[]): unknown[] =>
  parts.flatMap((part) =>
    part.type === 'tool-call' ? [{ id: part.id, name: part.name, input: JSON.parse(part.arguments) as unknown }] : [],
  );

const QUESTION = [{ role: 'user' as const, content: 'hi' }];
const CHAT_FINISH = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
  error: 'stop',
};
const STOP_REASON = {
  stop: 'end_turn',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  'content-filter': 'refusal',
  error: 'end_turn',
};

function expectChat(completion: OpenAI.ChatCompletion, { parts, usage, finish }: NeutralAnswer): void {
  const [choice] = completion.choices;
  expect(completion).toMatchObject({
    id: 'chatcmpl-abc',
    model: 'asked-model',
    object: 'chat.completion',
    created: 1_700_000_000,
  });
  expect(choice?.message.content ?? '').toBe(textOf(parts));
  expect(
    (choice?.message.tool_calls ?? []).map((call) =>
      call.type === 'function'
        ? { id: call.id, name: call.function.name, input: JSON.parse(call.function.arguments) as unknown }
        : call,
    ),
  ).toEqual(callsOf(parts));
  expect(choice?.finish_reason).toBe(CHAT_FINISH[finish]);
  expect(completion.usage).toMatchObject({
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: { cached_tokens: usage.cacheReadTokens, cache_write_tokens: usage.cacheWriteTokens },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  });
}

function expectMessage(message: Anthropic.Message, { parts, usage, finish }: NeutralAnswer): void {
  expect(message).toMatchObject({
    id: 'msg_abc',
    model: 'asked-model',
    role: 'assistant',
    type: 'message',
    stop_reason: STOP_REASON[finish],
  });
  expect(message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')).toBe(textOf(parts));
  expect(
    message.content.flatMap((block) =>
      block.type === 'tool_use' ? [{ id: block.id, name: block.name, input: block.input }] : [],
    ),
  ).toEqual(callsOf(parts));
  expect(message.usage).toMatchObject({
    input_tokens: usage.inputTokens - usage.cacheReadTokens - usage.cacheWriteTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens,
    output_tokens: usage.outputTokens,
  });
}

function expectResponse(response: OpenAI.Responses.Response, { parts, usage, finish }: NeutralAnswer): void {
  const incomplete = finish === 'length' || finish === 'content-filter';
  expect(response).toMatchObject({
    id: 'resp_abc',
    model: 'asked-model',
    object: 'response',
    status: incomplete ? 'incomplete' : 'completed',
    instructions: 'be kind',
    metadata: { a: 'b' },
    store: false,
  });
  expect(response.output_text).toBe(textOf(parts));
  expect(
    response.output.flatMap((item) =>
      item.type === 'function_call'
        ? [{ id: item.call_id, name: item.name, input: JSON.parse(item.arguments) as unknown }]
        : [],
    ),
  ).toEqual(callsOf(parts));
  expect(response.usage).toMatchObject({
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    input_tokens_details: { cached_tokens: usage.cacheReadTokens },
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  });
}

const RUNS = { numRuns: 25 };

describe('the official clients accumulate what the encoders stream', () => {
  test('Chat Completions', async () => {
    await fc.assert(
      fc.asyncProperty(neutralAnswer, async (answer) => {
        serveStream('chat', toEvents(answer));
        expectChat(
          await openai.chat.completions
            .stream({ model: 'm', messages: QUESTION, stream_options: { include_usage: true } })
            .finalChatCompletion(),
          answer,
        );
      }),
      RUNS,
    );
  });

  test('Messages', async () => {
    await fc.assert(
      fc.asyncProperty(neutralAnswer, async (answer) => {
        serveStream('messages', toEvents(answer));
        expectMessage(
          await anthropic.messages.stream({ model: 'm', max_tokens: 10, messages: QUESTION }).finalMessage(),
          answer,
        );
      }),
      RUNS,
    );
  });

  test('Responses', async () => {
    await fc.assert(
      fc.asyncProperty(neutralAnswer, async (answer) => {
        serveStream('responses', toEvents(answer));
        expectResponse(await openai.responses.stream({ model: 'm', input: 'hi' }).finalResponse(), answer);
      }),
      RUNS,
    );
  });

  test('reasoning with its signature, text and a call, on each surface', async () => {
    const answer: NeutralAnswer = {
      parts: [
        { type: 'reasoning', text: 'I should look it up.', signature: 'sig==' },
        { type: 'text', text: 'One moment.' },
        { type: 'tool-call', id: 'call_0', name: 'look_up', arguments: '{"q":"x"}' },
      ],
      usage: { inputTokens: 10, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 8 },
      finish: 'tool-calls',
    };
    serveStream('messages', toEvents(answer));
    const message = await anthropic.messages.stream({ model: 'm', max_tokens: 10, messages: QUESTION }).finalMessage();
    expect(message.content).toMatchObject([
      { type: 'thinking', thinking: 'I should look it up.', signature: 'sig==' },
      { type: 'text', text: 'One moment.' },
      { type: 'tool_use', input: { q: 'x' } },
    ]);
    serveStream('responses', toEvents(answer));
    const response = await openai.responses.stream({ model: 'm', input: 'hi' }).finalResponse();
    expect(response.output).toMatchObject([
      {
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'I should look it up.' }],
        encrypted_content: 'anthropic-signature:sig==',
      },
      { type: 'message', status: 'completed' },
      { type: 'function_call', status: 'completed', call_id: 'call_0' },
    ]);
    serveStream('chat', toEvents(answer));
    expectChat(await openai.chat.completions.stream({ model: 'm', messages: QUESTION }).finalChatCompletion(), answer);
  });

  test('redacted reasoning and refusals', async () => {
    const finish: NeutralEvent = { type: 'finish', reason: 'content-filter' };
    serveStream('messages', [{ type: 'reasoning-redacted', data: 'blob' }, { type: 'refusal', text: 'No.' }, finish]);
    expect(
      (await anthropic.messages.stream({ model: 'm', max_tokens: 10, messages: QUESTION }).finalMessage()).content,
    ).toMatchObject([
      { type: 'redacted_thinking', data: 'blob' },
      { type: 'text', text: 'No.' },
    ]);
    serveStream('responses', [{ type: 'reasoning-redacted', data: 'blob' }, { type: 'refusal', text: 'No.' }, finish]);
    expect((await openai.responses.stream({ model: 'm', input: 'hi' }).finalResponse()).output).toMatchObject([
      { type: 'reasoning', summary: [] },
      { type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] },
    ]);
    serveStream('chat', [{ type: 'refusal', text: 'N' }, { type: 'refusal', text: 'o.' }, finish]);
    expect(
      (await openai.chat.completions.stream({ model: 'm', messages: QUESTION }).finalChatCompletion()).choices[0]
        ?.message,
    ).toMatchObject({ refusal: 'No.' });
  });
});

describe('the official clients read whole answers', () => {
  test('of every surface', async () => {
    await fc.assert(
      fc.asyncProperty(neutralAnswer, async (answer) => {
        serveWhole('chat', toEvents(answer));
        expectChat(await openai.chat.completions.create({ model: 'm', messages: QUESTION }), answer);
        serveWhole('messages', toEvents(answer));
        expectMessage(await anthropic.messages.create({ model: 'm', max_tokens: 10, messages: QUESTION }), answer);
        serveWhole('responses', toEvents(answer));
        expectResponse(await openai.responses.create({ model: 'm', input: 'hi' }), answer);
      }),
      RUNS,
    );
  });
});

describe('the official clients see errors', () => {
  const broken: NeutralEvent[] = [
    { type: 'start', id: 'x', model: 'm' },
    { type: 'text', text: 'Hel' },
    { type: 'error', kind: 'overloaded', message: 'The provider is overloaded.' },
  ];

  test('in the middle of a stream', async () => {
    serveStream('chat', broken);
    await expect(
      openai.chat.completions.stream({ model: 'm', messages: QUESTION }).finalChatCompletion(),
    ).rejects.toMatchObject({
      code: 'server_is_overloaded',
      message: expect.stringContaining('The provider is overloaded.'),
    });
    serveStream('messages', broken);
    await expect(
      anthropic.messages.stream({ model: 'm', max_tokens: 10, messages: QUESTION }).finalMessage(),
    ).rejects.toMatchObject({
      error: { type: 'error', error: { type: 'overloaded_error', message: 'The provider is overloaded.' } },
    });
    serveStream('responses', broken);
    await expect(openai.responses.stream({ model: 'm', input: 'hi' }).finalResponse()).rejects.toMatchObject({
      code: 'server_is_overloaded',
    });
  });

  test('instead of an answer, with our code and the field at fault', async () => {
    const error = new AppError('invalid_request', { 'messages.0.role': 'must be one of user, assistant' });
    const forOpenAi = encodeOpenAiError(error);
    reply = { status: forOpenAi.status, type: 'application/json', body: JSON.stringify(forOpenAi.body) };
    await expect(openai.chat.completions.create({ model: 'm', messages: QUESTION })).rejects.toMatchObject({
      status: 400,
      code: 'invalid_request',
      param: 'messages.0.role',
      type: 'invalid_request_error',
    });
    const forAnthropic = encodeAnthropicError(new AppError('rate_limited'));
    reply = { status: forAnthropic.status, type: 'application/json', body: JSON.stringify(forAnthropic.body) };
    await expect(anthropic.messages.create({ model: 'm', max_tokens: 10, messages: QUESTION })).rejects.toMatchObject({
      status: 429,
      error: { type: 'error', error: { type: 'rate_limited' } },
    });
  });
});
