// Debian packages without root: apt-get downloads missing packages and their dependencies into a directory of ours, and
// dpkg-deb unpacks them there. Nothing is configured and no package script runs.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' };
const TIMEOUT_MS = 300_000;

/** The root of the unpacked files, laid out like the root of a Debian machine. */
export const unpackedRoot = (into: string): string => join(into, 'root');

/** Why a package could not be unpacked, by its name; empty if all were. */
export async function unpackDebianPackages(
  names: readonly string[],
  into: string,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  if (!existsSync('/etc/debian_version')) return new Map(names.map((name) => [name, 'this machine is not a Debian']));
  const failures = new Map<string, string>();
  const lists = join(into, 'lists');
  try {
    await Promise.all(
      [join(lists, 'partial'), unpackedRoot(into)].map((directory) => mkdir(directory, { recursive: true })),
    );
    const options = ['-o', 'Debug::NoLocking=1', '-o', `Dir::State::Lists=${lists}`, '-o', 'APT::Sandbox::User='];
    await runQuietly('apt-get', [...options, 'update', '-qq'], signal);
    // One by one: a release that lacks one of them still has the others.
    for (const name of names) {
      const reason = await unpackOne(name, into, options, signal);
      if (reason !== undefined) failures.set(name, reason);
    }
  } catch (error) {
    for (const name of names) failures.set(name, lastWords(error));
  } finally {
    await rm(lists, { recursive: true, force: true });
  }
  return failures;
}

async function unpackOne(
  name: string,
  into: string,
  options: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const cache = join(into, `cache-${name}`);
  const archives = join(cache, 'archives');
  try {
    await mkdir(join(archives, 'partial'), { recursive: true });
    await runQuietly(
      'apt-get',
      [
        ...options,
        '-o',
        `Dir::Cache=${cache}`,
        'install',
        '-y',
        '-qq',
        '--no-install-recommends',
        '--download-only',
        name,
      ],
      signal,
    );
    for (const file of (await readdir(archives)).filter((one) => one.endsWith('.deb')))
      await runQuietly('dpkg-deb', ['-x', join(archives, file), unpackedRoot(into)], signal);
    return undefined;
  } catch (error) {
    return lastWords(error);
  } finally {
    await rm(cache, { recursive: true, force: true });
  }
}

async function runQuietly(program: string, args: readonly string[], signal: AbortSignal | undefined): Promise<void> {
  await run(program, args, { env: ENVIRONMENT, timeout: TIMEOUT_MS, ...(signal === undefined ? {} : { signal }) });
}

/** The last line of the program's error output. */
function lastWords(error: unknown): string {
  const { stderr = '', message } = error as Error & { stderr?: string };
  return stderr.trim().split('\n').at(-1) || message;
}
