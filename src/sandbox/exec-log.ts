// What a command said, numbered from 0, so that a caller who lost the connection goes on where it was. The log holds
// no more than the output limit; what comes after it is dropped, said once, and read on so that the command can end.
import { StringDecoder } from 'node:string_decoder';
import type { ExecEvent } from './protocol.ts';

type Unnumbered<E> = E extends { seq: number } ? Omit<E, 'seq'> : never;

export interface ExecLog {
  write(fd: 1 | 2, chunk: Buffer): void;
  end(event: Unnumbered<Extract<ExecEvent, { t: 'exit' }>>): void;
  /** Everything after the number, as it comes, up to the exit. */
  follow(after: number, signal: AbortSignal): AsyncGenerator<ExecEvent>;
  readonly ended: boolean;
  /** Called whenever the last follower has left before the end. */
  onDeserted: (() => void) | undefined;
  readonly followers: number;
}

/** Many small writes become one event. */
const GATHER_MS = 5;
const GATHER_BYTES = 32 * 1024;

export function createExecLog(execId: string, limitBytes: number): ExecLog {
  const events: ExecEvent[] = [{ seq: 0, t: 'start', exec: execId }];
  const decoders = { 1: new StringDecoder('utf8'), 2: new StringDecoder('utf8') };
  const waiting = new Set<() => void>();
  let gathered: { fd: 1 | 2; text: string } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let bytes = 0;
  let followers = 0;

  const add = (event: Unnumbered<ExecEvent>): void => {
    events.push({ seq: events.length, ...event });
    for (const wake of waiting) wake();
  };
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (gathered !== undefined && gathered.text !== '') add({ t: 'out', fd: gathered.fd, d: gathered.text });
    gathered = undefined;
  };
  const gather = (fd: 1 | 2, text: string): void => {
    if (gathered !== undefined && gathered.fd !== fd) flush();
    gathered = { fd, text: (gathered?.text ?? '') + text };
    if (gathered.text.length >= GATHER_BYTES) flush();
    else timer ??= setTimeout(flush, GATHER_MS);
  };
  const hasEnded = (): boolean => events.at(-1)?.t === 'exit';

  const log: ExecLog = {
    onDeserted: undefined,
    get ended() {
      return hasEnded();
    },
    get followers() {
      return followers;
    },
    write(fd, chunk) {
      if (bytes >= limitBytes) return;
      const room = limitBytes - bytes;
      bytes += chunk.length;
      gather(fd, decoders[fd].write(chunk.subarray(0, room)));
      if (chunk.length <= room) return;
      bytes = limitBytes;
      flush();
      add({ t: 'truncated', limitBytes });
    },
    end(event) {
      for (const fd of [1, 2] as const) gather(fd, decoders[fd].end());
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
        if (followers === 0 && !hasEnded()) log.onDeserted?.();
      }
    },
  };
  return log;
}

/** Until somebody wakes those who wait, or the signal. */
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
