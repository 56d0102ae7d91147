// What each role runs, in one table. At this point every role has the database, the migrated schema and its row in the
// process table. Code is loaded by the role that uses it: a worker loads no HTTP server.
import type { ProcessRole, WorkerRole } from '../process/process-roles.ts';
import type { Stop } from '../process/run-process.ts';
import type { RoleDeps } from './role-deps.ts';

type StartRole = (deps: RoleDeps) => Promise<Stop>;

const ROLE_WORK = {
  api: async (deps) => (await import('./serve-api.ts')).serveApi(deps),
  driver: async (deps) => (await import('./run-driver.ts')).runDriver(deps),
  all: connectIdle,
} as const satisfies Record<Exclude<ProcessRole, WorkerRole>, StartRole>;

export function startRole(deps: RoleDeps): Promise<Stop> {
  const work: Readonly<Partial<Record<ProcessRole, StartRole>>> = ROLE_WORK;
  const start = work[deps.role] ?? runWorker;
  return start(deps);
}

async function runWorker(deps: RoleDeps): Promise<Stop> {
  return (await import('./run-worker.ts')).runWorker(deps);
}

/** No functions: alive, in the process table and at the broker, with nothing to do. */
async function connectIdle(deps: RoleDeps): Promise<Stop> {
  const broker = (await import('./open-broker.ts')).openBroker(deps);
  return () => broker.stop();
}
