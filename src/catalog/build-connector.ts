import type { Connector, Manifest } from './connector-types.ts';
import { deriveSurface } from './derive-surface.ts';
import { readProviderResource } from './read-provider-resource.ts';

/** The connector that a checked manifest describes. */
export function buildConnector(manifest: Manifest): Connector {
  const { tools, read: _read, ...rest } = manifest;
  const surface = deriveSurface(manifest);
  switch (surface) {
    case 'typed-proxy':
      return { ...rest, surface, tools: tools ?? [] };
    case 'compatibility-read':
      return { ...rest, surface, tools: [readProviderResource(manifest)] };
    case 'resource-aware-get':
      return { ...rest, surface, resource: present(rest.resource), tools: [readProviderResource(manifest)] };
    case 'provider-mcp':
      return { ...rest, surface, mcp: present(rest.mcp), tools: [] };
    case 'command-auth':
      return { ...rest, surface, command: present(rest.command), tools: [] };
  }
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError('the surface was derived from a field that is absent');
  return value;
}
