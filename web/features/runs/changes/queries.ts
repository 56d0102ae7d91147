import { queryOptions } from '@tanstack/react-query';
import { readPatch } from '../../../../src/contract/patches/read-patch.ts';
import { PATCH_TYPE } from '../../../../src/contract/patches/patch-type.ts';
import { fetchRuntime, runtime } from '../../../api/runtime-client.ts';
import { saveFile } from '../../../kit/save-file.ts';
import { runKeys } from '../queries.ts';

/** A run that continues in the same attempt may collect them again. */
const keyOf = (organization: string, run: string, endedAt: string | undefined) =>
  [...runKeys.one(run), organization, 'changes', endedAt] as const;

export function runChangesQuery(organization: string, id: string, endedAt: string | undefined) {
  return queryOptions({
    queryKey: keyOf(organization, id, endedAt),
    queryFn: ({ signal }) => runtime.jobs.changes({ id }, { context: { organization }, signal }),
  });
}

/** Its files by path. */
export function runPatchQuery(organization: string, id: string, endedAt: string | undefined) {
  return queryOptions({
    queryKey: [...keyOf(organization, id, endedAt), 'patch'],
    queryFn: async ({ signal }) => {
      const patch = await (await fetchPatch(organization, id, signal)).text();
      return new Map(readPatch(patch).map((file) => [file.path, file]));
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    // Megabytes that are read, never changed.
    structuralSharing: false,
  });
}

export async function downloadPatch(organization: string, id: string): Promise<void> {
  await saveFile(await fetchPatch(organization, id), `${id}.patch`);
}

function fetchPatch(organization: string, id: string, signal?: AbortSignal): Promise<Response> {
  return fetchRuntime(organization, `/jobs/${encodeURIComponent(id)}/changes`, {
    headers: { accept: PATCH_TYPE },
    ...(signal === undefined ? {} : { signal }),
  });
}
