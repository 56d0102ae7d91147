// The catalogue is read once, at start. It loads whole or not at all: any fault of any file refuses it, and all
// faults are reported together.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson } from '../base/canonical-json.ts';
import { releaseDirectory } from '../base/package-root.ts';
import { buildConnector } from './build-connector.ts';
import { checkManifest, describeRule, type Fault } from './check-manifest.ts';
import type { Catalog, Connector, Manifest } from './connector-types.ts';
import { countCatalog } from './count-catalog.ts';
import { freezeDeeply } from './freeze-deeply.ts';
import { isObject, type Loose } from './loose-json.ts';

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
      faults.push({ file, rule: 'json', message: 'the file does not hold one' });
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
