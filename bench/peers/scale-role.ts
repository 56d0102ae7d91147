// A process that puts load on the database, or on web processes, when it is told to: node scale-role.ts <work> <options>.
// It answers each `{ ms, callers }` with what it has done and the processor time that took.
import { readFileSync } from 'node:fs';
import { Pool } from 'undici';
import { createAdmit, createSettle } from '../../src/enforcement/budget.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { silentLog } from '../support/postgres.ts';
import {
  admissionOf,
  inTurn,
  type Place,
  readVersions,
  receiptAppender,
  runRecorder,
  settlementOf,
} from './hot-operations.ts';

export interface RoleOptions {
  readonly url: string;
  readonly schema: string;
  /** A file with the places, as JSON, and which of them are this process's. */
  readonly places: string;
  readonly share: { readonly of: number; readonly at: number };
  /** Of the web processes, for `chat`. */
  readonly targets: readonly string[];
}

export interface LoadOrder {
  readonly ms: number;
  readonly callers: number;
}

export interface LoadResult {
  readonly count: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

interface Work {
  call(): Promise<unknown>;
  /** Waits for what calls have left to do. */
  drain?(): Promise<void>;
}

const QUESTION = JSON.stringify({
  model: 'gpt-5-nano',
  max_tokens: 300,
  messages: [{ role: 'user', content: 'x'.repeat(1_900) }],
});

const WORK: Readonly<Record<string, (options: RoleOptions, places: readonly Place[]) => Promise<Work>>> = {
  async budget(options, places) {
    const db = await open(options);
    const [admit, settle, next] = [
      createAdmit(db, { processId: 'proc_bench', log: silentLog }),
      createSettle(db, silentLog),
      inTurn(places),
    ];
    const versions = await readVersions(db);
    return {
      async call() {
        const place = next();
        const admission = await admit(admissionOf(place, versions.get(place.organizationId) ?? 0));
        if (admission.outcome !== 'admitted' || !admission.holdId) throw new Error(admission.outcome);
        void settle(settlementOf(place, admission.holdId));
      },
      drain: () => settle.drain(),
    };
  },
  receipts: async (options, places) => ({ call: receiptAppender(await open(options), inTurn(places)) }),
  runs: async (options, places) => ({ call: runRecorder(await open(options), inTurn(places)) }),
  async chat({ targets }, places) {
    const pools = targets.map((target) => new Pool(target, { connections: 256, pipelining: 1 }));
    const next = inTurn(places);
    let turn = 0;
    return {
      async call() {
        const response = await pools[turn++ % pools.length]?.request({
          method: 'POST',
          path: '/v1/chat/completions',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${next().token}` },
          body: QUESTION,
        });
        if (response?.statusCode !== 200) throw new Error(`answered ${response?.statusCode}`);
        await response.body.dump();
      },
    };
  },
};

/** As many connections as a process has by default. */
function open({ url, schema }: RoleOptions): Promise<Database> {
  return openDatabase({ url, schema, poolMax: 2, applicationName: 'scale', log: silentLog });
}

async function load({ call, drain }: Work, { ms, callers }: LoadOrder): Promise<LoadResult> {
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
  let count = 0;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() - startedAt < ms) {
        await call();
        count++;
      }
    }),
  );
  await drain?.();
  const { user, system } = process.cpuUsage(cpu);
  return { count, seconds: (performance.now() - startedAt) / 1_000, cpuSeconds: (user + system) / 1e6 };
}

if (import.meta.main) {
  const [, , name = '', given = '{}'] = process.argv;
  const options = JSON.parse(given) as RoleOptions;
  const { of, at } = options.share;
  const places = (JSON.parse(readFileSync(options.places, 'utf8')) as Place[]).filter((_, n) => n % of === at);
  const work = await WORK[name]?.(options, places);
  if (!work) throw new Error(`there is no work ${name}`);
  process.on('disconnect', () => process.exit(0));
  process.on('message', (order: LoadOrder) => void load(work, order).then((result) => process.send?.(result)));
  process.send?.('ready');
}
