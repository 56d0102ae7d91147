// Keeps this process's row in the process table fresh until it stops. The timer also keeps a role without a port alive.
// A failing database does not stop the process: it is logged once, and the process goes on.
import { hostname } from 'node:os';
import { newId } from '../base/ids.ts';
import type { Log } from '../telemetry/log.ts';
import { measureProcess } from '../telemetry/process-figures.ts';
import { every } from '../timing/every.ts';
import type { Database } from './database.ts';
import {
  CLOCK_AHEAD,
  CLOCK_OFF_MS,
  type Figures,
  type ProcessIdentity,
  type ProcessState,
  recordProcess,
  removeProcess,
  sweepProcesses,
} from './process-registry.ts';

const BEAT_MS = 5_000;
const SWEEP_EVERY_BEATS = 12;
const LEAVE_TIMEOUT_MS = 2_000;

export interface Announced {
  readonly identity: ProcessIdentity;
  /** Shows the process as stopping while it finishes its work. */
  stopping(): Promise<void>;
  /** Removes the row and ends the heartbeat. */
  close(): Promise<void>;
}

export interface AnnounceOptions {
  readonly role: string;
  readonly version: string;
  readonly build?: string;
  readonly group?: string;
  readonly log: Log;
  /** Figures of the role, shown beside memory and processor. */
  readonly figures?: () => Figures;
  readonly beatMs?: number;
}

export async function announceProcess(db: Database, options: AnnounceOptions): Promise<Announced> {
  const { role, version, build, group, log } = options;
  const identity: ProcessIdentity = {
    id: newId('proc'),
    role,
    host: hostname(),
    pid: process.pid,
    version,
    build,
    group,
    startedAt: new Date(),
  };
  const measured = measureProcess();
  let state: ProcessState = 'running';
  let beats = 0;
  let failing = false;

  async function write(): Promise<void> {
    try {
      await recordProcess(db, identity, state, {
        ...measured.read(),
        ...options.figures?.(),
        [CLOCK_AHEAD]: db.clock?.aheadMs() ?? 0,
      });
      warnOfClock();
      if (beats++ % SWEEP_EVERY_BEATS === 0) await sweepProcesses(db);
      failing = false;
    } catch (error) {
      if (!failing) log.warn({ err: error }, 'could not write to the process table, will retry at every heartbeat');
      failing = true;
    }
  }

  let wasOff = false;
  function warnOfClock(): void {
    const aheadMs = db.clock?.aheadMs() ?? 0;
    const isOff = Math.abs(aheadMs) > CLOCK_OFF_MS;
    if (isOff && !wasOff)
      log.warn({ aheadMs }, 'clock of this machine differs from that of the database; times of runs are corrected');
    wasOff = isOff;
  }

  const beat = every({ everyMs: options.beatMs ?? BEAT_MS, task: 'heartbeat', log, run: write });
  await beat.run();
  return {
    identity,
    async stopping() {
      state = 'stopping';
      await within(LEAVE_TIMEOUT_MS, beat.run());
    },
    async close() {
      measured.stop();
      await within(
        LEAVE_TIMEOUT_MS,
        beat.stop().then(() => removeProcess(db, identity.id)),
      );
    },
  };
}

/** Stopping must not hang on a database that is gone; the row is swept later. */
async function within(timeoutMs: number, work: Promise<void>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  await Promise.race([work.catch(() => {}), late]);
  clearTimeout(timer);
}
