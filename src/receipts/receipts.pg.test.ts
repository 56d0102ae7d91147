import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, withSuperuser } from '../../test/support/database.ts';
import { systemClock } from '../base/clock.ts';
import type { Database } from '../store/database.ts';
import { APPEND_STATEMENTS, appendReceipts, findHead } from './append-receipts.ts';
import { checkpointLeaf, checkpointNote, findInclusion, findLastCheckpoint, writeCheckpoint } from './checkpoint.ts';
import { leafHash, rootOfProof } from './merkle.ts';
import { readStream } from './read-stream.ts';
import { linkReceipt, linkReceipts, receiptText } from './receipt.ts';
import { createReceiptWriter } from './receipt-writer.ts';
import { replayStream, verifyStream } from './verify-stream.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

let streams = 0;
const newStream = (): string => `test/${++streams}`;

async function fill(stream: string, count: number): Promise<void> {
  await appendReceipts(
    db,
    linkReceipts(
      stream,
      await findHead(db, stream),
      Array.from({ length: count }, (_, i) => `{"n":${i}}`),
    ),
  );
}

/** What only somebody with the database's own superuser could do. */
async function tamper(sql: string, values: unknown[]): Promise<void> {
  await withSuperuser(async (client) => {
    await client.query('set session_replication_role = replica');
    await client.query(sql.replaceAll(':schema', `"${db.schema}"`), values);
  });
}

describe('append', () => {
  it('appends one receipt or a batch to the expected head', async () => {
    const stream = newStream();
    const first = linkReceipts(stream, undefined, ['{"a":1}']);
    expect(await appendReceipts(db, first)).toEqual(new Set([stream]));
    expect(await appendReceipts(db, linkReceipts(stream, first[0], ['{"b":1}', '{"c":1}']))).toEqual(new Set([stream]));
    expect((await readStream(db, stream, 0, 10)).map((r) => r.text)).toEqual(['{"a":1}', '{"b":1}', '{"c":1}']);
    expect(await verifyStream(db, stream)).toMatchObject({ count: 3 });
  });

  it('writes nothing to a stream whose head has moved, and everything to the others in the batch', async () => {
    const [stale, fresh] = [newStream(), newStream()];
    await fill(stale, 2);
    const lost = linkReceipts(stale, undefined, ['{"x":1}', '{"x":2}', '{"x":3}']);
    const taken = linkReceipts(fresh, undefined, ['{"y":1}', '{"y":2}']);
    expect(await appendReceipts(db, [...lost, ...taken])).toEqual(new Set([fresh]));
    expect(await verifyStream(db, stale)).toMatchObject({ count: 2 });
    expect(await verifyStream(db, fresh)).toMatchObject({ count: 2 });
  });

  it('refuses a first receipt that does not start from the genesis of its stream', async () => {
    const forged = linkReceipt('another', undefined, '{}');
    expect(await appendReceipts(db, [{ ...forged, stream: newStream() }])).toEqual(new Set());
  });

  it('commits or rolls back with the transaction it is given', async () => {
    const stream = newStream();
    const abandoned = db.transaction(async (tx) => {
      await appendReceipts(tx, linkReceipts(stream, undefined, ['{}']));
      throw new Error('changed my mind');
    });
    await expect(abandoned).rejects.toThrow('changed my mind');
    expect(await findHead(db, stream)).toBeUndefined();
    await db.transaction((tx) => appendReceipts(tx, linkReceipts(stream, undefined, ['{}'])));
    expect(await findHead(db, stream)).toMatchObject({ index: 0 });
  });

  it('cannot be undone in SQL: update, delete and truncate are refused, and so is a wrong hash', async () => {
    const stream = newStream();
    await fill(stream, 1);
    await expect(db.query("update :schema.receipt set body = '{}' where stream = $1", [stream])).rejects.toThrow(
      'append-only',
    );
    await expect(db.query('delete from :schema.receipt where stream = $1', [stream])).rejects.toThrow('append-only');
    await expect(db.query('truncate :schema.receipt')).rejects.toThrow('append-only');
    const forged = linkReceipt(stream, await findHead(db, stream), '{"true":1}');
    await expect(appendReceipts(db, [{ ...forged, text: '{"false":1}' }])).rejects.toThrow('append-only');
  });

  it('stores its kind in a column, whatever its text contains', async () => {
    const stream = newStream();
    const texts = [{ kind: 'other', more: '\0' }, 'x'.repeat(1000)].map((body) =>
      receiptText({ kind: 'tool.called', actor: 'user:u', body }, new Date()),
    );
    await appendReceipts(db, linkReceipts(stream, undefined, [...texts, 'not JSON']));
    const { rows } = await db.query('select kind from :schema.receipt where stream = $1 order by idx', [stream]);
    expect(rows).toEqual([{ kind: 'tool.called' }, { kind: 'tool.called' }, { kind: null }]);
  });

  it('is planned through the index even on an empty table, because a prepared plan stays', async () => {
    const empty = await openTestDatabase();
    for (const sql of APPEND_STATEMENTS) {
      const { rows } = await withSuperuser((client) =>
        client.query<{ 'QUERY PLAN': string }>(
          `explain (generic_plan) ${sql.replaceAll(':schema', `"${empty.schema}"`)}`,
        ),
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain('receipt_pkey');
      expect(plan).not.toMatch(/Seq Scan on receipt|hashed SubPlan/);
    }
    await empty.close();
  });
});

describe('the writer', () => {
  it('leaves a valid chain with every acknowledged append exactly once, whichever process appends', async () => {
    const stream = newStream();
    const others = await Promise.all([1, 2].map(() => openTestDatabase({ schema: db.schema })));
    const writers = [db, ...others].map((one) => createReceiptWriter({ db: one, clock: systemClock }));
    const acknowledged = await Promise.all(
      Array.from({ length: 300 }, (_, n) =>
        writers[n % writers.length]?.append(stream, { kind: 'test', actor: 'system:test', body: { n } }),
      ),
    );
    expect(new Set(acknowledged.map((receipt) => receipt?.index)).size).toBe(300);
    expect(await verifyStream(db, stream)).toMatchObject({ count: 300 });
    const stored = (await readStream(db, stream, 0, 1000)).map(
      (r) => (JSON.parse(r.text) as { body: { n: number } }).body.n,
    );
    expect(stored.sort((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, n) => n));
    await Promise.all(others.map((one) => one.close()));
  });

  it('serves many streams in one statement and drains', async () => {
    const names = Array.from({ length: 50 }, newStream);
    const writer = createReceiptWriter({ db, clock: systemClock });
    const appends = names.flatMap((stream) =>
      [1, 2, 3].map((n) => writer.append(stream, { kind: 'test', actor: 'system:test', body: { n } })),
    );
    await writer.drain();
    expect((await Promise.all(appends)).map((r) => r.index)).toEqual(names.flatMap(() => [0, 1, 2]));
  });

  it('neither loses nor duplicates appends when its connections are cut under load', async () => {
    const stream = newStream();
    // Under a name of its own: other test files use the same server.
    const applicationName = `cut-${db.schema}`;
    const own = await openTestDatabase({ schema: db.schema, applicationName });
    const writer = createReceiptWriter({ db: own, clock: systemClock });
    const cutting = (async () => {
      for (let i = 0; i < 8; i++) {
        await withSuperuser((client) =>
          client.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
            applicationName,
          ]),
        );
      }
    })();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 400 }, (_, n) => writer.append(stream, { kind: 'test', actor: 'system:test', body: { n } })),
    );
    await cutting;
    const acknowledged = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const stored = await replayStream(db, stream);
    for (const receipt of acknowledged) expect(stored[receipt.index]?.hash).toEqual(receipt.hash);
    expect(new Set(stored.map((r) => r.text.replace(/"at":"[^"]*"/, ''))).size).toBe(stored.length);
    await own.close();
  });
});

