// Everything dies at random for two minutes while 200 planned times of schedules come. Afterwards each has started one run,
// whichever process died when. SERVICE_TEST_SEED gives another order of deaths; the seed is printed.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seeded } from '../support/broker/broker-fuzz.ts';
import { type DeathWorld, openDeathWorld } from '../support/faults/death-world.ts';
import { poll } from '../support/poll.ts';
import { expectAllEndedOnce } from '../support/runs/run-faults.ts';
import type { RuntimeStand } from '../support/runs/runtime-stand.ts';

const COUNT = Number(process.env['SERVICE_TEST_RUNS'] ?? 200);
const SEED = Number(process.env['SERVICE_TEST_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const CHAOS_MS = Math.max(20_000, (COUNT / 200) * 120_000);
const RECOVERY_MS = 60_000;

/** What starts runs by itself: asks for so many within a time, and says under which keys they start. */
interface StandingLoad {
  readonly name: string;
  begin(stand: RuntimeStand, count: number, overMs: number): Promise<string[]>;
}

const AT_ONCE = 10;

async function plan(stand: RuntimeStand, at: number, afterMs: number): Promise<string> {
  const moment = new Date(Date.now() + afterMs).toISOString();
  const body = { name: `Time ${at}`, run: { objective: `sleep ${(at % 5) * 20}` }, at: moment };
  const { status, body: made } = await stand.request('POST', '/schedules', { body });
  expect(status, JSON.stringify(made)).toBe(201);
  return `schedule:${made.schedule.id}:${moment}`;
}

const LOADS: readonly StandingLoad[] = [
  {
    name: 'planned times',
    async begin(stand, count, overMs) {
      const keys: string[] = [];
      while (keys.length < count) {
        const batch = Array.from({ length: Math.min(AT_ONCE, count - keys.length) }, (_, at) => keys.length + at);
        keys.push(...(await Promise.all(batch.map((at) => plan(stand, at, 5_000 + (overMs * at) / count)))));
      }
      return keys;
    },
  },
];

let world: DeathWorld;
beforeAll(async () => {
  world = await openDeathWorld({ SERVICE_SCHEDULES_PER_PERSON: '10000' });
});
afterAll(() => world?.close());

async function readStarted(): Promise<Map<string, string[]>> {
  const { rows } = await world.db.query<{ id: string; key: string }>(
    'select id, idempotency_key as key from :schema.job where started_by is not null',
  );
  const found = new Map<string, string[]>();
  for (const { id, key } of rows) found.set(key, [...(found.get(key) ?? []), id]);
  return found;
}

it(`each of ${COUNT} starts one run (seed ${SEED})`, async () => {
  const wanted = (await Promise.all(LOADS.map((load) => load.begin(world.stand, COUNT, CHAOS_MS)))).flat();
  await world.killFor(CHAOS_MS + 3_000, seeded(SEED));
  const missedOf = (found: ReadonlyMap<string, unknown>): string[] => wanted.filter((key) => !found.has(key));
  const late = performance.now() + RECOVERY_MS;
  await poll(async () => missedOf(await readStarted()).length === 0 || performance.now() > late, 500);
  const found = await readStarted();
  const doubled = [...found].filter(([key, ids]) => ids.length > 1 || !wanted.includes(key));
  process.stdout.write(
    `${found.size} started, ${missedOf(found).length} missed, ${doubled.length} doubled (seed ${SEED})\n`,
  );
  expect({ missed: missedOf(found), doubled }).toEqual({ missed: [], doubled: [] });
  const outcomes = async (): Promise<object[]> =>
    (await world.db.query('select outcome, count(*)::int as count from :schema.schedule_firing group by outcome')).rows;
  // What a process that died had claimed is recorded by another once its lease has ended.
  await expect.poll(outcomes, { timeout: RECOVERY_MS, interval: 500 }).toEqual([{ outcome: 'started', count: COUNT }]);
  await expectAllEndedOnce(world.db, [...found.values()].flat());
});
