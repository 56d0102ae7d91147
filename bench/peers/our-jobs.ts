// Our own runs as they are deployed: broker, driver and worker are separate processes, each with its own database pool,
// and talk over real HTTP; the api's part runs in the measuring process.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pino } from 'pino';
import { connectRole } from '../../src/broker/client/connect-role.ts';
import { createDispatcher } from '../../src/runs/delivery/dispatch-run.ts';
import type { Engine } from '../../src/runs/delivery/engine.ts';
import { executeRun } from '../../src/runs/delivery/execute-run.ts';
import { insertRun } from '../../src/runs/record/insert-run.ts';
import type { Database } from '../../src/store/database.ts';
import { freePort } from '../../test/support/free-port.ts';
import type { JobsVariant } from './job-queues.ts';

type Open = (name: string, poolMax: number) => Promise<Database>;

const log = pino({ level: 'silent' });
const engine: Engine = async () => ({ done: true });
const NEW_JOB = { kind: 'control', task: 'bench', objective: 'bench', actor: 'system:bench' } as const;

export async function recordOnly(open: Open): Promise<JobsVariant> {
  const db = await open('record', 2);
  const deps = {
    db,
    log,
    actor: 'system:bench',
    engineOf: () => engine,
    artifactsDirectory: '/nowhere',
    onAppended: () => {},
  };
  return {
    name: 'ours, the record alone: three receipts, no broker',
    async run() {
      const { run: job } = await insertRun(db, NEW_JOB);
      await executeRun(deps, job.id, { taken: new AbortController() });
    },
    close: () => db.close(),
  };
}

export async function ourJobs(open: Open, url: string, concurrency: number): Promise<JobsVariant> {
  const db = await open('api', 2);
  const port = await freePort();
  const ended = new Map<string, () => void>();
  const start = async (part: string): Promise<ChildProcess> => {
    const child = fork(
      join(import.meta.dirname, 'our-role.ts'),
      [part, url, db.schema, String(port), String(concurrency)],
      { execArgv: ['--disable-warning=ExperimentalWarning'] },
    );
    child.on('message', ({ settled = [] }: { settled?: string[] }) => {
      for (const job of settled) ended.get(job)?.();
    });
    await once(child, 'message');
    return child;
  };
  const children = [await start('broker'), ...(await Promise.all([start('driver'), start('worker')]))];
  const api = connectRole({ url: `http://127.0.0.1:${port}`, group: 'api', heartbeats: true, polls: false, log });
  const dispatcher = createDispatcher({
    db,
    broker: api,
    driverGroup: 'driver',
    engines: { chat: engine, control: engine, codex: engine },
    log,
  });
  return {
    name: 'ours: api → driver → worker → settle, three receipts',
    async run() {
      const { run: job } = await insertRun(db, NEW_JOB);
      const settled = new Promise<void>((resolve) => ended.set(job.id, resolve));
      dispatcher.dispatch(job);
      await settled;
      ended.delete(job.id);
    },
    async close() {
      await dispatcher.stop();
      await api.stop();
      for (const child of children) child.kill('SIGKILL');
      await db.close();
    },
  };
}
