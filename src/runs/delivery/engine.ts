import type { Json } from '../../base/canonical-json.ts';
import type { RunStorage } from '../../enforcement/storage.ts';
import type { Run } from '../record/run.ts';
import type { RunKind } from '../record/run-states.ts';
import type { ReleaseReason } from '../record/release-run.ts';

/** One attempt at a run, as its engine sees it. */
export interface RunAttempt {
  readonly run: Run;
  /** Whether the run has begun before, in this attempt or an earlier one. */
  readonly begunBefore: boolean;
  /** Aborted when the run is no longer this worker's: it was aborted, or another worker has it. */
  readonly signal: AbortSignal;
  /** The directory for the run's files, created on first use. */
  artifacts(): Promise<string>;
  /** Counts those files against the organization's storage; absent when storage is unlimited. */
  readonly storage?: RunStorage;
  /** From now on these are struck out of what is recorded of the run. */
  hide?(secrets: readonly Buffer[]): void;
  /**
   * Appends a job.progress receipt: short facts, no content. Content for people to read goes into `detail`, which is kept
   * in the run's log and named by hash in the receipt. Returns the index of the receipt, which is the id of the event;
   * undefined once the run has recorded as many as it may. Throws once the run is no longer this worker's.
   */
  progress(fact: Readonly<Record<string, Json>>, detail?: Json): Promise<number | undefined>;
}

/** Executes a run and returns its result. An AppError that it throws becomes the run's failure. */
export type Engine = (attempt: RunAttempt) => Promise<Json>;

/** The engines for people's runs, by kind. Runs of a kind without an engine wait and show why. */
export type Engines = Readonly<Record<RunKind, Engine | undefined>>;

/** Whether there is an engine for a kind: all that the role that accepts runs needs to know. */
export type EngineKinds = Readonly<Record<RunKind, unknown>>;

/** What this build can execute. */
export const ENGINE_KINDS: Readonly<Record<RunKind, boolean>> = { chat: true, control: true, codex: true };

/** A failure with a message for the person who started the run. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The reason of the attempt's signal when the run was ended from outside: nobody else goes on with it. */
export class RunEnded extends Error {
  override readonly name = 'RunEnded';
}

/** Something that the attempt depended on is gone, through no fault of the run: it begins again while attempts are left. */
export class RunInterrupted extends Error {
  override readonly name = 'RunInterrupted';
  readonly reason: string;

  constructor(reason: string) {
    super(`the attempt was interrupted: ${reason}`);
    this.reason = reason;
  }
}

/** Something that the attempt depended on was shut down properly: the run is given back and keeps its attempt. */
export class RunReleased extends Error {
  override readonly name = 'RunReleased';
  readonly reason: ReleaseReason;

  constructor(reason: ReleaseReason) {
    super(`the attempt was given back: ${reason}`);
    this.reason = reason;
  }
}
