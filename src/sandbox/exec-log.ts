// The output of a command, numbered from 0, so that a caller that lost the connection can resume. The log holds no more
// than the output limit; output beyond it is dropped, with one marker, but still read so that the command can end.
import { StringDecoder } from 'node:string_decoder';
import type { ExecEvent } from './protocol.ts';

type Unnumbered<E> = E extends { seq: number } ? Omit<E, 'seq'> : never;

export interface ExecLog {
  write(fd: 1 | 2, chunk: Buffer): void;
  end(event: Unnumbered<Extract<ExecEvent, { t: 'exit' }>>): void;
  /** Everything after the given number, as it arrives, up to the exit. */
  follow(after: number, signal: AbortSignal): AsyncGenerator<ExecEvent>;
  readonly ended: boolean;
  /** Called whenever the last follower leaves before the end. */
  onAbandoned: (() => void) | undefined;
  readonly followers: number;
}

/** Many small writes become one event. */
const FLUSH_MS = 5;
const FLUSH_BYTES = 32 * 1024;

export function createExecLog(execId: string, limitBytes: number): ExecLog {
  const events: ExecEvent[] = [{ seq: 0, t: 'start', exec: execId }];
  const decoders = { 1: new StringDecoder('utf8'), 2: new StringDecoder('utf8') };
  const waiting = new Set<() => void>();
  let pending: { fd: 1 | 2; text: string } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let bytes = 0;
  let truncated = false;
  let followers = 0;

  const add = (event: Unnumbered<ExecEvent>): void => {
    events.push({ seq: events.length, ...event });
    for (const wake of waiting) wake();
  };
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (pending !== undefined && pending.text !== '') add({ t: 'out', fd: pending.fd, d: pending.text });
    pending = undefined;
  };
  const buffer = (fd: 1 | 2, text: string): void => {
    if (pending !== undefined && pending.fd !== fd) flush();
    pending = { fd, text: (pending?.text ?? '') + text };
    if (pending.text.length >= FLUSH_BYTES) flush();
    else timer ??= setTimeout(flush, FLUSH_MS);
  };
  const hasEnded = (): boolean => events.at(-1)?.t === 'exit';

  const log: ExecLog = {
    onAbandoned: undefined,
    get ended() {
      return hasEnded();
    },
    get followers() {
      return followers;
    },
    write(fd, chunk) {
      if (truncated) return;
      const room = limitBytes - bytes;
      bytes += chunk.length;
      if (room > 0) buffer(fd, decoders[fd].write(chunk.subarray(0, room)));
      if (chunk.length <= room) return;
      truncated = true;
      flush();
      add({ t: 'truncated', limitBytes });
    },
    end(event) {
      for (const fd of [1, 2] as const) buffer(fd, decoders[fd].end());
      flush();
      add(event);
    },
    async *follow(after, signal) {
      followers++;
      try {
        for (let next = after + 1; !signal.aborted;) {
          const event = events[next];
          if (event === undefined) {
            if (hasEnded()) return;
            await waitAmong(waiting, signal);
            continue;
          }
          next++;
          yield event;
        }
      } finally {
        followers--;
        if (followers === 0 && !hasEnded()) log.onAbandoned?.();
      }
    },
  };
  return log;
}

/** Until a waiter is woken, or the signal aborts. */
function waitAmong(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      waiting.delete(wake);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    waiting.add(wake);
    signal.addEventListener('abort', wake, { once: true });
  });
}
