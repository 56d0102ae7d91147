// The whole of `npm start` on an empty data directory: how long the second start takes, and what the stack costs while
// nobody uses it. Memory is the proportional set size: a page that several processes share is counted once.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../test/support/free-port.ts';
import type { Aim } from './support/aims.ts';
import { treeOf, treeSeconds } from './support/processes.ts';

const ROOT = join(import.meta.dirname, '..');
/** Memory is measured once the processes have given back what loading them took. */
const SETTLE_MS = 15_000;
const IDLE_MS = 30_000;

export async function bench(report: (line: string) => void): Promise<Aim[]> {
  const data = mkdtempSync(join(tmpdir(), 'service-bench-'));
  try {
    const first = await start(data);
    await stop(first.child);
    const second = await start(data);
    await sleep(SETTLE_MS);
    const before = treeSeconds(second.child);
    await sleep(IDLE_MS);
    const processes = treeOf(second.child);
    const core = ((treeSeconds(second.child) - before) / (IDLE_MS / 1000)) * 100;
    const megabytes = processes.reduce((sum, pid) => sum + proportionalMegabytes(pid), 0);
    await stop(second.child);
    report(`  first start ${first.seconds.toFixed(1)} s, second ${second.seconds.toFixed(1)} s`);
    report(`  idle: ${processes.length} processes, ${megabytes.toFixed(0)} MB, ${core.toFixed(1)} % of a core`);
    return [
      { work: 'npm start, second start', figure: second.seconds, unit: 's', atMost: 2 },
      { work: 'idle stack, memory', figure: megabytes, unit: 'MB', atMost: 600 },
      { work: 'idle stack, processor', figure: core, unit: '% of a core', atMost: 2 },
    ];
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

async function start(data: string): Promise<{ child: ChildProcess; seconds: number }> {
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    ['scripts/run.cjs', 'stack', '--data-dir', data, '--port', String(await freePort())],
    { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  await new Promise<void>((resolve, reject) => {
    let said = '';
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code}: ${said}`)));
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (/^ready /m.test(said)) resolve();
      });
  });
  return { child, seconds: (performance.now() - startedAt) / 1000 };
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

function proportionalMegabytes(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
}
