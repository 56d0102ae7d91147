// Two-hop calls (caller → driver → worker → result) with ten outstanding: the broker with its role client, the broker
// with the SDK's own network, and the SDK on its reference network, which is one process and stores nothing. Variants
// take turns in short rounds, so that other load on the machine affects all of them alike.
import { type Context, Never, Resonate } from '@resonatehq/sdk';
import { connectRole } from '../src/broker/client/connect-role.ts';
import { createBroker } from '../src/broker/create-broker.ts';
import { brokerListener } from '../src/http/broker/listener.ts';
import { serve } from '../src/http/shell/serve.ts';
import type { Database } from '../src/store/database.ts';
import { median } from './support/median.ts';
import { silentLog, startPostgres } from './support/postgres.ts';

const ROUNDS = 5;
const ROUND_MS = 2_000;
const OUTSTANDING = 10;
const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

interface Variant {
  readonly name: string;
  call(id: string): Promise<unknown>;
  close(): Promise<void>;
}

export async function bench(report: (line: string) => void): Promise<void> {
  const postgres = await startPostgres();
  const db = await postgres.openMigrated();
  const broker = await createBroker({ db, log: silentLog, retentionMs: 86_400_000 });
  const serving = await serve(
    brokerListener({
      broker,
      token: undefined,
      version: 'bench',
      build: 'abc',
      checkDatabase: async () => ({ ok: true, latencyMs: 0 }),
      log: silentLog,
    }),
    { port: 0 },
  );
  const url = `http://127.0.0.1:${serving.port}`;
  const variants = [onReference(), onBroker(url), onBrokerWithSdkNetwork(url)];
  try {
    const rates = variants.map(() => [] as number[]);
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [position, variant] of variants.entries()) {
        const rate = await measure(variant, `${position}-${round}`);
        if (round > 0) rates[position]?.push(rate);
      }
    }
    report(
      `two-hop calls/s, ${OUTSTANDING} outstanding, all in one process (ratio to the reference, which is in memory)`,
    );
    const base = median(rates[0] ?? []);
    for (const [position, { name }] of variants.entries()) {
      const rate = median(rates[position] ?? []);
      report(`  ${name.padEnd(44)} ${rate.toFixed(0).padStart(7)}  ${(rate / base).toFixed(3)}×`);
    }
    await compareGrowth(db, variants[1] as Variant, report);
  } finally {
    await Promise.all(variants.map((variant) => variant.close()));
    await broker.close();
    await serving.close();
    await db.close();
    await postgres.stop();
  }
}

/** The cost of a call must not grow with the number of calls that are over. */
async function compareGrowth(db: Database, variant: Variant, report: (line: string) => void): Promise<void> {
  const before = await measure(variant, 'few');
  await db.query(
    `insert into :schema.broker_promise (id, state, param, value, tags, timeout_at, created_at, settled_at, armed)
     select 'old' || n, 'resolved', '{}', '{}', '{}', 0, 0, 0, true from generate_series(1, 100000) n`,
  );
  await db.query(
    `insert into :schema.broker_task (id, state, version, resumes, releases, queue, lane, since)
     select 'old' || n, 'fulfilled', 1, '[]', 0, 'any@w', '.', 0 from generate_series(1, 100000) n`,
  );
  const after = await measure(variant, 'many');
  report(`  with 100,000 finished calls more: ${(after / before).toFixed(2)}× the rate`);
}

function register(resonate: Resonate, target: string): void {
  resonate.register('drive', function* (context: Context): Generator<unknown, unknown, unknown> {
    return yield* context.rpc('work', context.options({ target, timeout: 600_000, retryPolicy: new Never() }));
  });
}

function registerWork(resonate: Resonate): void {
  resonate.register('work', async () => 'done');
}

async function callThrough(resonate: Resonate, id: string, target: string): Promise<unknown> {
  return (
    await resonate.beginRpc(id, 'drive', resonate.options({ target, timeout: 600_000, retryPolicy: new Never() }))
  ).result();
}

function onReference(): Variant {
  const resonate = new Resonate({ logger: SILENT, group: 'all' });
  register(resonate, 'all');
  registerWork(resonate);
  return {
    name: 'SDK on its reference network',
    call: (id) => callThrough(resonate, id, 'all'),
    close: () => resonate.stop(),
  };
}

function onBroker(url: string): Variant {
  const common = { url, heartbeats: false, log: silentLog };
  const caller = connectRole({ ...common, group: 'a' });
  const driver = connectRole({ ...common, group: 'd', register: (resonate) => register(resonate, 'w') });
  const worker = connectRole({ ...common, group: 'w', register: registerWork });
  return {
    name: 'this broker, role client',
    call: (id) => callThrough(caller.resonate, id, 'd'),
    close: async () => void (await Promise.all([caller, driver, worker].map((role) => role.stop()))),
  };
}

function onBrokerWithSdkNetwork(url: string): Variant {
  const [caller, driver, worker] = ['sa', 'sd', 'sw'].map((group) => new Resonate({ url, group, logger: SILENT })) as [
    Resonate,
    Resonate,
    Resonate,
  ];
  register(driver, 'sw');
  registerWork(worker);
  return {
    name: "this broker, SDK's own network",
    call: (id) => callThrough(caller, `s${id}`, 'sd'),
    close: async () => void (await Promise.all([caller, driver, worker].map((one) => one.stop()))),
  };
}

async function measure(variant: Variant, round: string): Promise<number> {
  const startedAt = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: OUTSTANDING }, async (_, lane) => {
      for (let n = 0; performance.now() - startedAt < ROUND_MS; n++) {
        await variant.call(`r${round}-${lane}-${n}`);
        done++;
      }
    }),
  );
  return (done / (performance.now() - startedAt)) * 1000;
}
