import type { Json } from '../base/canonical-json.ts';
import type { Job } from './job.ts';
import type { JobKind } from './job-states.ts';

/** One attempt at a run, as whoever executes it sees it. */
export interface Run {
  readonly job: Job;
  /** Aborted when the run is no longer this worker's: somebody aborted it, or another worker has it. */
  readonly signal: AbortSignal;
  /** Files that the run leaves go here; created when first asked for. */
  artifacts(): Promise<string>;
  /** Appends a job.progress receipt: short facts, no content. Throws once the run is no longer this worker's. */
  progress(body: Json): Promise<void>;
}

/** Executes a run; what it returns is the result. A refusal it throws is the run's failure. */
export type Engine = (run: Run) => Promise<Json>;

/** What executes the runs of people, by kind. Undefined: such runs wait, and say so. */
export type Engines = Readonly<Record<JobKind, Engine | undefined>>;

/** Runs of people are executed in a sandbox only; until its engines are here they wait. */
export const ENGINES: Engines = { chat: undefined, control: undefined, codex: undefined };

/** A failure with words for the person who started the run. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
