import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import { systemClock } from '../base/clock.ts';
import type { Database } from '../store/database.ts';
import { writeCheckpoint } from './checkpoint.ts';
import { describeReceipts } from './describe-receipts.ts';
import { readReceiptFigures } from './read-receipt-figures.ts';
import { createReceiptWriter } from './receipt-writer.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

it('counts nothing in an empty log', async () => {
  expect(await readReceiptFigures(db)).toEqual({
    total: 0,
    streams: 0,
    exact: true,
    counter: 0,
    lastCheckpointAt: undefined,
  });
});

it('counts receipts and streams exactly, and marks estimates above the bound', async () => {
  const writer = createReceiptWriter({ db, clock: systemClock });
  const streams = ['connect/ws_1', 'connect/ws_1', 'jobs/job_1', 'jobs/job_1', 'jobs/job_1', 'jobs/job_2'];
  await Promise.all(
    streams.map((stream) => writer.append(stream, { kind: 'job.queued', actor: 'system:test', body: {} })),
  );
  const at = new Date('2026-02-03T04:05:06.000Z');
  await writeCheckpoint(db, at);

  expect(await readReceiptFigures(db)).toEqual({ total: 6, streams: 3, exact: true, counter: 6, lastCheckpointAt: at });
  const estimated = await readReceiptFigures(db, 2);
  expect(estimated).toMatchObject({ streams: 3, exact: false, lastCheckpointAt: at });

  const described = await describeReceipts(db);
  expect(described).toMatchObject({ total: 6, streams: 3, checkpoints: [{ streams: 3, at }] });
  expect(described['atLastCheckpoint']).toMatchObject({
    byKind: [
      { kind: 'jobs', streams: 2, receipts: 4 },
      { kind: 'connect', streams: 1, receipts: 2 },
    ],
    longestStreams: [
      { stream: 'jobs/job_1', receipts: 3 },
      { stream: 'connect/ws_1', receipts: 2 },
      { stream: 'jobs/job_2', receipts: 1 },
    ],
  });
});
