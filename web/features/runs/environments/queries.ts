// Queries and actions for environments, through the runtime.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { byCursor, pageAt } from '../../../api/by-cursor.ts';
import { runtime } from '../../../api/runtime-client.ts';

export type ShownEnvironment = Awaited<ReturnType<typeof runtime.environments.get>>['environment'];
export type EnvironmentContent = Parameters<typeof runtime.environments.put>[0]['body'];

export const environmentKeys = {
  all: ['environments'] as const,
};

export interface EnvironmentPlace {
  readonly organization: string;
  readonly workspace: string;
}

export function environmentsQuery({ organization, workspace }: EnvironmentPlace) {
  return infiniteQueryOptions({
    queryKey: [...environmentKeys.all, organization, workspace],
    queryFn: ({ pageParam, signal }) =>
      runtime.environments.list({ workspace, ...pageAt(pageParam) }, { context: { organization }, signal }),
    ...byCursor,
  });
}

const OFFERED = 100;

/** What a form that starts a run offers. */
export function offeredEnvironmentsQuery(organization: string, workspace: string | undefined) {
  return queryOptions({
    queryKey: [...environmentKeys.all, organization, workspace ?? '', 'offered'],
    queryFn: ({ signal }) =>
      runtime.environments.list(
        { limit: OFFERED, ...(workspace === undefined ? {} : { workspace }) },
        { context: { organization }, signal },
      ),
    enabled: workspace !== undefined,
    staleTime: 30_000,
  });
}

export async function putEnvironment(
  { organization, workspace }: EnvironmentPlace,
  name: string,
  body: EnvironmentContent,
): Promise<ShownEnvironment> {
  const sent = { params: { name }, query: { workspace }, body };
  return (await runtime.environments.put(sent, { context: { organization } })).environment;
}

export async function removeEnvironment({ organization, workspace }: EnvironmentPlace, name: string): Promise<void> {
  await runtime.environments.remove({ params: { name }, query: { workspace } }, { context: { organization } });
}

const LOOK_WHILE_BUILDING_MS = 2_000;

export function setupsQuery({ organization, workspace }: EnvironmentPlace, name: string) {
  return queryOptions({
    queryKey: [...environmentKeys.all, organization, workspace, name, 'setup'],
    queryFn: ({ signal }) => runtime.environments.setup({ name, workspace }, { context: { organization }, signal }),
    // Nothing tells that it has printed more.
    refetchInterval: ({ state: { data } }) =>
      data?.setups.some(({ state }) => state === 'building') === true ? LOOK_WHILE_BUILDING_MS : false,
  });
}

export async function rebuildSetup({ organization, workspace }: EnvironmentPlace, name: string): Promise<void> {
  await runtime.environments.rebuild({ params: { name }, query: { workspace } }, { context: { organization } });
}
