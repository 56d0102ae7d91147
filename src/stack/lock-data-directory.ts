// One stack per data directory. The lock names its holder by pid and start time, so the lock of a killed stack is
// recognised as stale even after its pid was reused.
import { link, readFile, rename, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProcess, isSameProcess } from '../process/find-process.ts';
import type { StackState } from './stack-file.ts';
import { writeFileAtomic } from '../process/write-file-atomic.ts';

interface Holder {
  readonly pid: number;
  readonly identity: string;
}

export type LockResult =
  | { readonly held: true; readonly wasStale: boolean; release(): Promise<void> }
  | { readonly held: false; readonly holder: number };

export async function lockFile(path: string): Promise<LockResult> {
  const mine = `${path}.${process.pid}`;
  await writeFileAtomic(
    mine,
    JSON.stringify({ pid: process.pid, identity: findProcess(process.pid)?.identity ?? '' } satisfies Holder),
  );
  let wasStale = false;
  try {
    for (;;) {
      // link() creates the complete file or fails, so two simultaneous starts cannot both get the lock.
      if (await tryLink(mine, path)) return { held: true, wasStale, release: () => rm(path, { force: true }) };
      const holder = await readHolder(path);
      if (holder !== undefined && isSameProcess(holder.pid, holder.identity))
        return { held: false, holder: holder.pid };
      wasStale = true;
      await discard(path, `${mine}.old`);
    }
  } finally {
    await rm(mine, { force: true });
  }
}

async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Moves a stale lock aside, and puts it back if a live stack took the lock in that moment. */
async function discard(path: string, aside: string): Promise<void> {
  const moved = await rename(path, aside).then(
    () => true,
    () => false,
  );
  if (!moved) return;
  const holder = await readHolder(aside);
  if (holder !== undefined && isSameProcess(holder.pid, holder.identity)) await tryLink(aside, path);
  await rm(aside, { force: true });
}

async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

/** Waits for a stack that is stopping, and briefly for one that has not announced it yet. */
export async function waitForLock(
  path: string,
  isStopping: () => Promise<boolean>,
  stopping: AbortSignal,
): Promise<LockResult> {
  const startedAt = Date.now();
  for (;;) {
    const result = await lockFile(path);
    const patienceMs = result.held ? 0 : (await isStopping()) ? LEAVING_MS : NOTICING_MS;
    if (result.held || Date.now() - startedAt > patienceMs) return result;
    await sleep(100, undefined, { signal: stopping });
  }
}

const NOTICING_MS = 3_000;
const LEAVING_MS = 60_000;
const LEFTOVERS_MS = 17_000;

/**
 * Parts of a killed stack notice that it is gone and stop on their own, but hold their ports until then. One that does
 * not stop in time is killed.
 */
export async function awaitLeftovers(
  state: StackState | undefined,
  say: (line: string) => void,
  stopping: AbortSignal,
  patienceMs = LEFTOVERS_MS,
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
