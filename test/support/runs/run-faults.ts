// Runs that are started while their processes die, and what must be true of them afterwards.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { runProjection } from '../../../src/audit/find-run-head.ts';
import { verifyStream } from '../../../src/receipts/verify-stream.ts';
import type { Database } from '../../../src/store/database.ts';
import type { RuntimeStand } from './runtime-stand.ts';
import { poll } from '../poll.ts';

const RECOVERY_MS = 30_000;

/** Starts runs, ten at a time, until so many are recorded; some fail, some take a moment, some leave a file. */
export async function startRuns(stand: RuntimeStand, count: number, overMs: number, name = 'run'): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at += 10) {
    ids.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(10, count - at) }, (_, offset) => startSurely(stand, at + offset, name)),
      )),
    );
    // Spreads them over the time, so that the fault meets runs of every age.
    await sleep(overMs / (count / 10));
  }
  return ids;
}

/** Repeats the request until it is acknowledged; the key makes it one run. */
function startSurely(stand: RuntimeStand, at: number, name: string): Promise<string> {
  return poll(async () => {
    const objective = at % 5 === 0 ? 'fail' : at % 5 === 1 ? `artifact ${at}` : `sleep ${(at % 7) * 30}`;
    const answer = await stand
      .request('POST', '/agents/factory/jobs', {
        body: { objective, kind: at % 2 === 0 ? 'chat' : 'control', idempotencyKey: `${name}-${at}` },
      })
      .catch(() => undefined);
    return answer?.status === 202 && (answer.body.job.id as string);
    // As a patient client would: what is broken is not to be flooded as well.
  }, 200);
}

/** Every run has ended once, within the time that recovery may take, on a chain that verifies. */
export async function expectAllEndedOnce(
  db: Database,
  ids: readonly string[],
  recoveryMs = RECOVERY_MS,
  mostAttempts = 3,
): Promise<void> {
  expect(new Set(ids).size).toBe(ids.length);
  const open = async (): Promise<number> =>
    (await db.query('select 1 from :schema.job where id = any($1) and ended_at is null', [ids])).rowCount;
  await expect.poll(open, { timeout: recoveryMs, interval: 500 }).toBe(0);
  const { rows } = await db.query<{
    id: string;
    status: string;
    error: string | null;
    attempt: number;
    head_idx: number;
    head_hash: Buffer;
    finals: number;
  }>(
    `select j.id, j.status, j.error, j.attempt, j.head_idx, j.head_hash,
       (select count(*) from :schema.receipt r where r.stream = 'jobs/' || j.id and r.kind in ('job.completed', 'job.failed', 'job.aborted')) as finals
     from :schema.job j where j.id = any($1)`,
    [ids],
  );
  expect(rows).toHaveLength(ids.length);
  for (const row of rows) {
    expect(row).toMatchObject({ finals: 1 });
    expect(row.attempt).toBeLessThanOrEqual(mostAttempts);
    expect(
      (
        await verifyStream(
          db,
          `jobs/${row.id}`,
          runProjection(db, row.id, { index: row.head_idx, hash: row.head_hash }),
        )
      ).fault,
    ).toBeUndefined();
  }
  const completed = rows.filter(({ status }) => status === 'completed').length;
  expect(completed, rows.map(({ status, error }) => error ?? status).join('\n')).toBeGreaterThan(ids.length / 2);
}
