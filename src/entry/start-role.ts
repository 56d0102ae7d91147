// What each role runs, in one table. Every role has the database, the migrated schema and its line in the process
// table by the time it gets here. Work is loaded by the role that does it: a worker carries no HTTP server.
import type { Role } from '../base/process-roles.ts';
import type { Stop } from '../base/run-process.ts';
import type { RoleDeps } from './role-deps.ts';

type StartRole = (deps: RoleDeps) => Promise<Stop>;

const ROLE_WORK = {
  api: async (deps) => (await import('./serve-api.ts')).serveApi(deps),
  driver: async (deps) => (await import('./run-driver.ts')).runDriver(deps),
  'worker-chat': runWorker,
  'worker-control': runWorker,
  'worker-codex': runWorker,
  all: connectIdle,
} as const satisfies Record<Role, StartRole>;

export function startRole(deps: RoleDeps): Promise<Stop> {
  const start: StartRole = ROLE_WORK[deps.role];
  return start(deps);
}

async function runWorker(deps: RoleDeps): Promise<Stop> {
  return (await import('./run-worker.ts')).runWorker(deps);
}

/** No functions: alive, in the process table and at the broker, and given nothing to do. */
async function connectIdle(deps: RoleDeps): Promise<Stop> {
  const broker = (await import('./open-broker.ts')).openBroker(deps);
  return () => broker.stop();
}
