// What the machine offers to sandboxes and which user we are on it; determined once, at start.
import { createHash } from 'node:crypto';
import { lstat, readFile, readlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Host {
  readonly root: boolean;
  /** First user ID of the runs, if each can have its own. */
  readonly uidBase: number | undefined;
  /** Where sandboxes are kept. The users of the runs can traverse every directory above it. */
  readonly directory: string;
  readonly instance: string;
  /** Programs that every sandbox may use, in addition to those of the machine. */
  readonly tools: string;
  /** The highest limits that a process may set for itself. */
  readonly rlimitMax: Rlimits;
  /** How /bin, /sbin and /lib* look on this machine. */
  readonly usrLinks: readonly { readonly path: string; readonly target?: string }[];
}

export interface Rlimits {
  readonly openFiles: number;
  readonly processes: number;
  readonly dataBytes: number;
  readonly fileBytes: number;
}

/** Far above every range that distributions assign; the second is for containers with few user IDs. */
const UID_BASES = [1_900_000_000, 60_100];
export const UID_COUNT = 1_024;

export async function describeHost(dataDirectory: string, uidBase?: number): Promise<Host> {
  const root = process.getuid?.() === 0;
  const instance = createHash('sha256').update(dataDirectory).digest('hex').slice(0, 12);
  const map = parseUidMap(await readFile('/proc/self/uid_map', 'utf8').catch(() => ''));
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  return {
    root,
    uidBase: root
      ? (uidBase === undefined ? UID_BASES : [uidBase]).find((base) =>
          map.some(({ first, count }) => base >= first && base + UID_COUNT <= first + count),
        )
      : undefined,
    directory: `${directoryPrefix(root)}${instance}`,
    instance,
    tools: join(dataDirectory, 'tools'),
    rlimitMax: {
      openFiles: hardLimit(limits, 'Max open files'),
      processes: hardLimit(limits, 'Max processes'),
      dataBytes: hardLimit(limits, 'Max data size'),
      fileBytes: hardLimit(limits, 'Max file size'),
    },
    usrLinks: await Promise.all(['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'].map(describeLink)).then(
      (links) => links.flatMap((link) => link ?? []),
    ),
  };
}

/** The common prefix of the directories of all controllers of this user. */
export function directoryPrefix(root: boolean): string {
  return root ? '/run/service-sandbox-' : join(tmpdir(), `service-sandbox-${process.getuid?.() ?? 0}-`);
}

function hardLimit(limits: string, name: string): number {
  const value = new RegExp(`^${name}\\s+\\S+\\s+(\\S+)`, 'm').exec(limits)?.[1];
  return value === undefined || value === 'unlimited' ? Infinity : Number(value);
}

function parseUidMap(text: string): { first: number; count: number }[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [first = 0, , count = 0] = line.trim().split(/\s+/).map(Number);
      return { first, count };
    });
}

async function describeLink(path: string): Promise<{ path: string; target?: string } | undefined> {
  const stat = await lstat(path).catch(() => undefined);
  if (stat === undefined) return undefined;
  return stat.isSymbolicLink() ? { path, target: await readlink(path) } : { path };
}
