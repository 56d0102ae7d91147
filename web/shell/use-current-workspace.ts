import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Workspace } from '../../src/contract/workspaces.ts';
import { workspacesQuery } from '../api/queries.ts';
import { useStanding } from './organization-context.ts';

interface CurrentWorkspace {
  readonly workspaces: readonly Workspace[];
  /** The one this tab works in: the one in its address, otherwise Default. */
  readonly current: Workspace | undefined;
  readonly failed: boolean;
  /** Whether it is not known yet which one the address means. */
  readonly isLoading: boolean;
}

export function useCurrentWorkspace(): CurrentWorkspace {
  const { organization } = useStanding();
  const { workspace: slug } = useSearch({ from: '/signed/app' });
  const { data: workspaces = [], isError, isLoading } = useQuery(workspacesQuery(organization.id));
  const current = workspaces.find((workspace) => workspace.slug === slug) ?? workspaces.find(({ kind }) => kind === 'default');
  return { workspaces, current, failed: isError && workspaces.length === 0, isLoading: isLoading && slug !== undefined };
}
