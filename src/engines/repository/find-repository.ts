// The repository that a run begins with: that of its environment, as it is when the run begins.
import type { RepositoryWish } from '../../runs/environments/environment.ts';
import { findEnvironment } from '../../runs/environments/find-environments.ts';
import type { Run } from '../../runs/record/run.ts';
import type { Queryable } from '../../store/database.ts';

export function createFindRepository(db: Queryable): (run: Run) => Promise<RepositoryWish | undefined> {
  return async ({ environment, organizationId, workspaceId }) => {
    if (environment === undefined || organizationId === undefined || workspaceId === undefined) return undefined;
    return (await findEnvironment(db, { organizationId, workspaceId }, environment))?.repository;
  };
}
