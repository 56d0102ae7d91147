// Receipt appends compared with a plain INSERT of the same rows on the same server. Variants take turns in short
// rounds, so that other load on the machine affects all of them alike.
import { systemClock } from '../src/base/clock.ts';
import { linkReceipt } from '../src/receipts/receipt.ts';
import { createReceiptWriter } from '../src/receipts/receipt-writer.ts';
import { verifyStream } from '../src/receipts/verify-stream.ts';
import type { Database } from '../src/store/database.ts';
import type { Aim } from './support/aims.ts';
import { median } from './support/median.ts';
import { startPostgres } from './support/postgres.ts';

const ROUNDS = 5;
const ROUND_MS = 1_000;
const draft = {
  kind: 'tool.called',
  actor: 'user:usr_bench',
  body: { connection: 'con_0123456789', tool: 'list-issues', arguments: 'x'.repeat(120) },
};

export async function bench(report: (line: string) => void): Promise<Aim[]> {
  const aims: Aim[] = [];
  const postgres = await startPostgres();
  try {
    for (const poolMax of [2, 10]) {
      const db = await postgres.openMigrated({ schema: `bench_${poolMax}`, poolMax });
      await db.query('create table :schema.plain (like :schema.receipt including indexes)');
      report(`pool ${poolMax}: appends/s (ratio to plain INSERT)`);
      const figure = await compare(db, report);
      aims.push({ work: `verification, pool ${poolMax}`, figure, unit: 'receipts/s', atLeast: 150_000 });
      await db.close();
    }
  } finally {
    await postgres.stop();
  }
  return aims;
}

/** Returns how many receipts a second were verified. */
async function compare(db: Database, report: (line: string) => void): Promise<number> {
  const writer = createReceiptWriter({ db, clock: systemClock });
  let plain = 0;
  const text = JSON.stringify(draft);
  const insert = async (): Promise<void> => {
    const row = linkReceipt(`s/${plain++}`, undefined, text);
    await db.query('insert into :schema.plain (stream, idx, prev, hash, body) values ($1, $2, $3, $4, $5)', [
      row.stream,
      row.index,
      row.prev,
      row.hash,
      row.text,
    ]);
  };
  let turn = 0;
  const variants: { name: string; callers: number; target?: number; call: () => Promise<unknown> }[] = [
    { name: 'plain INSERT, one row per statement', callers: 16, call: insert },
    {
      name: 'append, 100 streams, 16 callers',
      callers: 16,
      target: 0.75,
      call: () => writer.append(`many/${turn++ % 100}`, draft),
    },
    { name: 'append, one hot stream, 64 callers', callers: 64, target: 3, call: () => writer.append('hot', draft) },
  ];
  const rates = variants.map(() => [] as number[]);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [position, variant] of variants.entries()) {
      const rate = await measure(variant.call, variant.callers);
      if (round > 0) rates[position]?.push(rate);
    }
  }
  const base = median(rates[0] ?? []);
  for (const [position, { name, target }] of variants.entries()) {
    const rate = median(rates[position] ?? []);
    report(
      `  ${name.padEnd(40)} ${rate.toFixed(0).padStart(7)}  ${(rate / base).toFixed(2)}×${target === undefined ? '' : `  (target ≥ ${target}×)`}`,
    );
  }
  const verified: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const startedAt = performance.now();
    const { count } = await verifyStream(db, 'hot');
    if (round > 0) verified.push((count / (performance.now() - startedAt)) * 1000);
  }
  report(`  ${'verify, receipts/s'.padEnd(40)} ${median(verified).toFixed(0).padStart(7)}`);
  return median(verified);
}

async function measure(call: () => Promise<unknown>, callers: number): Promise<number> {
  const startedAt = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() - startedAt < ROUND_MS) {
        await call();
        done++;
      }
    }),
  );
  return (done / (performance.now() - startedAt)) * 1000;
}
