// Queries and actions for background runs, through the runtime.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { fetchRuntime, runtime } from '../../api/runtime-client.ts';
import { saveFile } from '../../kit/save-file.ts';
import { IMAGE_MAX_BYTES, TEXT_MAX_BYTES } from './preview-kind.ts';
import { readUpTo } from './read-up-to.ts';

export type RunView = Awaited<ReturnType<typeof runtime.jobs.get>>['job'];
export type RunEvent = Awaited<ReturnType<typeof runtime.jobs.events>>['events'][number];
export type RunStatus = RunView['status'];
export type RunKind = RunView['kind'];
export type NewRun = Parameters<typeof runtime.jobs.start>[0];

export interface RunFilter {
  readonly status?: RunStatus | undefined;
  readonly kind?: RunKind | undefined;
  /** By id. */
  readonly workspace?: string | undefined;
}

const RUNS = 30;
/** The reason for waiting can change without a receipt, so it is polled. */
const LOOK_WHILE_WAITING_MS = 10_000;

const LOOK_WHILE_PRINTING_MS = 1_000;
const LOOK_WHILE_COLLECTED_MS = 2_000;
const COLLECTED_WITHIN_MS = 40_000;

export interface Collected {
  readonly status?: RunStatus | undefined;
  readonly endedAt?: string | undefined;
}

/** When all files of a run are there. */
export function collectedBy({ status, endedAt }: Collected): number {
  return status === 'aborted' && endedAt !== undefined ? Date.parse(endedAt) + COLLECTED_WITHIN_MS : 0;
}

export const runKeys = {
  lists: ['runs', 'list'] as const,
  one: (id: string) => ['runs', 'one', id] as const,
};

export const isEnded = ({ status }: { readonly status?: RunStatus | undefined }): boolean =>
  status === 'completed' || status === 'failed' || status === 'aborted';

export function runsQuery(organization: string, { status, kind, workspace }: RunFilter) {
  return infiniteQueryOptions({
    queryKey: [...runKeys.lists, organization, { status, kind, workspace }],
    queryFn: ({ pageParam, signal }) =>
      runtime.jobs.list(
        {
          limit: RUNS,
          ...(status === undefined ? {} : { status }),
          ...(kind === undefined ? {} : { kind }),
          ...(workspace === undefined ? {} : { workspace }),
          ...(pageParam === undefined ? {} : { cursor: pageParam }),
        },
        { context: { organization }, signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.cursor,
  });
}

export function runQuery(organization: string, id: string) {
  return queryOptions({
    queryKey: [...runKeys.one(id), organization],
    queryFn: async ({ signal }) => (await runtime.jobs.get({ id }, { context: { organization }, signal })).job,
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && data.waiting !== undefined ? LOOK_WHILE_WAITING_MS : false,
  });
}

export function runEventsQuery(organization: string, id: string) {
  return queryOptions({
    queryKey: [...runKeys.one(id), organization, 'events'],
    // Events are only appended: those that are known are not read again, and each page is shown as it comes.
    queryFn: async ({ signal, client, queryKey }) => {
      const all = [...(client.getQueryData<readonly RunEvent[]>(queryKey) ?? [])];
      for (let after = all.at(-1)?.id ?? -1; ;) {
        const { events, cursor } = await runtime.jobs.events({ id, after }, { context: { organization }, signal });
        all.push(...events);
        if (cursor === undefined) return all;
        after = Number(cursor);
        client.setQueryData(queryKey, [...all]);
      }
    },
  });
}

/** What the command that runs now has printed, while the page is in sight. */
export function runOutputQuery(organization: string, id: string) {
  return queryOptions({
    queryKey: [...runKeys.one(id), organization, 'output'],
    queryFn: async ({ signal }) => (await runtime.jobs.output({ id }, { context: { organization }, signal })).output,
    refetchInterval: LOOK_WHILE_PRINTING_MS,
    gcTime: 0,
  });
}

/** @param until the files of a run that was aborted are collected after its last event: it is asked again until then. */
export function runArtifactsQuery(organization: string, id: string, until = 0) {
  return queryOptions({
    refetchInterval: () => (Date.now() < until ? LOOK_WHILE_COLLECTED_MS : false),
    queryKey: [...runKeys.one(id), organization, 'artifacts'],
    queryFn: async ({ signal }) =>
      (await runtime.jobs.artifacts({ id }, { context: { organization }, signal })).artifacts,
  });
}

/** Whether runs can be executed. There is no event for a change, so it is polled while they cannot. */
export function sandboxQuery(organization: string) {
  return queryOptions({
    queryKey: ['runs', 'sandbox', organization],
    queryFn: ({ signal }) => runtime.sandbox.show(undefined, { context: { organization }, signal }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && !data.ok ? LOOK_WHILE_WAITING_MS : false),
  });
}

export async function startRun(organization: string, run: NewRun): Promise<RunView> {
  return (await runtime.jobs.start(run, { context: { organization, startsRun: true } })).job;
}

export async function abortRun(organization: string, id: string): Promise<RunView> {
  return (await runtime.jobs.abort({ id }, { context: { organization } })).job;
}

function fetchArtifact(organization: string, id: string, name: string, signal?: AbortSignal): Promise<Response> {
  const path = `/jobs/${encodeURIComponent(id)}/artifacts/${name.split('/').map(encodeURIComponent).join('/')}`;
  return fetchRuntime(organization, path, signal === undefined ? {} : { signal });
}

/** The beginning of a file, as much as a preview shows. */
export function artifactQuery(
  organization: string,
  { run, name, isImage }: { run: string; name: string; isImage: boolean },
) {
  return queryOptions({
    queryKey: [...runKeys.one(run), organization, 'artifact', name],
    queryFn: async ({ signal }) =>
      readUpTo(await fetchArtifact(organization, run, name, signal), isImage ? IMAGE_MAX_BYTES : TEXT_MAX_BYTES),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

export async function downloadArtifact(organization: string, id: string, name: string): Promise<void> {
  const response = await fetchArtifact(organization, id, name);
  await saveFile(response, name.slice(name.lastIndexOf('/') + 1));
}
