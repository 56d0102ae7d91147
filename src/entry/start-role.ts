// What each role runs, in one table. Every role has the database, the migrated schema and its line in the process
// table by the time it gets here. Work is loaded by the role that does it: a worker carries no HTTP server.
import type { Role } from '../base/process-roles.ts';
import type { Stop } from '../base/run-process.ts';
import type { RoleDeps } from './role-deps.ts';

type StartRole = (deps: RoleDeps) => Promise<Stop>;

const ROLE_WORK = {
  api: async (deps) => (await import('./serve-api.ts')).serveApi(deps),
  driver: onlyAnnounced,
  'worker-chat': onlyAnnounced,
  'worker-control': onlyAnnounced,
  'worker-codex': onlyAnnounced,
  all: onlyAnnounced,
} as const satisfies Record<Role, StartRole>;

export function startRole(deps: RoleDeps): Promise<Stop> {
  const start: StartRole = ROLE_WORK[deps.role];
  return start(deps);
}

/** Nothing of its own: the process is alive and shows in the process table. */
async function onlyAnnounced(): Promise<Stop> {
  return async () => {};
}
