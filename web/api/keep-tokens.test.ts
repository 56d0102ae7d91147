import { describe, expect, it } from 'vitest';
import { createTokenKeeper, type MintedToken } from './keep-tokens.ts';

const MINUTE_MS = 60_000;

function stage() {
  let nowMs = 0;
  let minted = 0;
  const keeper = createTokenKeeper(() => nowMs);
  const mint = async (): Promise<MintedToken> => ({ token: `token-${++minted}`, expiresAtMs: nowMs + 15 * MINUTE_MS });
  return { keeper, get: (key = 'org') => keeper.get(key, mint), wait: (ms: number) => (nowMs += ms) };
}

describe('tokens of the page', () => {
  it('are reused until shortly before they expire', async () => {
    const { get, wait } = stage();
    expect(await get()).toBe('token-1');
    wait(13 * MINUTE_MS);
    expect(await get()).toBe('token-1');
    wait(1.5 * MINUTE_MS);
    expect(await Promise.all([get(), get()])).toEqual(['token-2', 'token-2']);
  });

  it('are shared by concurrent callers, per key', async () => {
    const { get } = stage();
    expect(await Promise.all([get(), get(), get('other')])).toEqual(['token-1', 'token-1', 'token-2']);
  });

  it('are replaced once the server has refused them', async () => {
    const { get, keeper } = stage();
    await get();
    keeper.drop('org');
    expect(await get()).toBe('token-2');
  });

  it('are requested again after a failure', async () => {
    const { keeper, get } = stage();
    await expect(keeper.get('org', () => Promise.reject(new Error('offline')))).rejects.toThrow('offline');
    expect(await get()).toBe('token-1');
  });
});