describe('verification of what is stored', () => {
  it('finds every kind of tampering at its index and refuses to replay', async () => {
    const cases = [
      {
        sql: `update :schema.receipt set body = body || ' ' where stream = $1 and idx = 2`,
        reason: 'hash_mismatch',
        index: 2,
      },
      {
        sql: `update :schema.receipt set hash = sha256(hash) where stream = $1 and idx = 3`,
        reason: 'hash_mismatch',
        index: 3,
      },
      {
        sql: `update :schema.receipt set prev = sha256(prev) where stream = $1 and idx = 1`,
        reason: 'prev_mismatch',
        index: 1,
      },
      { sql: `delete from :schema.receipt where stream = $1 and idx = 2`, reason: 'index_gap', index: 2 },
      { sql: `update :schema.receipt set idx = 77 where stream = $1 and idx = 4`, reason: 'index_gap', index: 4 },
      { sql: `update :schema.receipt set idx = -1 where stream = $1 and idx = 0`, reason: 'index_gap', index: 0 },
      { sql: `update :schema.receipt set hash = '' where stream = $1 and idx = 2`, reason: 'hash_mismatch', index: 2 },
      {
        sql: `update :schema.receipt set hash = convert_to(upper(encode(hash, 'hex')), 'UTF8') where stream = $1 and idx = 4`,
        reason: 'hash_mismatch',
        index: 4,
      },
      { sql: `update :schema.receipt set prev = '' where stream = $1 and idx = 0`, reason: 'prev_mismatch', index: 0 },
      {
        sql: `update :schema.receipt set prev = 'nonsense' where stream = $1 and idx = 3`,
        reason: 'prev_mismatch',
        index: 3,
      },
      { sql: `delete from :schema.receipt where stream = $1 and idx > 2`, reason: 'head_mismatch', index: 4 },
      { sql: `delete from :schema.receipt where stream = $1`, reason: 'head_mismatch', index: 4 },
    ];
    for (const { sql, reason, index } of cases) {
      const stream = newStream();
      await fill(stream, 5);
      await tamper(sql, [stream]);
      expect((await verifyStream(db, stream)).fault).toEqual({ reason, index });
      await expect(replayStream(db, stream)).rejects.toThrow(
        `Service runtime refused to replay invalid chain for stream '${stream}': ${reason} at index ${index}`,
      );
    }
  });

  it('detects a cut tail without a checkpoint, even after as much was appended again', async () => {
    const [stream, other] = [newStream(), newStream()];
    await fill(stream, 1);
    await fill(stream, 4);
    await tamper('delete from :schema.receipt where stream = $1 and idx > 1', [stream]);
    expect((await verifyStream(db, stream)).fault).toEqual({ reason: 'head_mismatch', index: 4 });
    for (let n = 0; n < 6; n++)
      await appendReceipts(db, [
        linkReceipt(stream, await findHead(db, stream), `{"again":${n}}`),
        ...linkReceipts(other, await findHead(db, other), ['{}', '{}']),
      ]);
    expect((await verifyStream(db, stream)).fault).toEqual({ reason: 'head_mismatch', index: 4 });
    await writeCheckpoint(db, new Date());
    expect((await verifyStream(db, stream)).fault).toEqual({ reason: 'head_mismatch', index: 4 });
    expect(await verifyStream(db, other)).toMatchObject({ count: 12 });
    expect((await verifyStream(db, other)).fault).toBeUndefined();
    const noted = await db.query('select idx from :schema.receipt_head where stream = $1', [other]);
    expect(noted.rows).toEqual([{ idx: 11 }]);
  });

  it('verifies a stream longer than a page', async () => {
    const stream = newStream();
    await fill(stream, 2_500);
    expect(await verifyStream(db, stream)).toMatchObject({ count: 2_500, head: { index: 2_499 } });
  });

  it('computes the same hashes in SQL and in the process, whatever the text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.string({ unit: 'grapheme', minLength: 1 }).filter((s) => !s.includes('\0')),
          { minLength: 1, maxLength: 5 },
        ),
        async (texts) => {
          const stream = newStream();
          expect(await appendReceipts(db, linkReceipts(stream, undefined, texts))).toEqual(new Set([stream]));
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('checkpoints', () => {
  it('commit to every head, so that a cut tail and a dropped stream are detected', async () => {
    const [cut, dropped, whole] = [newStream(), newStream(), newStream()];
    for (const stream of [cut, dropped, whole]) await fill(stream, 4);
    const checkpoint = await writeCheckpoint(db, new Date());
    expect(checkpoint?.root).toEqual((await findLastCheckpoint(db))?.root);
    expect(await writeCheckpoint(db, new Date())).toBeUndefined();

    await tamper('delete from :schema.receipt where stream = $1 and idx >= 2', [cut]);
    await tamper('delete from :schema.receipt where stream = $1', [dropped]);
    await fill(whole, 1);
    expect((await verifyStream(db, cut)).fault).toEqual({ reason: 'head_mismatch', index: 3 });
    expect((await verifyStream(db, dropped)).fault).toEqual({ reason: 'head_mismatch', index: 3 });
    expect((await verifyStream(db, whole)).fault).toBeUndefined();

    expect(await writeCheckpoint(db, new Date())).toBeDefined();
    expect((await verifyStream(db, dropped)).fault).toEqual({ reason: 'head_mismatch', index: 3 });
  });

  it('prove that a stream is under the root', async () => {
    const stream = newStream();
    await fill(stream, 3);
    const checkpoint = await writeCheckpoint(db, new Date('2026-01-01T00:00:00Z'));
    const inclusion = await findInclusion(db, stream);
    if (!checkpoint || !inclusion) throw new Error('expected a checkpoint and a proof');
    expect(
      rootOfProof(
        leafHash(checkpointLeaf(stream, inclusion.head)),
        inclusion.leaf,
        checkpoint.streams,
        inclusion.proof,
      ),
    ).toEqual(checkpoint.root);
    expect(checkpointNote(checkpoint)).toBe(
      `receipt-checkpoint/v1\n${checkpoint.id}\n2026-01-01T00:00:00.000Z\n${checkpoint.streams}\n${checkpoint.root.toString('hex')}\n`,
    );
  });
});
