import { expect, it } from 'vitest';
import { createAlarm } from './alarm.ts';

it('wakes a waiter, or is kept once for the next one', async () => {
  const alarm = createAlarm();
  const waiting = alarm.wait(60_000);
  alarm.ring();
  expect(await waiting).toBe(true);
  alarm.ring();
  alarm.ring();
  expect(await alarm.wait(60_000)).toBe(true);
  expect(await alarm.wait(1)).toBe(false);
});
