// The tools a caller may call, across all connections of a workspace, as MCP lists them. A call is authorized by the
// same function. Tools of an app's own MCP server are not part of this list.
import { advertiseTool, type AdvertisedTool } from '../catalog/advertise-tool.ts';
import type { Catalog, Tool } from '../catalog/connector-types.ts';
import { findConnector } from '../catalog/find-connector.ts';
import type { Connection } from '../connections/connection-types.ts';
import type { Scope } from '../contract/tokens.ts';
import { findRefusal } from './authorize-tool.ts';
import { nameTool } from './name-tool.ts';

export interface ListedTool {
  /** As shown to clients. */
  readonly name: string;
  readonly connection: Pick<Connection, 'id' | 'provider' | 'name'>;
  readonly tool: Tool;
}

/** The connection and tool a name stands for, whether or not the caller may call it. Same order and names as the list. */
export function findToolByName(
  catalog: Catalog,
  connections: readonly Connection[],
  name: string,
): { connection: string; tool: string } | undefined {
  for (const connection of connections) {
    for (const tool of toolsOf(catalog, connection)) {
      if (nameTool({ provider: connection.provider, connectionName: connection.name, tool: tool.name }) === name)
        return { connection: connection.id, tool: tool.name };
    }
  }
  return undefined;
}

/** Connections imported from local tools have none: the integration provider does not know them. */
function toolsOf(catalog: Catalog, connection: Connection): readonly Tool[] {
  return connection.kind === 'integration-reference' ? (findConnector(catalog, connection.provider)?.tools ?? []) : [];
}

/** Sorted by name. If two tools would share a name it belongs to the first, as in a call, even if that one is refused. */
export function listTools(
  catalog: Catalog,
  connections: readonly Connection[],
  { isMember, scopes }: { readonly isMember: boolean; readonly scopes: ReadonlySet<Scope> },
): ListedTool[] {
  const taken = new Set<string>();
  const listed: ListedTool[] = [];
  for (const connection of connections) {
    for (const tool of toolsOf(catalog, connection)) {
      const name = nameTool({ provider: connection.provider, connectionName: connection.name, tool: tool.name });
      if (taken.has(name)) continue;
      taken.add(name);
      if (!findRefusal({ isMember, scopes, policy: connection.policy, tool })) listed.push({ name, connection, tool });
    }
  }
  return listed.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A connection's name says which account a tool uses, so it is part of the description unless it is the default. */
export function advertise({ name, connection, tool }: ListedTool): AdvertisedTool {
  const shown = { ...advertiseTool(connection.provider, tool), name };
  return connection.name === 'default'
    ? shown
    : { ...shown, description: `${shown.description} Account: ${connection.name}.` };
}
