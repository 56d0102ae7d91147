import { expect, it } from 'vitest';
import type { ListedModel } from '../../../../src/contract/models.ts';
import type { Message, MessageMetadata, MessagePart } from '../../../../src/contract/threads.ts';
import { measureContext, priceNext, roomierModels } from './context-meter-figures.ts';

const text = (value: string): MessagePart => ({ type: 'text', text: value });
const message = (role: Message['role'], value: string, metadata: MessageMetadata = {}): Message => ({
  id: value.slice(0, 8),
  role,
  parts: [text(value)],
  metadata,
  createdAt: '',
});
const price = (provider: string, input: number, output: number) => ({
  provider,
  input,
  output,
  cacheRead: input / 10,
  cacheWrite: input,
  source: '',
});
const model = (id: string, changed: Partial<ListedModel> = {}): ListedModel => ({
  id,
  name: id.toUpperCase(),
  modality: 'chat',
  providers: ['openai'],
  zdr: {},
  contextWindow: 20_000,
  maxOutputTokens: 10_000,
  price: { input: 2, output: 10 },
  prices: [price('openai', 2, 10)],
  allowed: true,
  denials: [],
  hasProviderKey: false,
  takesOwnKey: true,
  forRuns: true,
  credential: 'platform',
  capabilities: { images: true, pdf: true, tools: true, efforts: [], temperature: true },
  ...changed,
});
const small = model('small');
const BUDGET = (20_000 - 8_192) * 3;
const NOTHING = { text: '', files: [] };
const answered = (context: MessageMetadata['context'], more: MessageMetadata = {}): Message[] => [
  message('user', 'q'.repeat(300)),
  message('assistant', 'a'.repeat(600), { model: 'small', provider: 'openai', context, ...more }),
];
const context = { instructions: 90, files: 900, history: 3_000, question: 300, leftOut: 0 };
const list = (...models: ListedModel[]) => ({ models, demo: false });

it('adds the draft and what was said since to what the model was last given', () => {
  const figures = measureContext(
    [...answered(context), message('user', 'ä')],
    { text: 'ü', files: [{ type: 'image/png', size: 9 }] },
    small,
  );
  expect(figures).toEqual({
    parts: { instructions: 90, files: 900, history: 3_000 + 300 + 600 + 2, draft: 2, attachments: 12_000 },
    used: 16_894,
    budget: BUDGET,
    state: 'fine',
    leftOut: 0,
  });
});

it('counts a question without an answer once', () => {
  const asked = message('user', 'q'.repeat(300), { context });
  expect(measureContext([asked], NOTHING, small).parts.history).toBe(3_300);
});

it('weighs a new chat by its draft and the instructions of its project', () => {
  const { parts, used } = measureContext([], { text: 'hello', files: [] }, small, 'Be brief.');
  expect({ instructions: parts.instructions, used }).toEqual({ instructions: 9, used: 14 });
});

it.each([
  [BUDGET - 10_000, 'fine'],
  [BUDGET - 5_000, 'near'],
  [BUDGET, 'near'],
  [BUDGET + 1, 'cuts'],
] as const)('warns before messages are left out: %i bytes are %s', (bytes, state) => {
  const figures = measureContext([message('assistant', 'x'.repeat(bytes - 3))], { text: 'abc', files: [] }, small);
  expect(figures.state).toBe(state);
  expect(figures.used).toBe(Math.min(bytes, BUDGET));
});

it('says that a message alone is too long, but not because of its files, which are weighed roughly', () => {
  const long = { text: 'x'.repeat(BUDGET + 1), files: [] };
  expect(measureContext([], long, small).state).toBe('too-long');
  const file = { text: '', files: [{ type: 'application/pdf', size: BUDGET + 1 }] };
  expect(measureContext([], file, small).state).toBe('cuts');
});

