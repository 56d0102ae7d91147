// Reads of connectors and connections, through the connection service.
import type { WorkspaceNames } from '../../api/workspace-names.ts';
import { queryOptions } from '@tanstack/react-query';
import { api, client } from '../../api/client.ts';
import { type Access, connections, fetchConnect } from '../../api/runtime-client.ts';
import { inLanguage } from '../../language/language.ts';

/** A workspace of an organization, by their ids. */
export type ListedConnector = Awaited<ReturnType<typeof connections.connectors>>['connectors'][number];
export type ListedConnection = Awaited<ReturnType<typeof connections.list>>['connections'][number];
export type ConnectionPolicy = Awaited<ReturnType<typeof connections.readPolicy>>;

/** A tool of a connection, and whether its policy enables it. */
export interface ConnectionTool {
  readonly name: string;
  readonly access: Access;
  readonly description: string;
  readonly inputSchema: unknown;
  readonly enabled: boolean;
}

export const connectKeys = {
  connections: ({ organization, workspace }: WorkspaceNames) =>
    ['connect', 'connections', organization, workspace] as const,
  /** Of all connections of a workspace, or of one. */
  policy: ({ organization, workspace }: WorkspaceNames, ...id: string[]) =>
    ['connect', 'policy', organization, workspace, ...id] as const,
  tools: ({ organization, workspace }: WorkspaceNames) => ['connect', 'tools', organization, workspace] as const,
};

/** The catalog is part of the deployment and rarely changes. */
const CATALOGUE_FRESH_MS = 5 * 60_000;

/** English comes with the catalogue. */
const connectorTexts = inLanguage<
  Readonly<Record<string, { readonly purpose: string; readonly reads: string; readonly words: readonly string[] }>>
>('connectorTexts', {});

export function connectorsQuery(organization: string) {
  return queryOptions({
    queryKey: ['connect', 'connectors', organization],
    queryFn: async ({ signal }) => {
      const found = await connections.connectors({}, { context: { organization, access: 'read' }, signal });
      return {
        ...found,
        connectors: found.connectors.map((connector) => {
          const texts = connectorTexts[connector.id];
          // People look for apps in English too.
          return { ...connector, ...texts, words: [...(connector.words ?? []), ...(texts?.words ?? [])] };
        }),
      };
    },
    staleTime: CATALOGUE_FRESH_MS,
  });
}

export function connectionsQuery(place: WorkspaceNames) {
  const { organization, workspace } = place;
  return queryOptions({
    queryKey: connectKeys.connections(place),
    queryFn: async ({ signal }) =>
      (await connections.list({ workspace }, { context: { organization, access: 'read' }, signal })).connections,
  });
}

const MEMBERS_SHOWN = 50;

/** Some members of a workspace, and whether there are more. */
export function workspaceMembersQuery(ws: string) {
  return queryOptions({
    queryKey: [...api.workspaces.members.key(), 'some', ws],
    queryFn: async ({ signal }) => {
      const { members, cursor } = await client.workspaces.members.list({ ws, limit: MEMBERS_SHOWN }, { signal });
      return { members, more: cursor !== undefined };
    },
  });
}

export function connectionPolicyQuery(place: WorkspaceNames, id: string) {
  const { organization, workspace } = place;
  return queryOptions({
    queryKey: connectKeys.policy(place, id),
    queryFn: ({ signal }) =>
      connections.readPolicy(
        { params: { id }, query: { workspace } },
        { context: { organization, access: 'read' }, signal },
      ),
  });
}

/** Includes apps with their own MCP server, whose tools are discovered. */
export function connectionToolsQuery(place: WorkspaceNames, id: string) {
  return queryOptions({
    queryKey: [...connectKeys.policy(place, id), 'tools'],
    async queryFn({ signal }) {
      const response = await fetchConnect(
        place.organization,
        `/connections/${encodeURIComponent(id)}/tools?workspace=${encodeURIComponent(place.workspace)}`,
        { signal },
      );
      return ((await response.json()) as { tools: readonly ConnectionTool[] }).tools;
    },
  });
}

/** The tools that an MCP client of this person sees, listed the way a client does. */
export function visibleToolsQuery(place: WorkspaceNames) {
  return queryOptions({
    queryKey: connectKeys.tools(place),
    async queryFn({ signal }) {
      const response = await fetchConnect(place.organization, `/mcp?workspace=${encodeURIComponent(place.workspace)}`, {
        method: 'POST',
        access: 'write',
        signal,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-11-25',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
      const { result } = (await response.json()) as {
        result?: { tools?: readonly { name: string; annotations?: { readOnlyHint?: boolean } }[] };
      };
      return (result?.tools ?? []).map(({ name, annotations }) => ({
        name,
        access: annotations?.readOnlyHint === true ? ('read' as const) : ('write' as const),
      }));
    },
  });
}
