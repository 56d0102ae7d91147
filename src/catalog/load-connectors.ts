// Loads the catalogue once, at startup. It loads whole or not at all: a fault in any file rejects it, and all faults
// are reported together.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson } from '../base/canonical-json.ts';
import { releaseDirectory } from '../process/package-root.ts';
import { checkManifest, describeRule, type Fault } from './check-manifest.ts';
import {
  type Catalog,
  type CatalogCounts,
  type Connector,
  type Manifest,
  SURFACES,
  type ToolSurface,
} from './connector-types.ts';
import { deriveSurface } from './derive-surface.ts';
import { freezeDeeply } from './freeze-deeply.ts';
import { isObject, type Loose } from './loose-json.ts';
import { readProviderResource } from './read-provider-resource.ts';

export class CatalogError extends Error {
  override readonly name = 'CatalogError';
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(
      `the connector catalogue has ${faults.length} fault(s):\n${faults.map(({ file, rule, message }) => `  ${file}: ${rule} (${describeRule(rule)}): ${message}`).join('\n')}`,
    );
    this.faults = faults;
  }
}

export function loadConnectors(directory: string = releaseDirectory('connectors')): Catalog {
  const files = readdirSync(directory)
    .filter((file) => file.endsWith('.json'))
    .sort();
  return buildCatalog(files.map((file) => ({ file, text: readFileSync(join(directory, file), 'utf8') })));
}

export function buildCatalog(files: readonly { readonly file: string; readonly text: string }[]): Catalog {
  const faults: Fault[] = [];
  const manifests: Loose[] = [];
  const firstFileOf = new Map<unknown, string>();
  for (const { file, text } of files) {
    const manifest = parseObject(text);
    if (!manifest) {
      faults.push({ file, rule: 'json', message: 'the file is not a JSON object' });
      continue;
    }
    faults.push(...checkManifest(file, manifest));
    const first = firstFileOf.get(manifest['id']);
    if (first === undefined) firstFileOf.set(manifest['id'], file);
    else
      faults.push({ file, rule: 'unique-id', message: `${JSON.stringify(manifest['id'])} is the id of ${first} too` });
    manifests.push(manifest);
  }
  if (faults.length > 0) throw new CatalogError(faults);

  // Every rule has passed, so the loose objects are manifests.
  const connectors = manifests
    .map((manifest) => buildConnector(manifest as unknown as Manifest))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const byId: Record<string, Connector> = Object.create(null) as Record<string, Connector>;
  for (const connector of connectors) byId[connector.id] = connector;
  const version = createHash('sha256').update(canonicalJson(connectors)).digest('hex').slice(0, 16);
  return freezeDeeply({ version, connectors, byId, counts: countCatalog(connectors) });
}

function parseObject(text: string): Loose | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The connector described by a checked manifest. */
function buildConnector(manifest: Manifest): Connector {
  const { tools, read: _read, german: _german, ...rest } = manifest;
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

function countCatalog(connectors: readonly Connector[]): CatalogCounts {
  const tools = connectors.flatMap((connector) => [...connector.tools]);
  const bySurface = (surface: ToolSurface): number =>
    connectors.filter((connector) => connector.surface === surface).length;
  return {
    connectors: connectors.length,
    tools: tools.length,
    writes: tools.filter((tool) => tool.access === 'write').length,
    surfaces: Object.fromEntries(SURFACES.map((surface) => [surface, bySurface(surface)])) as Record<
      ToolSurface,
      number
    >,
  };
}
