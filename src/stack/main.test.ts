import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { listenForStop } from './main.ts';

const listen = (): { on: EventEmitter; at(ms: number): void } & ReturnType<typeof listenForStop> => {
  const on = new EventEmitter();
  let now = 0;
  return { on, at: (ms) => void (now = ms), ...listenForStop(on as NodeJS.Process, () => now) };
};

describe('a request to stop', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'])('is %s', (event) => {
    const { on, stop, kill } = listen();
    on.emit(event);
    expect([stop.aborted, kill.aborted]).toEqual([true, false]);
  });

  it('means at once the second time, but not when npm passes the same press on', () => {
    const { on, at, kill } = listen();
    on.emit('SIGINT');
    at(20);
    on.emit('SIGINT');
    expect(kill.aborted).toBe(false);
    at(900);
    on.emit('SIGINT');
    expect(kill.aborted).toBe(true);
  });
});
