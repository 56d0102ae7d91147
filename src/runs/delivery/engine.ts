import type { Json } from '../../base/canonical-json.ts';
import type { RunStorage } from '../../enforcement/storage.ts';
import type { Job } from '../record/job.ts';
import type { JobKind } from '../record/job-states.ts';
import type { ReleaseReason } from '../record/release-job.ts';

/** One attempt at a run, as whoever executes it sees it. */
export interface Run {
  readonly job: Job;
  /** Whether somebody has begun it before, in this attempt or an earlier one. */
  readonly begunBefore: boolean;
  /** Aborted when the run is no longer this worker's: somebody aborted it, or another worker has it. */
  readonly signal: AbortSignal;
  /** Files that the run leaves go here; created when first asked for. */
  artifacts(): Promise<string>;
  /** What those files take of the organization's storage; absent where nothing bounds it. */
  readonly storage?: RunStorage;
  /**
   * Appends a job.progress receipt: short facts, no content. What a person may want to read goes into `detail`: it is
   * kept in the run's log, and the receipt has its hash. Throws once the run is no longer this worker's.
   */
  progress(fact: Readonly<Record<string, Json>>, detail?: Json): Promise<void>;
}

/** Executes a run; what it returns is the result. A refusal it throws is the run's failure. */
export type Engine = (run: Run) => Promise<Json>;

/** What executes the runs of people, by kind. Undefined: such runs wait, and say so. */
export type Engines = Readonly<Record<JobKind, Engine | undefined>>;

/** Whether something executes runs of a kind: all that the role which takes them has to know. */
export type EngineKinds = Readonly<Record<JobKind, unknown>>;

/** What this build can execute. Runs of the other kinds wait, and say so. */
export const ENGINE_KINDS: Readonly<Record<JobKind, boolean>> = { chat: true, control: true, codex: true };

/** A failure with words for the person who started the run. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** What the attempt stood on is gone, through no fault of the run: it begins again while attempts are left. */
export class RunInterrupted extends Error {
  override readonly name = 'RunInterrupted';
  readonly reason: string;

  constructor(reason: string) {
    super(`the attempt was interrupted: ${reason}`);
    this.reason = reason;
  }
}

/** What the attempt stood on was stopped in order: the run is given back and goes on at the same attempt. */
export class RunReleased extends Error {
  override readonly name = 'RunReleased';
  readonly reason: ReleaseReason;

  constructor(reason: ReleaseReason) {
    super(`the attempt was given back: ${reason}`);
    this.reason = reason;
  }
}
