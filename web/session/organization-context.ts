import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { createContext, useContext } from 'react';
import type { Organization } from '../../src/contract/organizations.ts';
import type { Workspace } from '../../src/contract/workspaces.ts';
import { organizationPeopleQuery, workspacesQuery } from './queries.ts';

interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

export interface SignedIn {
  readonly user: Person;
  readonly organization: Organization;
  readonly organizations: readonly Organization[];
  /** Demo model providers answer here. */
  readonly demo: boolean;
}

export const SignedInContext = createContext<SignedIn | undefined>(undefined);

/** The signed-in person, and the organization of this tab. */
export function useSignedIn(): SignedIn {
  const signedIn = useContext(SignedInContext);
  if (signedIn === undefined) throw new Error('useSignedIn needs a SignedInContext above it');
  return signedIn;
}

export function managesOrganization({ role }: Organization): boolean {
  return role === 'owner' || role === 'admin';
}

/** Whether the person manages the organization or one of its workspaces; undefined while that is not known. */
export function useManagesSomething(): boolean | undefined {
  const { organization } = useSignedIn();
  const { data } = useQuery(workspacesQuery(organization.id));
  return managesOrganization(organization) || data?.some(({ canManage }) => canManage);
}

interface CurrentWorkspace {
  readonly workspaces: readonly Workspace[];
  /** The workspace in the address of this tab, otherwise Default. */
  readonly current: Workspace | undefined;
  /** Why there is no list, and how to request it again; undefined while it is loading and once it is there. */
  readonly failure: { readonly error: unknown; readonly retry: () => unknown } | undefined;
  /** Whether it is not known yet which workspace the address means. */
  readonly isLoading: boolean;
}

const NONE: readonly Workspace[] = [];

export function useCurrentWorkspace(): CurrentWorkspace {
  const { organization } = useSignedIn();
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

/** The names of the organization's members by id. Former members are not in it. */
export function usePeople(): ReadonlyMap<string, string> {
  const { organization } = useSignedIn();
  const { data = [] } = useQuery(organizationPeopleQuery(organization.id));
  return new Map(data.map(({ user, name }) => [user, name]));
}
