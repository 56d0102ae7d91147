// The states of a run, which receipt moves it from one to another, and the fold from receipts to state. Nothing leaves a
// final status. Pure: the same receipts always add up to the same state, and the row is written from this fold alone.
import type { PresentedReceipt } from '../../receipts/present-receipt.ts';

export const RUN_KINDS = ['chat', 'control', 'codex'] as const;
export type RunKind = (typeof RUN_KINDS)[number];

export const RUN_STATUSES = ['queued', 'running', 'completed', 'failed', 'aborted'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export const FINAL_STATUSES = ['completed', 'failed', 'aborted'] as const satisfies readonly RunStatus[];

export type RunReceiptKind =
  | 'job.queued'
  | 'job.started'
  | 'job.progress'
  | 'job.retried'
  | 'job.completed'
  | 'job.failed'
  | 'job.aborted';

export interface Transition {
  /** Undefined before the run exists. */
  readonly from: RunStatus | undefined;
  readonly to: RunStatus;
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
} as const satisfies Record<RunReceiptKind, readonly Transition[]>;

/** How many attempts a run gets, the first one included, when none of them finishes a step. */
export const MAX_ATTEMPTS = 3;

function isRunReceipt(kind: string): kind is RunReceiptKind {
  return Object.hasOwn(TRANSITIONS, kind);
}

/** The status after a receipt; undefined where the receipt is not allowed. */
export function nextStatus(from: RunStatus | undefined, kind: RunReceiptKind): RunStatus | undefined {
  const pairs: readonly Transition[] = TRANSITIONS[kind];
  return pairs.find((pair) => pair.from === from)?.to;
}

export function isFinal(status: RunStatus): boolean {
  return FINAL_STATUSES.some((final) => final === status);
}

export interface RunState {
  readonly status: RunStatus;
  /** 0 until the run has begun. */
  readonly attempt: number;
  readonly createdAt: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
}

export type RunFact = Pick<PresentedReceipt, 'kind' | 'at'>;

export class ImpossibleReceipt extends Error {
  override readonly name = 'ImpossibleReceipt';
}

export function foldReceipt(state: RunState | undefined, { kind, at }: RunFact): RunState {
  if (!isRunReceipt(kind)) throw new ImpossibleReceipt(`a run has no receipts of kind '${kind}'`);
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
} as const satisfies Record<RunReceiptKind, boolean>;

export function foldRun(facts: readonly RunFact[]): RunState | undefined {
  return facts.reduce<RunState | undefined>(foldReceipt, undefined);
}
