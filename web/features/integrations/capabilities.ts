// The capabilities that runs of a workspace can use, from the connection service.
import { queryOptions } from '@tanstack/react-query';
import { explainStatus } from './connection-state.ts';
import { connections } from '../../api/runtime-client.ts';
import type { ListedConnection } from './queries.ts';

export interface Capability {
  /** The text after the @. */
  readonly key: string;
  readonly title: string;
  readonly usable: boolean;
  /** Why it cannot be used. */
  readonly why?: string;
}

export function capabilitiesQuery({
  organization,
  workspace,
}: {
  organization: string;
  workspace: string | undefined;
}) {
  return queryOptions({
    queryKey: ['connect', 'capabilities', organization, workspace ?? 'default'],
    async queryFn({ signal }): Promise<readonly Capability[]> {
      const { capabilities } = await connections.capabilities(workspace === undefined ? {} : { workspace }, {
        context: { organization, access: 'read' },
        signal,
      });
      return Object.entries(capabilities)
        .map(([key, { status, metadata }]) => {
          const { title, reason, kind } = metadata as {
            title?: string;
            reason?: string;
            kind?: ListedConnection['kind'];
          };
          const why = explainStatus({ status, reason, kind: kind ?? 'integration-reference' });
          return { key, title: title ?? key, usable: why === undefined, ...(why === undefined ? {} : { why }) };
        })
        .sort((a, b) => Number(b.usable) - Number(a.usable) || a.key.localeCompare(b.key));
    },
  });
}
