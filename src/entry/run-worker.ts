import { join } from 'node:path';
import type { Context } from '@resonatehq/sdk';
import { dataDirectory, sandboxUrl } from '../net/addresses.ts';
import { executeConcurrencyOf } from '../process/process-roles.ts';
import type { Stop } from '../process/run-process.ts';
import { span } from '../telemetry/telemetry.ts';
import type { RoleBroker } from '../broker/client/connect-role.ts';
import { isControlTask } from '../runs/delivery/control-tasks.ts';
import { openDelivery } from './open-delivery.ts';
import { openMailer } from '../mail/create-mailer.ts';
import { createControlEngines } from '../engines/control/create-control-engines.ts';
import { EXECUTE } from '../runs/delivery/drive-run.ts';
import { createFindSandbox } from '../runs/delivery/find-sandbox.ts';
import { type Executions, serveExecutions } from '../runs/delivery/serve-executions.ts';
import { createAnnouncer } from '../receipts/announce-appends.ts';
import { createSandboxClient } from '../sandbox/client.ts';
import { openListener } from '../store/listen.ts';
import { openBroker } from './open-broker.ts';
import { keepPackets } from './keep-packets.ts';
import { openMessages } from './open-messages.ts';
import { openLazyEngines } from './lazy-engines.ts';
import type { RoleDeps } from './role-deps.ts';

const DRAIN_MS = 8_000;
const BREAK_OFF_MS = 3_000;

/** A worker of one kind: executes runs and records their outcomes. When it stops, it gives unfinished runs back. */
export async function runWorker(deps: RoleDeps): Promise<Stop> {
  const { config, log, db, role } = deps;
  const { engines, close: closeEngines } = openLazyEngines(deps);
  const findSandbox = createFindSandbox(createSandboxClient({ url: sandboxUrl(config) }));
  const listener = openListener(db, log);
  const announcer = createAnnouncer(db, log);
  const control = createControlEngines({
    db,
    log,
    dataDirectory: dataDirectory(config),
    artifactDays: config.SERVICE_ARTIFACT_RETENTION_DAYS,
    snapshotDays: config.SERVICE_RUN_SNAPSHOT_DAYS,
    mailer: openMailer(config, `system:${role}`),
    delivery: openDelivery(deps),
    openRepair: async () => (await import('./open-repair.ts')).openRepair(deps),
  });
  const executions = serveExecutions({
    db,
    log,
    listener,
    actor: `system:${role}`,
    engineOf: ({ task, kind }) =>
      task === undefined ? engines[kind] : isControlTask(task) ? control[task] : undefined,
    // The service's own runs need no sandbox. A sandbox that reports itself unsafe refuses the run with a reason.
    findBlocker: async ({ task }) =>
      task === undefined && (await findSandbox()) === undefined ? 'sandbox_unreachable' : undefined,
    artifactsDirectory: join(dataDirectory(config), 'artifacts'),
    storageBytes: config.SERVICE_STORAGE_PER_ORGANIZATION_BYTES,
    keepsEndedWorkspaces: config.SERVICE_RUN_SNAPSHOT_DAYS > 0,
    onAppended: announcer.announce,
    concurrency: () => (broker.keepsCredit ? Number.POSITIVE_INFINITY : (executeConcurrencyOf(role, config) ?? 1)),
  });
  const packets = keepPackets(join(dataDirectory(config), 'packets'), { role, log });
  const execute: Executions['execute'] = (context, argument) =>
    packets(argument.job, () => executions.execute(context, argument));
  const messages = openMessages(deps);
  const broker: RoleBroker = openBroker(deps, (resonate) => {
    resonate.register(EXECUTE, traceExecutions(role, execute));
    if (messages) resonate.register(messages.name, messages.send);
  });
  return async () => {
    executions.drain();
    // Runs that are still under way by then are given back while there is time to tell the database and the broker.
    const breakOff = setTimeout(() => void executions.close(), DRAIN_MS - BREAK_OFF_MS);
    await broker.stop(DRAIN_MS);
    clearTimeout(breakOff);
    await executions.close();
    await messages?.close();
    await closeEngines();
    await announcer.flush();
    await listener.close();
  };
}

/** Each attempt is a span in the trace of the request that started the run. */
function traceExecutions(
  role: string,
  execute: Executions['execute'],
): (
  context: Context,
  argument: { readonly job: string; readonly trace?: string },
) => ReturnType<Executions['execute']> {
  return (context, argument) =>
    span('run', { 'service.run.id': argument.job, 'service.role': role }, () => execute(context, argument), {
      read: (name) => (name === 'traceparent' ? argument.trace : undefined),
    });
}
