import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Workspace } from '../../src/contract/workspaces.ts';
import { workspacesQuery } from './queries.ts';
import { useStanding } from './organization-context.ts';

interface CurrentWorkspace {
  readonly workspaces: readonly Workspace[];
  /** The one this tab works in: the one in its address, otherwise Default. */
  readonly current: Workspace | undefined;
  /** Why there is no list, with a way to ask for it again; undefined while it is loading and once it is there. */
  readonly failure: { readonly error: unknown; readonly retry: () => unknown } | undefined;
  /** Whether it is not known yet which one the address means. */
  readonly isLoading: boolean;
}

const NONE: readonly Workspace[] = [];

export function useCurrentWorkspace(): CurrentWorkspace {
  const { organization } = useStanding();
  const { workspace: slug } = useSearch({ from: '/signed/app' });
  const { data, error, isLoading, refetch } = useQuery(workspacesQuery(organization.id));
  const workspaces = data ?? NONE;
  const current =
    workspaces.find((workspace) => workspace.slug === slug) ?? workspaces.find(({ kind }) => kind === 'default');
  return {
    workspaces,
    current,
    failure: data === undefined && error !== null ? { error, retry: refetch } : undefined,
    isLoading: isLoading && slug !== undefined,
  };
}
