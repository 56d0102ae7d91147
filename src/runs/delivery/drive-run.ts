// The driver's durable function: hands the run to the workers of its kind and waits for the outcome. A failed call is made
// again; workers count the attempts on the chain, so this loop only has to outlast them. A run that was given back goes to
// the next worker at once, however often that happens.
import type { Context } from '@resonatehq/sdk';
import { callFrom } from '../../broker/client/connect-role.ts';
import { RETRIES } from '../../timing/retry-policies.ts';
import { pauseAfter } from '../../timing/retry.ts';
import type { Outcome } from './execute-run.ts';
import { type RunKind, MAX_ATTEMPTS } from '../record/run-states.ts';

export const DRIVE = 'service.job.drive';
export const EXECUTE = 'service.job.execute';

/** Includes the wait for a worker. */
export const CALL_TIMEOUT_MS = 7 * 24 * 3_600_000;

export interface DriveArgument {
  readonly job: string;
  readonly kind: RunKind;
  /** Organizations take turns; the service's own runs count as one more. */
  readonly tenant: string;
  /** `traceparent` of the request that started the run, when tracing is on. */
  readonly trace?: string;
}

export type WorkerGroups = Readonly<Record<RunKind, string>>;

export function createDrive(
  groups: WorkerGroups,
): (context: Context, argument: DriveArgument) => Generator<unknown, Outcome, unknown> {
  return function* drive(context, { job: run, kind, tenant, trace }) {
    for (let failures = 0; ;) {
      try {
        const outcome = yield* context.rpc<Outcome>(
          EXECUTE,
          { job: run, ...(trace === undefined ? {} : { trace }) },
          callFrom(context, { target: groups[kind], timeoutMs: CALL_TIMEOUT_MS, tenant }),
        );
        if (!('released' in outcome)) return outcome;
      } catch (error) {
        if (++failures > MAX_ATTEMPTS) throw error;
        yield* context.sleep(pauseAfter(RETRIES.runCall, failures));
      }
    }
  };
}
