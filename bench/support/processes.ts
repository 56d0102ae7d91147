// What the benches need to know about the processes they start.
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

const TICKS_PER_SECOND = 100;
const PAUSE_MS = 50;
const TRIES = 600;

/** Processor time of a process and its children (nginx works in one); 0 if the system does not show it. */
export function cpuSeconds(child: Pick<ChildProcess, 'pid'> | undefined): number {
  if (process.platform !== 'linux' || child?.pid === undefined) return 0;
  return secondsOf([child.pid, ...childrenOf(child.pid)]);
}

/** The processes below this one, at any depth. */
export function treeOf({ pid }: ChildProcess): number[] {
  const below = (of: number): number[] => childrenOf(of).flatMap((child) => [child, ...below(child)]);
  return pid === undefined ? [] : below(pid);
}

export function treeSeconds(child: ChildProcess): number {
  return secondsOf(treeOf(child));
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

function secondsOf(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of pids) {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / TICKS_PER_SECOND;
}

export function residentMegabytes(child: ChildProcess): number {
  if (process.platform !== 'linux' || child.pid === undefined) return 0;
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

/** Resolves once something accepts connections on the port of this machine. */
export async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      }).on('error', () => resolve(false));
    });
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error(`nothing listens on port ${port}`);
}
