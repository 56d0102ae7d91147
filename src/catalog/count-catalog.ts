import { type CatalogCounts, type Connector, SURFACES, type Surface } from './connector-types.ts';

export function countCatalog(connectors: readonly Connector[]): CatalogCounts {
  const tools = connectors.flatMap((connector) => [...connector.tools]);
  const bySurface = (surface: Surface): number =>
    connectors.filter((connector) => connector.surface === surface).length;
  return {
    connectors: connectors.length,
    tools: tools.length,
    writes: tools.filter((tool) => tool.access === 'write').length,
    surfaces: Object.fromEntries(SURFACES.map((surface) => [surface, bySurface(surface)])) as Record<Surface, number>,
  };
}
