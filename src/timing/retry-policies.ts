// Everything that is tried again, and how.
import { findStorageFault, isUndone, isWriteConflict } from './database-fault.ts';
import type { ReconnectPolicy, RetryPolicy } from './retry.ts';

export const RETRIES = {
  /** Storage is unavailable, or a concurrent transaction forced a rollback. Callers say how long they wait. */
  storage: { retries: isStorageFault, firstMs: 100, growth: 'linear', mostMs: 1_000 },
  /** The end of an answer could not be stored. */
  answerEnd: { retries: () => true, firstMs: 400, tries: 5 },
  /** Another process appended to the same streams: those receipts are linked again. */
  receiptHead: { retries: ['conflict'], firstMs: 2, growth: 'linear', spread: [0, 1], tries: 30 },
  /** Another process moved the run: it is read again. */
  runHead: { retries: ['conflict'], tries: 20 },
  /** A worker did not return the outcome of a run. The pauses are durable, and the run counts its attempts. */
  runCall: { retries: () => true, firstMs: 1_000 },
  /** The runtime did not answer; an idempotency key makes it safe. */
  runStart: { retries: () => true, tries: 2 },
  /** The OpenID provider did not answer; a person waits. */
  openIdDiscovery: { retries: () => true, firstMs: 200, tries: 2 },
  /** The process that serves the tools of a workspace is starting; a refusal is not tried again. */
  appsOpen: { retries: isNoAnswer, firstMs: 200, mostMs: 2_000, patienceMs: 30_000 },
  /** The sandbox controller is full or starting. */
  sandboxStart: {
    retries: ['sandbox_full', 'unavailable'],
    firstMs: 200,
    mostMs: 2_000,
    patienceMs: 60_000,
  },
  /** The sandbox controller has to come back before it can report on a sandbox. */
  sandboxLoss: { retries: ['unavailable'], firstMs: 250, mostMs: 250, patienceMs: 30_000 },
  /** A mail was not taken. The pauses are durable, and the mail counts its tries; after a day it is given up. */
  mail: { retries: () => true, firstMs: 60_000, mostMs: 3_600_000, spread: [0.8, 1.2] },
  /** A message of a subscription was not taken. The pauses are durable; all tries take about a day. */
  subscriptionMessage: { retries: () => true, firstMs: 8_000, growth: 'threefold', spread: [0.9, 1.1], tries: 10 },
  /** Another replica changed what the step has read. */
  brokerStep: { retries: isWriteConflict, firstMs: 1, growth: 'linear', spread: [0, 1], tries: 50 },
  /** The broker cannot be reached. Callers say how long they wait. */
  brokerRequest: { retries: saysRetryable, firstMs: 100, mostMs: 2_000 },
} as const satisfies Record<string, RetryPolicy>;

export const RECONNECTS = {
  /** The stream on which the broker hands out work. */
  brokerStream: { firstMs: 50, mostMs: 1_500, spread: [0.5, 1.5], steadyMs: 2_000 },
  /** The connection on which a process listens for changes in the database. */
  listener: { firstMs: 100, mostMs: 5_000, steadyMs: 10_000 },
  /** A part of the stack, started again when it ends; steady when it was healthy for so long. */
  part: { firstMs: 200, mostMs: 10_000, steadyMs: 30_000 },
} as const satisfies Record<string, ReconnectPolicy>;

function isStorageFault(error: unknown): boolean {
  return findStorageFault(error) !== undefined || isUndone(error);
}

/** An error of ours says what was refused; anything else is a connection that was lost. */
function isNoAnswer(error: unknown): boolean {
  return !(error instanceof Error && 'retryable' in error);
}

function saysRetryable(error: unknown): boolean {
  return error instanceof Error && 'retryable' in error && error.retryable === true;
}
