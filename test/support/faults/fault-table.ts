// What goes wrong around a deployment, one row per fault: how it is caused, what the service reports meanwhile, and how
// the cause goes away. The service recovers by itself.
import { setTimeout as sleep } from 'node:timers/promises';
import { fakeClockMissing } from '../fake-clock.ts';
import { farHostMissing } from './far-host.ts';
import type { FaultWorld } from './fault-world.ts';
import { DEBUG_TOKEN } from '../runs/runtime-stand.ts';
import type { Program } from '../watch-process.ts';
import { whyNoMountedDisk } from './mounted-disk.ts';
import { poll } from '../poll.ts';

export interface FaultRow {
  /** Why it cannot be tried on this machine. */
  readonly leftOut?: string | undefined;
  /** Part of `npm test`. */
  readonly short?: true;
  /** Whether runs that had begun must begin again elsewhere. */
  readonly beginsAgain?: true;
  /** Resolves once an earlier fault can no longer be taken for this one. */
  ready?(world: FaultWorld): Promise<void>;
  /** Answers runs of its own, if it has started any. */
  cause(world: FaultWorld): Promise<string[] | void> | void;
  /** Resolves with what was said while the cause lasted. */
  sign(world: FaultWorld): Promise<string>;
  cure(world: FaultWorld): Promise<void> | void;
}

const disks = whyNoMountedDisk();

/** The next line, among those to come of any of these, that holds the text. */
function next(processes: readonly Program[], text: string): Promise<string> {
  return Promise.any(processes.map((one) => one.says(text)));
}

/** What the health of the api role says once it fails, and how a new run is refused. */
function unhealthy({ stand }: FaultWorld): Promise<string> {
  return poll(async () => {
    const { status, body } = await stand.request('GET', '/healthz');
    if (status !== 503) return false;
    const refused = await stand.request('POST', '/agents/factory/jobs', { body: { objective: 'refused meanwhile' } });
    return (
      refused.status === 503 && `healthz: ${body.details.database}; a new run: ${refused.status} ${refused.body.error}`
    );
  });
}

/** A fault of the database is logged once, until none was met for half a minute: only then is it logged again. */
async function noFaultOpen({ lines }: Program, fault: string): Promise<void> {
  const isOpen = (): boolean =>
    (lines.findLast((line) => line.includes(`"fault":"${fault}"`)) ?? '').includes('"level":"warn"');
  await poll(() => !isOpen());
}

const HOLDS_A_LONG_RUN = `
select from :schema.broker_task t
  join :schema.process p on p.id = t.pid
  join :schema.job j on strpos(t.id, j.id) > 0
 where p.pid = $1 and j.id = any($2)`;

/** Starts long runs until this worker holds one of them: the broker may give any run to any worker. */
async function beginRunsOn({ stand }: FaultWorld, worker: Program | undefined): Promise<string[]> {
  for (const ids: string[] = []; ;) {
    const batch = await Promise.all(Array.from({ length: 6 }, () => stand.run('sleep 6000', { kind: 'chat' })));
    ids.push(...batch);
    await Promise.all(batch.map((id) => stand.until(id, 'running', 'completed')));
    if ((await stand.db.query(HOLDS_A_LONG_RUN, [worker?.child.pid, batch])).rowCount > 0) return ids;
  }
}

let far: Awaited<ReturnType<FaultWorld['startFarWorker']>> | undefined;

export const FAULTS: Readonly<Record<string, FaultRow>> = {
  'PostgreSQL refuses connections': {
    short: true,
    cause: ({ database }) => database.refuse(),
    sign: unhealthy,
    cure: ({ database }) => database.accept(),
  },
  'PostgreSQL is slow': {
    cause: ({ database }) => database.delay(300),
    async sign({ stand }) {
      return poll(async () => {
        const { body } = await stand.request('GET', '/service-debug/health', { token: DEBUG_TOKEN });
        const detail: string = body.checks?.find(({ name }: { name: string }) => name === 'database')?.detail ?? '';
        return Number(/answers in ([\d.]+) ms/.exec(detail)?.[1] ?? 0) >= 600 && `health: ${detail}`;
      });
    },
    cure: ({ database }) => database.delay(0),
  },
  'connections to PostgreSQL are half open': {
    ready: ({ parts }) => noFaultOpen(parts.api, 'away'),
    cause: ({ database }) => database.abandon(),
    sign: ({ parts }) => next([parts.api], 'the database cannot be reached'),
    cure: () => {},
  },
  'connections to the broker are half open': {
    cause: ({ broker }) => broker.abandon(),
    sign: ({ parts }) => next(parts.workers, 'broker sends no keep-alives'),
    cure: () => {},
  },
  'a worker is frozen': {
    beginsAgain: true,
    async cause(world) {
      const begun = await beginRunsOn(world, world.parts.workers[0]);
      world.parts.workers[0]?.child.kill('SIGSTOP');
      return begun;
    },
    sign: ({ parts }) => next([parts.broker], 'process lost: no heartbeat'),
    cure: ({ parts }) => void parts.workers[0]?.child.kill('SIGCONT'),
  },
  'the host of a worker vanishes': {
    leftOut: farHostMissing(),
    beginsAgain: true,
    async cause(world) {
      far = await world.startFarWorker();
      const begun = await beginRunsOn(world, far.worker);
      far.host.vanish();
      return begun;
    },
    sign: ({ parts }) => next([parts.broker], 'process lost: no heartbeat'),
    cure: async () => void (await far?.worker.stop('SIGKILL')),
  },
  'the clock of the hosts jumps an hour ahead, then back': {
    leftOut: fakeClockMissing,
    cause: ({ clock }) => clock.shift(3_600),
    async sign({ stand, clock }) {
      const said = async (): Promise<string> =>
        (await stand.request('GET', '/healthz')).status === 200 ? 'healthz: ok, as it should be' : said();
      // Long enough under either clock for leases and timers to notice it.
      await sleep(5_000);
      clock.shift(-3_600);
      await sleep(5_000);
      return said();
    },
    cure: ({ clock }) => clock.shift(0),
  },
  'the data directory is full': {
    leftOut: disks,
    short: true,
    cause: ({ data }) => data?.fill(),
    sign: ({ parts }) => next(parts.workers, 'because storage failed'),
    cure: ({ data }) => data?.free(),
  },
  'the disk of the database is full': {
    leftOut: disks,
    short: true,
    cause: ({ tables }) => tables?.fill(),
    sign: ({ parts }) => next([parts.api], 'no space left on its disk'),
    cure: ({ tables }) => tables?.free(),
  },
};
