// One controller at a time per directory: the clean-up at start would kill another controller's runs.
import { readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProcess, isSameProcess } from '../process/find-process.ts';

interface Holder {
  readonly pid: number;
  readonly identity: string;
  /** Pids are only comparable within a pid namespace. */
  readonly namespace: string;
}

const LOCK = 'controller.lock';

export async function lockDirectory(
  directory: string,
): Promise<{ ok: true; unlock(): Promise<void> } | { ok: false; pid: number }> {
  const path = join(directory, LOCK);
  const own = JSON.stringify({
    pid: process.pid,
    identity: findProcess(process.pid)?.identity ?? '',
    namespace: await ownNamespace(),
  } satisfies Holder);
  for (;;) {
    try {
      await writeFile(path, own, { flag: 'wx', mode: 0o600 });
      return { ok: true, unlock: () => rm(path, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = parse(await readFile(path, 'utf8').catch(() => ''));
    if (holder !== undefined && holder.pid !== process.pid && isSameProcess(holder.pid, holder.identity))
      return { ok: false, pid: holder.pid };
    await rm(path, { force: true });
  }
}

/** The controller that holds this directory now. */
export async function findHolder(directory: string): Promise<number | undefined> {
  const holder = parse(await readFile(join(directory, LOCK), 'utf8').catch(() => ''));
  return holder !== undefined && isSameProcess(holder.pid, holder.identity) ? holder.pid : undefined;
}

/** Whether the controller that held this directory is certainly gone. */
export async function isAbandoned(directory: string): Promise<boolean> {
  const holder = parse(await readFile(join(directory, LOCK), 'utf8').catch(() => ''));
  return (
    holder !== undefined && holder.namespace === (await ownNamespace()) && !isSameProcess(holder.pid, holder.identity)
  );
}

function ownNamespace(): Promise<string> {
  return readlink('/proc/self/ns/pid').catch(() => 'unknown');
}

function parse(text: string): Holder | undefined {
  try {
    const { pid, identity, namespace } = JSON.parse(text) as Record<string, unknown>;
    return typeof pid === 'number' && typeof identity === 'string' && typeof namespace === 'string'
      ? { pid, identity, namespace }
      : undefined;
  } catch {
    return undefined;
  }
}
