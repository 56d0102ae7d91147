// Identifies a process. Process ids are reused, so the id alone proves nothing: the start time tells a process from a
// later one with the same id. A zombie counts as gone: it holds no port and no file.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface FoundProcess {
  readonly name: string;
  readonly identity: string;
}

export function findProcess(pid: number): FoundProcess | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  return process.platform === 'linux' ? findInProc(pid) : findWithPs(pid);
}

export function isSameProcess(pid: number, identity: string): boolean {
  return findProcess(pid)?.identity === identity;
}

function findInProc(pid: number): FoundProcess | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // The name is in parentheses and may itself contain any character, parentheses included.
    const end = stat.lastIndexOf(')');
    const [state = 'Z', ...rest] = stat.slice(end + 2).split(' ');
    if (state === 'Z' || state === 'X') return undefined;
    return { name: stat.slice(stat.indexOf('(') + 1, end), identity: `${bootId}/${rest[18]}` };
  } catch {
    return undefined;
  }
}

function findWithPs(pid: number): FoundProcess | undefined {
  const { stdout } = spawnSync('ps', ['-o', 'stat=,lstart=,comm=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
  });
  const [, state = 'Z', startedAt = '', path = ''] =
    /^(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/.exec(stdout.trim()) ?? [];
  return state.startsWith('Z') ? undefined : { name: path.slice(path.lastIndexOf('/') + 1), identity: startedAt };
}
