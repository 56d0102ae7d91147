import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchSenders } from './watch-senders.ts';

const PACE = { silentMs: 10_000, leastBytes: 4_096 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function sender() {
  const one = { bytes: 0, late: vi.fn<() => void>(), received: () => one.bytes, excused: false };
  return one;
}

it('notices a sender that has been silent for the whole time, once', () => {
  const watch = watchSenders(PACE);
  const [silent, steady] = [sender(), sender()];
  watch.watch(silent);
  watch.watch(steady);
  for (let second = 0; second < 30; second++) {
    steady.bytes += 1_000;
    vi.advanceTimersByTime(1_000);
    expect(silent.late).toHaveBeenCalledTimes(second < 10 ? 0 : 1);
  }
  expect(steady.late).not.toHaveBeenCalled();
});

it('notices one that sends a byte now and then', () => {
  const watch = watchSenders(PACE);
  const slow = sender();
  watch.watch(slow);
  for (let second = 0; second < 12; second++) {
    slow.bytes += 1;
    vi.advanceTimersByTime(1_000);
  }
  expect(slow.late).toHaveBeenCalledOnce();
});

it('a sender that is kept waiting by us is not late, nor one whose body has arrived', () => {
  const watch = watchSenders(PACE);
  const [excused, done] = [sender(), sender()];
  excused.excused = true;
  watch.watch(excused);
  watch.watch(done);
  watch.unwatch(done);
  vi.advanceTimersByTime(60_000);
  expect([excused.late.mock.calls.length, done.late.mock.calls.length]).toEqual([0, 0]);
  excused.excused = false;
  vi.advanceTimersByTime(20_000);
  expect(excused.late).toHaveBeenCalledOnce();
});
