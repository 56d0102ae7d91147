import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchSilence } from './watch-silence.ts';

const AFTER_MS = 15_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open(): { connection: { bytesWritten: number; writableNeedDrain: boolean; destroy(): void }; at: number[] } {
  return { connection: { bytesWritten: 0, writableNeedDrain: false, destroy: () => {} }, at: [] };
}

it('reports a silence after its time, whenever it began, and then at every such time that it goes on', async () => {
  const { watch } = watchSilence(AFTER_MS);
  watch(open().connection, () => {});
  await vi.advanceTimersByTimeAsync(400);
  const { connection, at } = open();
  const begunAt = Date.now();
  watch(connection, () => {
    at.push(Date.now() - begunAt);
    connection.bytesWritten += 4;
  });
  await vi.advanceTimersByTimeAsync(50_000);
  expect(at).toHaveLength(3);
  expect(at[0]).toBeGreaterThanOrEqual(AFTER_MS);
  expect(at[0]).toBeLessThanOrEqual(AFTER_MS + 1_000);
  expect([at[1], at[2]].map((time, index) => (time ?? 0) - (at[index] ?? 0))).toEqual([AFTER_MS, AFTER_MS]);
});

it('counts from the last write', async () => {
  const { watch } = watchSilence(AFTER_MS);
  const { connection, at } = open();
  watch(connection, () => at.push(Date.now()));
  for (let second = 0; second < 60; second += 10) {
    await vi.advanceTimersByTimeAsync(10_000);
    connection.bytesWritten += 100;
  }
  expect(at).toEqual([]);
  const wroteAt = Date.now();
  await vi.advanceTimersByTimeAsync(17_000);
  expect(at).toHaveLength(1);
  expect((at[0] ?? 0) - wroteAt).toBeGreaterThanOrEqual(AFTER_MS);
});

it('leaves alone a client that has not read what was sent, and one that is no longer watched', async () => {
  const { watch } = watchSilence(AFTER_MS);
  const [slow, gone] = [open(), open()];
  slow.connection.writableNeedDrain = true;
  watch(slow.connection, () => slow.at.push(1));
  watch(gone.connection, () => gone.at.push(1))();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([slow.at, gone.at]).toEqual([[], []]);
});

it('keeps one timer for all, and none while nothing is watched', () => {
  const { watch } = watchSilence(AFTER_MS);
  const ends = Array.from({ length: 100 }, () => watch(open().connection, () => {}));
  expect(vi.getTimerCount()).toBe(1);
  for (const end of ends) end();
  expect(vi.getTimerCount()).toBe(0);
});
