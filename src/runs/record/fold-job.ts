// A run as its receipts tell it. Pure: the same receipts always add up to the same state, and the projection's row
// is written from this fold and nothing else.
import type { PresentedReceipt } from '../../receipts/present-receipt.ts';
import { isFinal, isJobReceipt, type JobReceiptKind, type JobStatus, nextStatus } from './job-states.ts';

export interface JobState {
  readonly status: JobStatus;
  /** 0 until somebody has begun. */
  readonly attempt: number;
  readonly createdAt: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
}

export type JobFact = Pick<PresentedReceipt, 'kind' | 'at'>;

export class ImpossibleReceipt extends Error {
  override readonly name = 'ImpossibleReceipt';
}

export function foldReceipt(state: JobState | undefined, { kind, at }: JobFact): JobState {
  if (!isJobReceipt(kind)) throw new ImpossibleReceipt(`a run has no receipts of kind '${kind}'`);
  const status = nextStatus(state?.status, kind);
  if (status === undefined)
    throw new ImpossibleReceipt(`'${kind}' cannot follow ${state ? `status '${state.status}'` : 'nothing'}`);
  if (state === undefined) return { status, attempt: 0, createdAt: at };
  return {
    ...state,
    status,
    attempt: state.attempt + (BEGINS_ATTEMPT[kind] ? 1 : 0),
    ...(kind === 'job.started' ? { startedAt: at } : {}),
    ...(isFinal(status) ? { endedAt: at } : {}),
  };
}

const BEGINS_ATTEMPT = {
  'job.queued': false,
  'job.started': true,
  'job.progress': false,
  'job.retried': true,
  'job.completed': false,
  'job.failed': false,
  'job.aborted': false,
} as const satisfies Record<JobReceiptKind, boolean>;

export function foldJob(facts: readonly JobFact[]): JobState | undefined {
  return facts.reduce<JobState | undefined>(foldReceipt, undefined);
}
