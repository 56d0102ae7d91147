// Parts of a stack that was killed notice it and stop by themselves, which takes them a moment; until then they hold
// their ports. One that does not stop in time is ended.
import { setTimeout as sleep } from 'node:timers/promises';
import { isSameProcess } from '../base/find-process.ts';
import type { StackState } from './stack-file.ts';

const PATIENCE_MS = 17_000;

export async function awaitLeftovers(
  state: StackState | undefined,
  say: (line: string) => void,
  stopping: AbortSignal,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const parts = Object.entries(state?.parts ?? {}).filter(([name]) => name !== 'postgres');
  const alive = (): [string, number][] =>
    parts.flatMap(([name, { pid, identity }]) =>
      identity !== undefined && isSameProcess(pid, identity) ? [[name, pid] as [string, number]] : [],
    );
  if (alive().length === 0) return;
  say('waiting for parts of the previous run to stop …');
  for (const deadline = Date.now() + patienceMs; alive().length > 0 && Date.now() < deadline;)
    await sleep(50, undefined, { signal: stopping });
  for (const [name, pid] of alive()) {
    say(`ending ${name} of the previous run (pid ${pid})`);
    process.kill(pid, 'SIGKILL');
  }
  while (alive().length > 0) await sleep(20, undefined, { signal: stopping });
}
