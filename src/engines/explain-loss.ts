// What a failed call to the sandbox controller means for the run. A controller that was shut down properly removes its
// sandboxes and remembers them: the run is given back. After a crash it remembers nothing, and the attempt counts.
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../base/errors.ts';
import type { SandboxClient } from '../sandbox/client.ts';
import { RunInterrupted, RunReleased } from '../runs/delivery/engine.ts';

/** How long to wait for an unreachable controller to come back and report on the sandbox. */
const PATIENCE_MS = 30_000;
const ASK_EVERY_MS = 250;

export function isGone(error: unknown): boolean {
  return error instanceof AppError && error.code === 'sandbox_not_found';
}

export function lossOf(error: unknown): RunInterrupted | RunReleased {
  return error instanceof AppError && error.details['reason'] === 'stopping'
    ? new RunReleased('sandbox_stopping')
    : new RunInterrupted('sandbox_lost');
}

/** The error that ends the attempt; one that is not about the sandbox is returned unchanged. */
export async function explainLoss(
  client: Pick<SandboxClient, 'renew'>,
  sandbox: { readonly id: string; readonly leaseMs: number; readonly signal: AbortSignal },
  error: unknown,
): Promise<unknown> {
  if (isGone(error)) return lossOf(error);
  if (!isUnreachable(error)) return error;
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = await client.renew(sandbox.id, sandbox.leaseMs).catch((fault: unknown) => fault);
    if (sandbox.signal.aborted) return sandbox.signal.reason;
    if (!isUnreachable(answer) || performance.now() > deadline) return lossOf(answer);
    await sleep(ASK_EVERY_MS, undefined, { signal: sandbox.signal }).catch(() => {});
  }
}

function isUnreachable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable';
}
