// Hands runs from the record to the broker. The run's row is the outbox: it says when to check again, so a run that the
// broker did not get, or whose call ended before the run did, is handed over again by the first api process to check.
import type { Log } from '../../telemetry/log.ts';
import { traceHeaders } from '../../telemetry/telemetry.ts';
import type { RoleBroker } from '../../broker/client/connect-role.ts';
import type { Queryable } from '../../store/database.ts';
import { CALL_TIMEOUT_MS, DRIVE, type DriveArgument } from './drive-run.ts';
import type { EngineKinds } from './engine.ts';
import { type Run, runColumns, type RunRow, toRun } from '../record/run.ts';
import { every } from '../../timing/every.ts';
import { limitConcurrency } from '../../timing/limit-concurrency.ts';

export interface DispatchDeps {
  readonly db: Queryable;
  readonly broker: Pick<RoleBroker, 'call' | 'cancel' | 'resonate'>;
  readonly driverGroup: string;
  readonly engines: EngineKinds;
  readonly log: Log;
}

export interface Dispatcher {
  /** Hands a run over in the background; the sweep retries what fails. */
  dispatch(run: Run): void;
  /** Tells the broker that the result is no longer needed. */
  cancel(run: Run): void;
  /** Checks the runs that are due; also what the timer does. */
  sweep(): Promise<void>;
  stop(): Promise<void>;
}

const SWEEP_EVERY_MS = 2_000;
const AT_ONCE = 64;
const DUE_MAX = 200;

const DUE = `
update :schema.job j set look_at = now() + interval '20 seconds'
from (select id from :schema.job where look_at <= now() order by look_at limit ${DUE_MAX} for update skip locked) due
where j.id = due.id
returning ${runColumns('j')}`;

const UNREACHED =
  "update :schema.job set waiting_reason = 'broker_unavailable', look_at = now() + interval '3 seconds', changed_by = pg_current_xact_id() where id = $1 and status = 'queued'";
const REACHED =
  "update :schema.job set waiting_reason = null, changed_by = pg_current_xact_id() where id = $1 and status = 'queued' and waiting_reason = 'broker_unavailable'";
const NEXT_ROUND =
  "update :schema.job set round = $2 where id = $1 and round = $2 - 1 and status in ('queued', 'running')";
/** Runs that waited for an engine that this build has. */
const WAKE =
  "update :schema.job set waiting_reason = null, look_at = now() where status = 'queued' and waiting_reason = 'sandbox_engine_unavailable' and kind = any($1::text[])";

/** The run's own id for the first call; each later call gets a new one. */
export function callId({ id, round }: Pick<Run, 'id' | 'round'>): string {
  return round === 0 ? id : `${id}.${round}`;
}

interface HandOver {
  /** Calls the driver; a failure is recorded on the run, and the sweep retries. */
  handOver(run: Run, trace?: string): Promise<void>;
  recheck(run: Run): Promise<void>;
}

function createHandOver({ db, broker, driverGroup, log }: DispatchDeps, isStopped: () => boolean): HandOver {
  async function call(run: Run, trace: string | undefined): Promise<void> {
    const tenant = run.organizationId ?? 'service';
    const argument: DriveArgument = { job: run.id, kind: run.kind, tenant, ...(trace === undefined ? {} : { trace }) };
    await broker.call(callId(run), DRIVE, argument, { target: driverGroup, timeoutMs: CALL_TIMEOUT_MS, tenant });
  }

  async function handOver(run: Run, trace?: string): Promise<void> {
    try {
      await call(run, trace);
      if (run.waitingReason !== undefined) await db.query(REACHED, [run.id]);
    } catch (error) {
      if (isStopped()) return;
      log.warn({ job: run.id, err: error }, 'could not hand run to the broker, will retry');
      await db.query(UNREACHED, [run.id]).catch(() => {});
    }
  }

  /** A pending call is left alone; one that ended before its run is made again under the next id. */
  async function recheck(run: Run): Promise<void> {
    const state = await stateOfCall(broker, callId(run)).catch(() => 'unknown' as const);
    if (state === 'unknown') return handOver(run);
    if (state === 'pending') {
      if (run.waitingReason === 'broker_unavailable') await db.query(REACHED, [run.id]);
      return;
    }
    if (state === 'absent') return handOver(run);
    const next = { ...run, round: run.round + 1 };
    const { rowCount } = await db.query(NEXT_ROUND, [run.id, next.round]);
    if (rowCount === 1) await handOver(next);
  }

  return { handOver, recheck };
}

export function createDispatcher(deps: DispatchDeps): Dispatcher {
  const { db, broker, engines, log } = deps;
  const gate = limitConcurrency(() => AT_ONCE);
  const open = new Set<Promise<void>>();
  let stopped = false;
  const { handOver, recheck } = createHandOver(deps, () => stopped);

  function track(work: Promise<void>): void {
    const tracked = work.finally(() => open.delete(tracked));
    open.add(tracked);
  }

  async function recheckDue(): Promise<void> {
    const { rows } = await db.query<RunRow>(DUE);
    await Promise.all(rows.map((row) => gate(() => recheck(toRun(row)))));
  }

  async function wake(kinds: readonly string[]): Promise<void> {
    await db
      .query(WAKE, [kinds])
      .catch((error: Error) => log.warn({ err: error }, 'could not wake the runs that waited for an engine'));
  }

  const able = Object.entries(engines).flatMap(([kind, engine]) => (engine ? [kind] : []));
  if (able.length > 0) track(wake(able));
  const sweep = every({ everyMs: SWEEP_EVERY_MS, task: 'checking due runs', log, run: recheckDue });

  return {
    dispatch(run) {
      // Read now: by the time the gate lets it through, another request is current.
      const { traceparent } = traceHeaders();
      if (!stopped) track(gate(() => handOver(run, traceparent)));
    },
    cancel(run) {
      if (!stopped)
        track(
          broker
            .cancel(callId(run))
            .catch((error: Error) =>
              log.debug({ job: run.id, err: error }, 'could not cancel the call of an aborted run'),
            ),
        );
    },
    sweep: sweep.run,
    async stop() {
      stopped = true;
      await Promise.race([
        Promise.all([sweep.stop(), ...open]),
        new Promise((resolve) => setTimeout(resolve, 2_000).unref()),
      ]);
    },
  };
}

async function stateOfCall(
  broker: Pick<RoleBroker, 'resonate'>,
  id: string,
): Promise<'absent' | 'pending' | 'settled'> {
  try {
    const { state } = await broker.resonate.promises.get(id);
    return state === 'pending' ? 'pending' : 'settled';
  } catch (error) {
    if (isNotFound(error)) return 'absent';
    throw error;
  }
}

/** How the SDK reports a 404 of the broker. */
function isNotFound(error: unknown): boolean {
  return error instanceof Error && (error as { serverError?: { code?: unknown } }).serverError?.code === 404;
}
