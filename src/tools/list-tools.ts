// The tools a caller may call, over every connection of a workspace, as MCP shows them. It asks the same function as
// the call does. Tools of a provider's own MCP server stay with that server and are not in the aggregate.
import { advertiseTool, type AdvertisedTool } from '../catalog/advertise-tool.ts';
import type { Catalog, Tool } from '../catalog/connector-types.ts';
import { findConnector } from '../catalog/find-connector.ts';
import type { Connection } from '../connections/connection-types.ts';
import type { Scope } from '../contract/tokens.ts';
import { findRefusal } from './authorize-tool.ts';
import { nameTool } from './name-tool.ts';

export interface ListedTool {
  /** As clients see it. */
  readonly name: string;
  readonly connection: Pick<Connection, 'id' | 'provider' | 'name'>;
  readonly tool: Tool;
}

/** The connection and tool behind a name, whether the caller may call it or not. Sequence and naming are those of the list. */
export function findNamed(
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

/** Imports of local kinds have none: nothing of them is at the integration provider. */
function toolsOf(catalog: Catalog, connection: Connection): readonly Tool[] {
  return connection.kind === 'integration-reference' ? (findConnector(catalog, connection.provider)?.tools ?? []) : [];
}

/** Sorted by name. A name that two would share belongs to the first, as it does in a call, also where that one is refused. */
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

/** The name of a connection tells people which account they use, so a named one says so in the description too. */
export function advertise({ name, connection, tool }: ListedTool): AdvertisedTool {
  const shown = { ...advertiseTool(connection.provider, tool), name };
  return connection.name === 'default'
    ? shown
    : { ...shown, description: `${shown.description} Account: ${connection.name}.` };
}
