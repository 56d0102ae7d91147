// Everything dies at random for two minutes while 200 planned times of schedules come, and 200 deliveries to triggers. Afterwards
// each has started one run, whichever process died when. SERVICE_TEST_SEED gives another order of deaths; the seed is printed.
import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
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

interface Begun {
  /** One for each run that is to start. */
  readonly wanted: readonly string[];
  /** Once all has been asked for and acknowledged. */
  readonly asked: Promise<unknown>;
}

/** What starts runs by itself: so many within a time. */
interface StandingLoad {
  begin(stand: RuntimeStand, count: number, overMs: number): Promise<Begun>;
  /** Which of those that are wanted a run is. */
  keyOf(run: { readonly idempotency_key: string; readonly objective: string }): string | undefined;
}

const AT_ONCE = 10;

async function plan(stand: RuntimeStand, at: number, afterMs: number): Promise<string> {
  const moment = new Date(Date.now() + afterMs).toISOString();
  const body = { name: `Time ${at}`, run: { objective: `sleep ${(at % 5) * 20}` }, at: moment };
  const { status, body: made } = await stand.request('POST', '/schedules', { body });
  expect(status, JSON.stringify(made)).toBe(201);
  return `schedule:${made.schedule.id}:${moment}`;
}

/** A trigger takes 60 deliveries a minute. */
const DELIVERIES_PER_TRIGGER = 20;

interface Source {
  readonly id: string;
  readonly secret: string;
}

async function makeTrigger(stand: RuntimeStand): Promise<Source> {
  const body = { name: 'Deliveries', run: { objective: 'look at {{label}}' }, source: 'generic' };
  const { status, body: made } = await stand.request('POST', '/triggers', { body });
  expect(status, JSON.stringify(made)).toBe(201);
  return { id: made.trigger.id, secret: made.secret };
}

/** Sends the same until it is acknowledged, as a sender does that has no answer. */
function deliver(stand: RuntimeStand, { id, secret }: Source, label: string): Promise<boolean> {
  const body = JSON.stringify({ label });
  return poll(async () => {
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const answer = await fetch(`${stand.url}/hooks/${id}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-service-timestamp': timestamp,
        'x-service-signature': `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`,
      },
      body,
      signal: AbortSignal.timeout(10_000),
    }).catch(() => undefined);
    await answer?.body?.cancel().catch(() => {});
    expect([undefined, 200, 202, 429, 500, 502, 503, 504]).toContain(answer?.status);
    return answer?.ok === true;
  }, 250);
}

const LOADS = {
  'planned times': {
    async begin(stand, count, overMs) {
      const wanted: string[] = [];
      while (wanted.length < count) {
        const batch = Array.from({ length: Math.min(AT_ONCE, count - wanted.length) }, (_, at) => wanted.length + at);
        wanted.push(...(await Promise.all(batch.map((at) => plan(stand, at, 5_000 + (overMs * at) / count)))));
      }
      return { wanted, asked: Promise.resolve() };
    },
    keyOf: ({ idempotency_key: key }) => (key.startsWith('schedule:') ? key : undefined),
  },
  deliveries: {
    async begin(stand, count, overMs) {
      const wanted = Array.from({ length: count }, (_, at) => `delivery-${at}`);
      const triggers: Source[] = [];
      while (triggers.length * DELIVERIES_PER_TRIGGER < count) triggers.push(await makeTrigger(stand));
      const asked = wanted.map(async (label, at) => {
        await sleep((overMs * at) / count);
        const trigger = triggers[at % triggers.length];
        if (trigger) await deliver(stand, trigger, label);
      });
      return { wanted, asked: Promise.all(asked) };
    },
    keyOf: ({ idempotency_key: key, objective }) =>
      key.startsWith('trigger:') ? /delivery-\d+/.exec(objective)?.[0] : undefined,
  },
} as const satisfies Record<string, StandingLoad>;

let world: DeathWorld;
beforeAll(async () => {
  world = await openDeathWorld({
    SERVICE_SCHEDULES_PER_PERSON: '10000',
    SERVICE_CONNECTION_ENCRYPTION_KEY_B64: randomBytes(32).toString('base64'),
  });
});
afterAll(() => world?.close());

/** The runs of a load, by what is wanted of it. */
async function readStarted(load: StandingLoad): Promise<Map<string, string[]>> {
  const { rows } = await world.db.query<{ id: string; idempotency_key: string; objective: string }>(
    'select id, idempotency_key, objective from :schema.job where started_by is not null',
  );
  const found = new Map<string, string[]>();
  for (const run of rows) {
    const key = load.keyOf(run);
    if (key !== undefined) found.set(key, [...(found.get(key) ?? []), run.id]);
  }
  return found;
}

it(`each of ${COUNT} starts one run (seed ${SEED})`, async () => {
  const begun = await Promise.all(
    Object.entries<StandingLoad>(LOADS).map(async ([name, load]) => ({
      name,
      load,
      ...(await load.begin(world.stand, COUNT, CHAOS_MS)),
    })),
  );
  await Promise.all([world.killFor(CHAOS_MS + 3_000, seeded(SEED)), ...begun.map(({ asked }) => asked)]);
  const late = performance.now() + RECOVERY_MS;
  const results = await Promise.all(
    begun.map(async ({ name, load, wanted }) => {
      const missedOf = (found: ReadonlyMap<string, unknown>): string[] => wanted.filter((key) => !found.has(key));
      await poll(async () => missedOf(await readStarted(load)).length === 0 || performance.now() > late, 500);
      const found = await readStarted(load);
      const missed = missedOf(found);
      const doubled = [...found].filter(([key, ids]) => ids.length > 1 || !wanted.includes(key));
      process.stdout.write(
        `${name}: ${found.size} started, ${missed.length} missed, ${doubled.length} doubled (seed ${SEED})\n`,
      );
      return { name, missed, doubled, ids: [...found.values()].flat() };
    }),
  );
  for (const { name, missed, doubled } of results)
    expect({ missed, doubled }, name).toEqual({ missed: [], doubled: [] });
  const outcomes = async (): Promise<object[]> =>
    (await world.db.query('select outcome, count(*)::int as count from :schema.schedule_firing group by outcome')).rows;
  // What a process that died had claimed is recorded by another once its lease has ended.
  await expect.poll(outcomes, { timeout: RECOVERY_MS, interval: 500 }).toEqual([{ outcome: 'started', count: COUNT }]);
  await expectAllEndedOnce(
    world.db,
    results.flatMap(({ ids }) => ids),
  );
});
