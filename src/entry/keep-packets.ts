// <data-dir>/packets: a file for each run that a worker has been handed and has not finished, with ids only. It shows an
// operator what a worker is busy with, and what one was busy with that was lost: the next attempt replaces it.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../telemetry/log.ts';

export type Packets = <T>(run: string, work: () => Promise<T>) => Promise<T>;

/** Nothing depends on a packet, so one that cannot be written is only logged. */
export function keepPackets(directory: string, { role, log }: { readonly role: string; readonly log: Log }): Packets {
  return async (run, work) => {
    const file = join(directory, `${run}.json`);
    const packet = { job: run, role, pid: process.pid, since: new Date().toISOString() };
    const written = mkdir(directory, { recursive: true })
      .then(() => writeFile(file, `${JSON.stringify(packet)}\n`, { mode: 0o600 }))
      .catch((error: unknown) => log.debug({ err: error, run }, 'packet could not be written'));
    try {
      return await work();
    } finally {
      await written;
      await rm(file, { force: true }).catch(() => undefined);
    }
  };
}
