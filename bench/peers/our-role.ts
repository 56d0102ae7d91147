// One part of our runs as a process: node our-role.ts <part> <database url> <schema> <broker port> <runs at once>. It
// prints `ready`, and the worker names each job that it has settled.
import { pino } from 'pino';
import { connectRole } from '../../src/broker/client/connect-role.ts';
import { createBroker } from '../../src/broker/create-broker.ts';
import { brokerListener } from '../../src/http/broker/listener.ts';
import { createDatabaseCheck } from '../../src/http/shell/health.ts';
import { serve } from '../../src/http/shell/serve.ts';
import { createDrive, DRIVE, EXECUTE } from '../../src/runs/delivery/drive-run.ts';
import { serveExecutions } from '../../src/runs/delivery/serve-executions.ts';
import { createAnnouncer } from '../../src/receipts/announce-appends.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openListener } from '../../src/store/listen.ts';

const [, , part = '', url = '', schema = '', port = '', atOnce = ''] = process.argv;
const log = pino({ level: 'silent' });
const brokerUrl = `http://127.0.0.1:${port}`;
const say = (message: { ready: true } | { settled: string[] }): void => void process.send?.(message);
// The process that started it is gone.
process.on('disconnect', () => process.exit(0));

async function runBroker(): Promise<void> {
  const db = await openDatabase({ url, schema, poolMax: 2, applicationName: part, log });
  const broker = await createBroker({ db, log, retentionMs: 3_600_000, sharePercent: 50 });
  await serve(
    brokerListener({
      broker,
      token: undefined,
      version: '0',
      build: 'abc',
      checkDatabase: createDatabaseCheck(db),
      log,
    }),
    {
      port: Number(port),
    },
  );
}

async function runDriver(): Promise<void> {
  const driver = connectRole({
    url: brokerUrl,
    group: 'driver',
    heartbeats: false,
    log,
    register: (resonate) =>
      void resonate.register(DRIVE, createDrive({ chat: 'worker', control: 'worker', codex: 'worker' })),
  });
  await driver.opened();
}

async function runWorker(): Promise<void> {
  const db = await openDatabase({ url, schema, poolMax: 2, applicationName: part, log });
  const concurrency = Number(atOnce);
  let settled: string[] = [];
  const tell = (): void => {
    say({ settled });
    settled = [];
  };
  const executions = serveExecutions({
    db,
    log,
    listener: openListener(db, log),
    actor: 'system:bench',
    engineOf: () => async () => ({ done: true }),
    artifactsDirectory: '/nowhere',
    onAppended: createAnnouncer(db, log).announce,
    concurrency: () => concurrency,
  });
  const worker = connectRole({
    url: brokerUrl,
    group: 'worker',
    heartbeats: false,
    log,
    credit: concurrency,
    register: (resonate) =>
      void resonate.register(
        EXECUTE,
        async (context: Parameters<typeof executions.execute>[0], argument: { job: string }) => {
          const outcome = await executions.execute(context, argument);
          if (settled.push(argument.job) === 1) queueMicrotask(tell);
          return outcome;
        },
      ),
  });
  await worker.opened();
}

const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  broker: runBroker,
  driver: runDriver,
  worker: runWorker,
};
await PARTS[part]?.();
say({ ready: true });
