// The first process of a sandbox, as reported by bubblewrap. The kernel ends it only after all other processes of the
// sandbox, while bubblewrap itself may exit earlier: its end is the end of the command.
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProcess, isSameProcess } from '../../process/find-process.ts';

const PAUSE_MS = 2;

export function watchFirstProcess(info: Readable): { gone(): Promise<void> } {
  // Read as soon as the pid is known: later it may belong to another process.
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
