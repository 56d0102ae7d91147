import type { Catalog, Connector, Tool } from './connector-types.ts';

export function findConnector(catalog: Catalog, id: string): Connector | undefined {
  return catalog.byId[id];
}

export function findTool(connector: Connector, name: string): Tool | undefined {
  return connector.tools.find((tool: Tool) => tool.name === name);
}
