import { AppError } from '../../base/errors.ts';
import type { FiguresClient } from '../../broker/client/ask-figures.ts';
import { CONTROL_TASKS, isControlTask, startControlRun } from '../../runs/delivery/control-tasks.ts';
import { describe } from '../../runs/reading/describe-runs.ts';
import type { Dispatcher } from '../../runs/delivery/dispatch-run.ts';
import type { FindSandbox } from '../../runs/delivery/find-sandbox.ts';
import type { Queryable } from '../../store/database.ts';

export interface DebugRuns {
  readonly figures: FiguresClient;
  readonly dispatcher: Pick<Dispatcher, 'dispatch'>;
  readonly findSandbox: FindSandbox | undefined;
}

export async function startDebugRun(
  db: Queryable,
  runs: DebugRuns | undefined,
  body: unknown,
): Promise<{ job: Record<string, unknown> }> {
  const task =
    typeof body === 'object' && body !== null && 'task' in body && typeof body.task === 'string'
      ? body.task
      : undefined;
  if (!isControlTask(task))
    throw new AppError('invalid_request', { task: `must be one of ${CONTROL_TASKS.join(', ')}` });
  const { run } = await startControlRun(db, task, { actor: 'system:api' });
  runs?.dispatcher.dispatch(run);
  return { job: describe(run) };
}
