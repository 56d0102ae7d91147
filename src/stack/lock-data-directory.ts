// One stack a data directory. The lock names its holder by number and start time, so a lock that a killed stack left
// behind is known as such, even when its number belongs to another program by now.
import { link, readFile, rename, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProcess, isSameProcess } from '../base/find-process.ts';
import type { StackState } from './stack-file.ts';
import { writeFileAtomic } from './write-file-atomic.ts';

interface Holder {
  readonly pid: number;
  readonly identity: string;
}

export type LockResult =
  | { readonly held: true; readonly wasLeftBehind: boolean; release(): Promise<void> }
  | { readonly held: false; readonly holder: number };

export async function lockFile(path: string): Promise<LockResult> {
  const mine = `${path}.${process.pid}`;
  await writeFileAtomic(
    mine,
    JSON.stringify({ pid: process.pid, identity: findProcess(process.pid)?.identity ?? '' } satisfies Holder),
  );
  let wasLeftBehind = false;
  try {
    for (;;) {
      // A link either makes the file, whole, or fails: two starts at once cannot both have it.
      if (await linked(mine, path)) return { held: true, wasLeftBehind, release: () => rm(path, { force: true }) };
      const holder = await readHolder(path);
      if (holder !== undefined && isSameProcess(holder.pid, holder.identity))
        return { held: false, holder: holder.pid };
      wasLeftBehind = true;
      await discard(path, `${mine}.old`);
    }
  } finally {
    await rm(mine, { force: true });
  }
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Moves a dead lock out of the way, and puts it back should a living stack have taken it in that moment. */
async function discard(path: string, aside: string): Promise<void> {
  const moved = await rename(path, aside).then(
    () => true,
    () => false,
  );
  if (!moved) return;
  const holder = await readHolder(aside);
  if (holder !== undefined && isSameProcess(holder.pid, holder.identity)) await linked(aside, path);
  await rm(aside, { force: true });
}

async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

/** A stack that is on its way out is waited for, a little even when it does not say so yet. */
export async function lockWithPatience(
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
 * Parts of a stack that was killed notice it and stop by themselves, which takes them a moment; until then they hold
 * their ports. One that does not stop in time is ended.
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
