// The end of every log: files of npm start in the data directory, files that the operator names, and the journal of the
// units where there is one. What is read is bounded, and only what scrub-log.ts knows is kept.
import { execFile } from 'node:child_process';
import { open, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { PARTS } from '../../../stack/parts.ts';
import type { Deployment } from '../doctor/deployment.ts';
import { scrubLog } from './scrub-log.ts';
import type { Scrub } from './scrub.ts';

const MOST_BYTES = 1024 * 1024;
const MOST_FILES = 40;
const JOURNAL_LINES = 2_000;
const JOURNAL_TIMEOUT_MS = 10_000;

export async function readLogs(
  deployment: Deployment,
  named: readonly string[],
  scrub: Scrub,
): Promise<Record<string, string>> {
  const found = await findLogs(deployment.directory);
  const files = [...found, ...named].slice(0, MOST_FILES);
  const logs: Record<string, string> = {};
  for (const [at, file] of files.entries()) {
    // The name of a file that the operator names may be anything.
    const name = found.includes(file) ? basename(file, '.log') : `named-${at - found.length + 1}`;
    logs[name] = await readEnd(file).then(
      (text) => scrubLog(text, scrub),
      (error: NodeJS.ErrnoException) => `[this file could not be read: ${error.code ?? error.name}]\n`,
    );
  }
  if (found.length === 0) Object.assign(logs, await readJournal(scrub));
  return logs;
}

async function findLogs(directory: string): Promise<string[]> {
  const logs = join(directory, 'logs');
  const names = await readdir(logs).catch(() => []);
  return names
    .filter((name) => name.endsWith('.log') && Object.hasOwn(PARTS, basename(name, '.log')))
    .toSorted()
    .map((name) => join(logs, name));
}

/** From the first whole line on. */
async function readEnd(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - MOST_BYTES);
    const bytes = Buffer.alloc(size - from);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
    const text = bytes.subarray(0, bytesRead).toString('utf8');
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    await file.close();
  }
}

/** Nothing where the service does not run as units of systemd. */
async function readJournal(scrub: Scrub): Promise<Record<string, string>> {
  try {
    const { stdout } = await promisify(execFile)(
      'journalctl',
      ['--unit=service-*', `--lines=${JOURNAL_LINES}`, '--output=cat', '--no-pager', '--quiet'],
      { timeout: JOURNAL_TIMEOUT_MS, maxBuffer: 8 * MOST_BYTES, encoding: 'utf8' },
    );
    return stdout === '' ? {} : { journal: scrubLog(stdout, scrub) };
  } catch {
    return {};
  }
}