it('says how many messages were left out, until another model has room for all', () => {
  const messages = [message('user', 'x'.repeat(BUDGET)), ...answered({ ...context, leftOut: 7 })];
  expect(measureContext(messages, NOTHING, small)).toMatchObject({ state: 'cuts', leftOut: 7, used: BUDGET });
  const large = model('large', { contextWindow: 200_000 });
  expect(measureContext(messages, NOTHING, large)).toMatchObject({ state: 'fine', leftOut: 0 });
});

it('takes a long message by its whole size', () => {
  const long = { ...message('assistant', 'beginning'), wholeBytes: 500 };
  expect(measureContext([long], NOTHING, small).parts.history).toBe(500);
});

it('prices the next message by what the last one used, with its cache and the usual length of answers', () => {
  const messages = answered(context, { inputTokens: 1_000, cachedTokens: 400, outputTokens: 200 });
  const figures = measureContext(messages, { text: 'x'.repeat(300), files: [] }, small);
  // 1,000 were counted; the answer has 200 and the draft 100 by the estimate.
  expect(priceNext(messages, figures, small, list(small))).toEqual({
    kind: 'platform',
    inputTokens: 1_300,
    cachedTokens: 400,
    outputTokens: 200,
    cost: (900 * 2 + 400 * 0.2 + 200 * 10) / 1e6,
    at: undefined,
  });
});

it('prices long input at its own rate', () => {
  const long = model('long', {
    contextWindow: 1_000_000,
    prices: [{ ...price('openai', 2, 10), longInput: { ...price('openai', 4, 20), aboveTokens: 1_000 } }],
  });
  const figures = measureContext([], { text: 'x'.repeat(6_000), files: [] }, long);
  expect(priceNext([], figures, long, list(long))).toMatchObject({ cost: (2_000 * 4 + 500 * 20) / 1e6 });
});

it('takes the lowest price of what may answer and names it, or the price of what did', () => {
  const auto = model('auto', { prices: [price('openai', 2, 10), price('anthropic', 1, 5)] });
  const figures = measureContext([], { text: 'x'.repeat(3), files: [] }, auto);
  expect(priceNext([], figures, auto, list(auto))).toMatchObject({ at: 'anthropic', cost: (1 + 2_500) / 1e6 });
  const messages = answered(context, { model: 'auto', inputTokens: 1_000, outputTokens: 100 });
  expect(priceNext(messages, measureContext(messages, NOTHING, auto), auto, list(auto))).toMatchObject({
    at: 'openai',
  });
  const cheap = model('cheap', { prices: [price('openai', 0.5, 1)] });
  const unpaid = model('unpaid', { prices: [price('google', 0, 0)], credential: null });
  const route = model('route', { models: ['small', 'cheap', 'unpaid'], price: null, prices: [] });
  expect(priceNext([], figures, route, list(small, cheap, unpaid, route))).toMatchObject({ at: 'CHEAP' });
});

it('knows no price of demo models, of an account, and of a model without one', () => {
  const figures = measureContext([], NOTHING, small);
  expect(priceNext([], figures, small, { models: [small], demo: true })).toEqual({ kind: 'demo' });
  const atAccount = model('account', { credential: 'models-account' });
  expect(priceNext([], figures, atAccount, list(atAccount))).toEqual({ kind: 'unknown' });
  const unlisted = model('unlisted', { prices: [] });
  expect(priceNext([], figures, unlisted, list(unlisted))).toEqual({ kind: 'unknown' });
  const own = model('own', { credential: 'own-key' });
  expect(priceNext([], figures, own, list(own))).toMatchObject({ kind: 'own-key' });
});

it('offers models with more room that can be used, the cheapest first', () => {
  const large = model('large', { contextWindow: 200_000 });
  const cheap = model('cheap', { contextWindow: 100_000, price: { input: 1, output: 1 } });
  const denied = model('denied', { contextWindow: 200_000, allowed: false });
  expect(roomierModels([small, large, cheap, denied], small).map(({ id }) => id)).toEqual(['cheap', 'large']);
});
