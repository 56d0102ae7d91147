import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadModels } from '../catalog/load-models.ts';
import { findModel } from '../catalog/model-catalog.ts';
import type { NeutralRequest } from '../model-providers/codecs/neutral.ts';
import { costOf, type TokensUsed } from './estimate-cost.ts';
import { isWorthCaching } from './worth-caching.ts';

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'users', 'chat-api.md');
const price = findModel(loadModels(undefined), 'anthropic/claude-sonnet-4-5')?.providers[0]?.price;
if (!price) throw new Error('the catalogue has no price');

const ASKED: NeutralRequest = {
  model: 'm',
  system: [],
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'a' }] }],
  tools: [{ name: 'f', schema: {} }],
  stop: [],
  stream: true,
};
const LOOP: NeutralRequest = {
  ...ASKED,
  messages: [...ASKED.messages, { role: 'assistant', parts: [{ type: 'text', text: 'b' }] }],
};

it('caches what an agent sends again, where one reading saves more than the writing costs', () => {
  expect(isWorthCaching(LOOP, price)).toBe(true);
  expect(isWorthCaching(ASKED, price)).toBe(false);
  expect(isWorthCaching({ ...LOOP, tools: [] }, price)).toBe(false);
  expect(isWorthCaching(LOOP, { ...price, cacheRead: price.input, cacheWrite: price.input })).toBe(false);
  expect(isWorthCaching(LOOP, { ...price, cacheWrite: 2 * price.input })).toBe(false);
});

/** The prompt of each request of an agent's session. */
const SESSION = Array.from({ length: 20 }, (_, step) => 14_000 + step * 2_000);
const ANSWER = 400;

it('makes a session of an agent as much cheaper as the page says', () => {
  const plain = (inputTokens: number): TokensUsed => ({
    inputTokens,
    outputTokens: ANSWER,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
  });
  const dollars = (used: readonly TokensUsed[]): string =>
    `$${(used.reduce((sum, one) => sum + costOf(price, one), 0) / 1e6).toFixed(2)}`;
  // The first request is not marked, the second writes all of it, and each later one reads what was written before.
  const cached = SESSION.map((inputTokens, step) => {
    const cacheReadTokens = step < 2 ? 0 : (SESSION[step - 1] ?? 0);
    return step === 0
      ? plain(inputTokens)
      : { ...plain(inputTokens), cacheReadTokens, cacheWriteTokens: inputTokens - cacheReadTokens };
  });
  expect(readFileSync(PAGE, 'utf8')).toContain(
    `costs ${dollars(SESSION.map(plain))} without the cache and ${dollars(cached)} with it`,
  );
});
