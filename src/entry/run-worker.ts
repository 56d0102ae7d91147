import { join } from 'node:path';
import { dataDirectory } from '../base/addresses.ts';
import { executeConcurrencyOf } from '../base/process-roles.ts';
import type { Stop } from '../base/run-process.ts';
import { createControlEngines, isControlTask } from '../jobs/control/control-tasks.ts';
import { EXECUTE } from '../jobs/drive-job.ts';
import { ENGINES } from '../jobs/engine.ts';
import { serveExecutions } from '../jobs/serve-executions.ts';
import { createAnnouncer } from '../receipts/announce-appends.ts';
import { openListener } from '../store/listen.ts';
import { openBroker } from './open-broker.ts';
import type { RoleDeps } from './role-deps.ts';

const DRAIN_MS = 8_000;

/** A worker of one kind: executes runs and settles them. What it has not done when it must go, another begins again. */
export async function runWorker(deps: RoleDeps): Promise<Stop> {
  const { config, log, db, role, engines = ENGINES } = deps;
  const listener = openListener(db, log);
  const announcer = createAnnouncer(db, log);
  const control = createControlEngines({ db, log, dataDirectory: dataDirectory(config), artifactDays: config.SERVICE_ARTIFACT_RETENTION_DAYS });
  const executions = serveExecutions({
    db,
    log,
    listener,
    actor: `system:${role}`,
    engineOf: ({ task, kind }) => (task === undefined ? engines[kind] : isControlTask(task) ? control[task] : undefined),
    artifactsDirectory: join(dataDirectory(config), 'artifacts'),
    onAppended: announcer.announce,
    concurrency: executeConcurrencyOf(role, config) ?? 1,
  });
  const broker = openBroker(deps, (resonate) => void resonate.register(EXECUTE, executions.execute));
  return async () => {
    await broker.stop(DRAIN_MS);
    executions.close();
    await announcer.flush();
    await listener.close();
  };
}
