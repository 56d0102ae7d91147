// The first process of a sandbox, as bubblewrap tells it. The kernel lets it go only after all others of the sandbox,
// while bubblewrap itself may have left before: its end is the end of the command.
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProcess, isSameProcess } from '../../base/find-process.ts';

const PAUSE_MS = 2;

export function watchFirstProcess(info: Readable): { gone(): Promise<void> } {
  // Looked at as soon as it is known: a number that is asked about later may belong to somebody else.
  const known = text(info).then(
    (told) => {
      const pid = Number(/"child-pid":\s*(\d+)/.exec(told)?.[1] ?? 0);
      return { pid, identity: findProcess(pid)?.identity };
    },
    () => undefined,
  );
  return {
    async gone() {
      const first = await known;
      if (first?.identity === undefined) return;
      for (const { pid, identity } = first; isSameProcess(pid, identity);) await sleep(PAUSE_MS);
    },
  };
}
