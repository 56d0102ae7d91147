import { AppError } from '../../base/errors.ts';
import type { FiguresClient } from '../../broker/client/ask-figures.ts';
import { CONTROL_TASKS, isControlTask, startControlJob } from '../../runs/delivery/control-tasks.ts';
import { describe } from '../../runs/reading/describe-jobs.ts';
import type { Dispatcher } from '../../runs/delivery/dispatch-job.ts';
import type { FindSandbox } from '../../runs/delivery/find-sandbox.ts';
import type { Queryable } from '../../store/database.ts';

export interface DebugJobs {
  readonly figures: FiguresClient;
  readonly dispatcher: Pick<Dispatcher, 'dispatch'>;
  readonly findSandbox: FindSandbox | undefined;
}

export async function startDebugJob(
  db: Queryable,
  jobs: DebugJobs | undefined,
  body: unknown,
): Promise<{ job: Record<string, unknown> }> {
  const task =
    typeof body === 'object' && body !== null && 'task' in body && typeof body.task === 'string'
      ? body.task
      : undefined;
  if (!isControlTask(task))
    throw new AppError('invalid_request', { task: `must be one of ${CONTROL_TASKS.join(', ')}` });
  const { job } = await startControlJob(db, task, { actor: 'system:api' });
  jobs?.dispatcher.dispatch(job);
  return { job: describe(job) };
}
