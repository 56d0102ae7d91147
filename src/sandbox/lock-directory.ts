// One controller at a time on a directory: the sweep at start would end another's runs.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProcess, isSameProcess } from '../base/find-process.ts';

export async function lockDirectory(directory: string): Promise<{ ok: true; unlock(): Promise<void> } | { ok: false; pid: number }> {
  const path = join(directory, 'controller.lock');
  const own = JSON.stringify({ pid: process.pid, identity: findProcess(process.pid)?.identity ?? '' });
  for (;;) {
    try {
      await writeFile(path, own, { flag: 'wx', mode: 0o600 });
      return { ok: true, unlock: () => rm(path, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = parse(await readFile(path, 'utf8').catch(() => ''));
    if (holder !== undefined && holder.pid !== process.pid && isSameProcess(holder.pid, holder.identity)) return { ok: false, pid: holder.pid };
    await rm(path, { force: true });
  }
}

function parse(text: string): { pid: number; identity: string } | undefined {
  try {
    const value = JSON.parse(text) as { pid?: unknown; identity?: unknown };
    return typeof value.pid === 'number' && typeof value.identity === 'string' ? { pid: value.pid, identity: value.identity } : undefined;
  } catch {
    return undefined;
  }
}
