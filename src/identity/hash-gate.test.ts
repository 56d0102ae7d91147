import { expect, it } from 'vitest';
import { outcome } from '../../test/support/people.ts';
import { createHashGate } from './hash-gate.ts';

const OPTIONS = { atOnce: 2, waitingMax: 4, waitingMaxPerCaller: 3 };

/** Work that ends when it is told to, and a note of the order in which work began. */
function stage() {
  const gate = createHashGate(OPTIONS);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (caller: string): Promise<string> => outcome(gate.run(caller, () => new Promise<void>((end) => (begun.push(caller), ends.push(end)))));
  const turn = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { ask, begun, turn };
}

it('runs a few at once and refuses whoever finds the line full', async () => {
  const { ask, begun, turn } = stage();
  const asked = ['a', 'b', 'c', 'd', 'e', 'f'].map(ask);
  expect(await ask('g')).toBe('rate_limited');
  expect(begun).toEqual(['a', 'b']);
  for (let i = 0; i < 6; i++) await turn();
  expect(await Promise.all(asked)).toEqual(Array(6).fill('ok'));
  const again = ask('g');
  await turn();
  expect(await again).toBe('ok');
});

it('gives one caller few places, and lets callers take turns', async () => {
  const { ask, begun, turn } = stage();
  const asked = ['a', 'a', 'a', 'a', 'a'].map(ask);
  expect(await ask('a')).toBe('rate_limited');
  asked.push(ask('b'));
  for (let i = 0; i < 6; i++) await turn();
  expect(await Promise.all(asked)).toEqual(Array(6).fill('ok'));
  expect(begun).toEqual(['a', 'a', 'a', 'b', 'a', 'a']);
});

it('goes on after work that failed', async () => {
  const gate = createHashGate({ atOnce: 1, waitingMax: 1, waitingMaxPerCaller: 1 });
  await expect(gate.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await gate.run('a', async () => 'yes')).toBe('yes');
});
