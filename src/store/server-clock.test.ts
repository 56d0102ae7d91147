import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createServerClock } from './server-clock.ts';

const NOW = Date.UTC(2026, 0, 1);
beforeEach(() => void vi.useFakeTimers({ now: NOW }));
afterEach(() => void vi.useRealTimers());

it('is the machine’s time until the clocks were compared, and where they agree', () => {
  const clock = createServerClock();
  expect([clock.now().getTime(), clock.aheadMs()]).toEqual([NOW, 0]);
  clock.compare(NOW, NOW + 700, NOW + 1_000);
  clock.compare(NOW, NOW - 499, NOW);
  expect([clock.now().getTime(), clock.aheadMs()]).toEqual([NOW, 0]);
});

it.each([3_600_000, -90_000, 600])('is the server’s time on a machine that is %i ms ahead', (ahead) => {
  const clock = createServerClock();
  clock.compare(NOW - 5, NOW - ahead, NOW + 5);
  expect([clock.now().getTime(), clock.aheadMs()]).toEqual([NOW - ahead, ahead]);
});

it('learns nothing from an answer that was slow, or that came before it was asked for', () => {
  const clock = createServerClock();
  clock.compare(NOW, NOW - 60_000, NOW);
  clock.compare(NOW, NOW, NOW + 2_001);
  clock.compare(NOW, NOW, NOW - 1);
  expect(clock.aheadMs()).toBe(60_000);
  clock.compare(NOW, NOW, NOW);
  expect(clock.aheadMs()).toBe(0);
});
