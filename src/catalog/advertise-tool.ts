import type { Catalog, InputSchema, Tool } from './connector-types.ts';

export interface AdvertisedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  readonly annotations: { readonly readOnlyHint: boolean };
}

/** A tool as an MCP client sees it. `address` is `<provider>`, or `<provider>--<name>` for a named connection. */
export function advertiseTool(address: string, { name, description, inputSchema, access }: Tool): AdvertisedTool {
  return { name: `${address}__${name}`, description, inputSchema, annotations: { readOnlyHint: access === 'read' } };
}

/** Every static tool of the catalogue, as for default connections, in order of connector. */
export function advertiseCatalog(catalog: Catalog): AdvertisedTool[] {
  return catalog.connectors.flatMap((connector) =>
    connector.tools.map((tool: Tool) => advertiseTool(connector.id, tool)),
  );
}
