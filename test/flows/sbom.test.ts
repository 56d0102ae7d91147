// The SBOM beside the bundles: it has what CycloneDX requires, and lists what the bundles' own source maps name.
import { existsSync, globSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

// Maps are relative to where the release lies; dist is a link to it.
const DIST = realpathSync(join(import.meta.dirname, '..', '..', 'dist'));
const REF = /^pkg:npm\/(?:%40[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+[\w.+-]*$/;

const license = z.union([
  z.strictObject({
    license: z.union([
      z.strictObject({ id: z.string().regex(/^[\w.+-]+$/) }),
      z.strictObject({ name: z.string().min(1) }),
    ]),
  }),
  z.strictObject({ expression: z.string().min(1) }),
]);
const component = z.strictObject({
  type: z.enum(['application', 'library', 'platform']),
  'bom-ref': z.string().regex(REF),
  group: z.string().startsWith('@').optional(),
  name: z.string().min(1),
  version: z.string().min(1),
  hashes: z
    .array(z.strictObject({ alg: z.literal('SHA-512'), content: z.string().regex(/^[0-9a-f]{128}$/) }))
    .optional(),
  licenses: z.array(license).length(1),
  cpe: z.string().startsWith('cpe:2.3:').optional(),
  purl: z.string().regex(REF),
});
/** What the schema of CycloneDX 1.6 requires, with no field beside those that we write. */
const bom = z.strictObject({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.literal('1.6'),
  serialNumber: z.string().regex(/^urn:uuid:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  version: z.literal(1),
  metadata: z.strictObject({ component }),
  components: z.array(component).min(1),
  dependencies: z.array(z.strictObject({ ref: z.string().regex(REF), dependsOn: z.array(z.string().regex(REF)) })),
});

const text = readFileSync(join(DIST, 'sbom.cdx.json'), 'utf8');

/** Names of packages whose files a bundle says it holds. Some packages bundle others: those have no files of their own here. */
function shippedByMaps(): string[] {
  const sources = globSync('**/*.map', { cwd: DIST })
    .flatMap((file) =>
      (JSON.parse(readFileSync(join(DIST, file), 'utf8')) as { sources: string[] }).sources.map((source) =>
        join(DIST, dirname(file), source),
      ),
    )
    .filter((file) => existsSync(file));
  return [
    ...new Set(sources.flatMap((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? [])),
  ].toSorted();
}

describe('dist/sbom.cdx.json', () => {
  it('has what CycloneDX requires, and refers to nothing that it does not list', () => {
    const { components, dependencies, metadata } = bom.parse(JSON.parse(text));
    const refs = [metadata.component, ...components].map((one) => one['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    expect(dependencies.map(({ ref }) => ref).toSorted()).toEqual(refs.toSorted());
    expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.includes(ref))).toEqual([]);
  });

  it('lists every package whose code is in a bundle of the server, what the pages are made of, and the pinned Node', () => {
    const listed = bom
      .parse(JSON.parse(text))
      .components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));
    const shipped = shippedByMaps();
    expect(shipped.length).toBeGreaterThan(30);
    expect(shipped.filter((name) => !listed.includes(name))).toEqual([]);
    expect(['react-dom', '@mantine/core', 'hono', 'pg', 'node'].filter((name) => !listed.includes(name))).toEqual([]);
    // Tools of the build are installed, and not shipped.
    expect(
      ['vitest', 'esbuild', 'vite', 'oxlint', 'typescript', '@types/node'].filter((name) => listed.includes(name)),
    ).toEqual([]);
  });

  it('comes with the licence of every package in it', () => {
    const licenses = readFileSync(join(DIST, 'THIRD-PARTY-LICENSES'), 'utf8');
    const lines = new Set(licenses.split('\n'));
    const missing = bom
      .parse(JSON.parse(text))
      .components.filter(({ type }) => type === 'library')
      .map(({ group, name, version }) => `${group === undefined ? name : `${group}/${name}`} ${version} (`)
      .filter((start) => ![...lines].some((line) => line.startsWith(start)));
    expect(missing).toEqual([]);
    expect(licenses).toMatch(/Node\.js is licensed for use as follows/);
  });
});
