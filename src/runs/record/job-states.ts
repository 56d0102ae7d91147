// What a run can be, and which receipt takes it from where to where. Nothing leaves a final status.

export const JOB_KINDS = ['chat', 'control', 'codex'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

export const JOB_STATUSES = ['queued', 'running', 'completed', 'failed', 'aborted'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const FINAL_STATUSES = ['completed', 'failed', 'aborted'] as const satisfies readonly JobStatus[];

export type JobReceiptKind =
  | 'job.queued'
  | 'job.started'
  | 'job.progress'
  | 'job.retried'
  | 'job.completed'
  | 'job.failed'
  | 'job.aborted';

export interface Transition {
  /** Undefined is the job that is not there yet. */
  readonly from: JobStatus | undefined;
  readonly to: JobStatus;
}

export const TRANSITIONS = {
  'job.queued': [{ from: undefined, to: 'queued' }],
  'job.started': [{ from: 'queued', to: 'running' }],
  'job.progress': [{ from: 'running', to: 'running' }],
  'job.retried': [{ from: 'running', to: 'running' }],
  'job.completed': [{ from: 'running', to: 'completed' }],
  'job.failed': [{ from: 'running', to: 'failed' }],
  'job.aborted': [
    { from: 'queued', to: 'aborted' },
    { from: 'running', to: 'aborted' },
  ],
} as const satisfies Record<JobReceiptKind, readonly Transition[]>;

/** A worker that dies is replaced this often, the first attempt included. */
export const MAX_ATTEMPTS = 3;

export function isJobReceipt(kind: string): kind is JobReceiptKind {
  return Object.hasOwn(TRANSITIONS, kind);
}

/** Where a receipt takes a job; undefined where it may not be. */
export function nextStatus(from: JobStatus | undefined, kind: JobReceiptKind): JobStatus | undefined {
  const pairs: readonly Transition[] = TRANSITIONS[kind];
  return pairs.find((pair) => pair.from === from)?.to;
}

export function isFinal(status: JobStatus): boolean {
  return FINAL_STATUSES.some((final) => final === status);
}
