// What a failed call to the sandbox controller means for the run. A controller that was shut down properly removes its
// sandboxes and remembers them: the run is given back. After a crash it remembers nothing, and the attempt counts.
import { AppError } from '../base/errors.ts';
import type { SandboxClient } from '../sandbox/client.ts';
import { RETRIES } from '../timing/retry-policies.ts';
import { retry } from '../timing/retry.ts';
import { RunInterrupted, RunReleased } from '../runs/delivery/engine.ts';

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
  { id, leaseMs, signal }: { readonly id: string; readonly leaseMs: number; readonly signal: AbortSignal },
  error: unknown,
): Promise<unknown> {
  if (isGone(error)) return lossOf(error);
  if (!(error instanceof AppError && error.code === 'unavailable')) return error;
  const answer = await retry(RETRIES.sandboxLoss, () => client.renew(id, leaseMs), { signal }).catch(
    (fault: unknown) => fault,
  );
  return signal.aborted ? signal.reason : lossOf(answer);
}
