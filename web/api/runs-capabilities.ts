// What runs of a workspace may count on, through the connection service.
import { queryOptions } from '@tanstack/react-query';
import { connections } from './connect-client.ts';

export interface Capability {
  /** What stands behind the @. */
  readonly key: string;
  readonly title: string;
  readonly usable: boolean;
  readonly status: string;
}

export function capabilitiesQuery({ organization, workspace }: { organization: string; workspace: string | undefined }) {
  return queryOptions({
    queryKey: ['connect', 'capabilities', organization, workspace ?? 'default'],
    async queryFn({ signal }): Promise<readonly Capability[]> {
      const { capabilities } = await connections.capabilities(workspace === undefined ? {} : { workspace }, { context: { organization, access: 'read' }, signal });
      return Object.entries(capabilities)
        .map(([key, { status, metadata }]) => ({ key, title: typeof metadata.title === 'string' ? metadata.title : key, usable: status === 'valid', status }))
        .sort((a, b) => Number(b.usable) - Number(a.usable) || a.key.localeCompare(b.key));
    },
  });
}
