// One fault while runs are started: no acknowledged run is lost, each has one final receipt, and the service reports
// what is wrong and recovers by itself.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { FaultRow } from './fault-table.ts';
import type { FaultWorld } from './fault-world.ts';
import { expectAllEndedOnce, startRuns } from '../runs/run-faults.ts';

export interface FaultFigures {
  readonly name: string;
  readonly said: string;
  readonly runs: number;
  readonly again: number;
  readonly saidAfterMs: number;
  readonly backAfterMs: number;
}

export interface TryOptions {
  readonly runs: number;
  /** Runs begin over this time; the fault comes within its first half. */
  readonly overMs: number;
  readonly recoveryMs: number;
  readonly random: () => number;
}

export async function tryFault(
  world: FaultWorld,
  [name, row]: readonly [string, FaultRow],
  { runs, overMs, recoveryMs, random }: TryOptions,
): Promise<FaultFigures> {
  const { stand } = world;
  await row.ready?.(world);
  const label = `${name} ${random()}`;
  const starting = startRuns(stand, runs, overMs, label);
  // The moment of the fault is the seed's choice.
  await sleep(random() * (overMs / 2));
  const causedAt = performance.now();
  // The sign must be awaited before it can appear.
  const signed = row.sign(world);
  const begun = (await row.cause(world)) ?? [];
  // A fault shows only under load: runs are started until it does.
  const progress = { isSigned: false };
  const more = (async () => {
    const ids: string[] = [];
    for (let batch = 0; !progress.isSigned; batch++)
      ids.push(...(await startRuns(stand, 10, 500, `${label} and ${batch}`)));
    return ids;
  })();
  const said = await signed;
  progress.isSigned = true;
  const saidAfterMs = performance.now() - causedAt;
  // A worker that thaws before another one has taken its run may still end it: that run has one final receipt, too.
  const stillFirst = async (): Promise<number> =>
    (await stand.db.query("select from :schema.job where id = any($1) and status = 'running' and attempt = 1", [begun]))
      .rowCount;
  if (row.beginsAgain) await expect.poll(stillFirst, { timeout: recoveryMs }).toBe(0);
  await row.cure(world);
  const curedAt = performance.now();
  const ids = [...begun, ...(await starting), ...(await more)];
  await expectAllEndedOnce(stand.db, ids, recoveryMs);
  await expect.poll(async () => (await stand.request('GET', '/healthz')).status, { timeout: recoveryMs }).toBe(200);
  const { rows } = await stand.db.query<{ again: number }>(
    'select count(*) filter (where attempt > 1) as again from :schema.job where id = any($1)',
    [ids],
  );
  if (row.beginsAgain) expect(rows[0]?.again).toBeGreaterThan(0);
  return {
    name,
    said: said.slice(0, 400),
    runs: ids.length,
    again: rows[0]?.again ?? 0,
    saidAfterMs: Math.round(saidAfterMs),
    backAfterMs: Math.round(performance.now() - curedAt),
  };
}

export function printFigures(seed: number, figures: readonly FaultFigures[]): void {
  const lines = figures.map(
    ({ name, runs, again, saidAfterMs, backAfterMs, said }) =>
      `${name}: ${runs} runs, ${again} begun again; said after ${saidAfterMs} ms; all ended ${backAfterMs} ms after the cause was gone\n    ${said}`,
  );
  process.stdout.write(`${[`Faults with seed ${seed}:`, ...lines].join('\n')}\n`);
}
