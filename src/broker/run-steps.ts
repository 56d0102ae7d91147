// Runs steps in batches in which no two touch the same origin. If another replica changed an origin in between, the batch
// is read and run again; if that happens twice, the steps are run one by one. Durable and quick steps have separate lanes;
// waiting work is looked for between the quick batches.
import { AppError } from '../base/errors.ts';
import { batch } from '../timing/batch.ts';
import { isWriteConflict } from '../timing/database-fault.ts';
import { RETRIES } from '../timing/retry-policies.ts';
import { retry } from '../timing/retry.ts';
import type { BrokerAnswer } from './protocol/protocol.ts';
import { mustBeDurable, namedOrigins, type Step } from './protocol/steps.ts';
import { type BatchRunDeps, createStepBatches, type PlannedStep } from './run-batch.ts';

export interface Runner {
  submit(step: Step): Promise<BrokerAnswer>;
  /** Delivers tasks and messages that wait for the streams of these queues. */
  look(queues: Iterable<string>): void;
  readonly waiting: number;
  /** Finishes the submitted steps and accepts no more. */
  close(): Promise<void>;
}

export type RunnerDeps = Omit<BatchRunDeps, 'lose'>;

type Lane = 'durable' | 'quick';

interface LanedStep extends PlannedStep {
  readonly lane: Lane;
}

const BATCH_MAX = 64;
const WAITING_MAX = 10_000;

export function createRunner(deps: RunnerDeps): Runner {
  let looks = new Set<string>();
  let closed = false;
  const lose = (id: string, pid: string): void => void submit({ kind: 'task.lose', data: { id, pid } }).catch(() => {});
  const batches = createStepBatches({ ...deps, lose });

  const steps = batch<LanedStep, BrokerAnswer, Lane>({
    kinds: ['durable', 'quick'],
    kindOf: ({ lane }) => lane,
    lanes: 1,
    most: BATCH_MAX,
    keysOf: ({ origins }) => origins,
    // A conflict with another replica, or one bad value, must not fail the rest of the batch.
    retriesAlone: (error, size) => isWriteConflict(error) || (size > 1 && isDataFault(error)),
    run(taken, { kind, isRetry }) {
      const durable = kind === 'durable';
      if (isRetry) return retry(RETRIES.brokerStep, () => batches.run(taken, { trusting: false, durable }));
      return batches.run(taken, { trusting: true, durable }).catch((error: unknown) => {
        if (!isWriteConflict(error)) throw error;
        return batches.run(taken, { trusting: false, durable });
      });
    },
    between: {
      isWanted: (kind) => kind === 'quick' && looks.size > 0,
      run() {
        const queues = [...looks];
        looks = new Set();
        return batches.look(queues);
      },
    },
  });

  function submit(step: Step): Promise<BrokerAnswer> {
    if (closed || steps.waiting() >= WAITING_MAX) return Promise.reject(new AppError('unavailable'));
    return steps({ step, origins: namedOrigins(step), lane: mustBeDurable(step) ? 'durable' : 'quick' });
  }

  return {
    submit,
    look(queues) {
      if (closed) return;
      for (const queue of queues) if (deps.streams.inQueue(queue).length > 0) looks.add(queue);
      steps.start();
    },
    get waiting() {
      return steps.waiting();
    },
    async close() {
      closed = true;
      await steps.drain();
    },
  };
}

/** PostgreSQL's classes 22 (data) and 54 (limits): the fault is in the values. */
function isDataFault(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^(?:22|54)/.test(code);
}
