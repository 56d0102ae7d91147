import type { Workspace } from '../../../src/contract/workspaces.ts';
import type { RunView } from './queries.ts';

export interface Aborter {
  readonly userId: string;
  readonly managesOrganization: boolean;
  readonly workspaces: readonly Pick<Workspace, 'id' | 'canManage'>[];
}

/** The person who started the run, and those who manage its workspace or organization; the server refuses everyone else. */
export function mayAbort(
  run: Pick<RunView, 'createdBy' | 'workspace'>,
  { userId, managesOrganization, workspaces }: Aborter,
): boolean {
  return (
    run.createdBy === userId ||
    managesOrganization ||
    workspaces.some(({ id, canManage }) => id === run.workspace && canManage)
  );
}
