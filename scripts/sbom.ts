// The software bill of materials of a build, as CycloneDX JSON: every package of which a bundle holds some code, and
// the Node that runs them. It is read off the bundlers' own lists, not off the lock file, because most of what is
// installed is never shipped. The same sources give the same bytes: it holds no time and no path.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { Metafile } from 'esbuild';

interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export interface Component {
  readonly type: 'application' | 'library' | 'platform';
  readonly 'bom-ref': string;
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly hashes?: readonly { readonly alg: 'SHA-512'; readonly content: string }[];
  readonly licenses?: readonly (
    | { readonly license: { readonly id: string } | { readonly name: string } }
    | { readonly expression: string }
  )[];
  readonly cpe?: string;
  readonly purl: string;
}

export interface Sbom {
  readonly bomFormat: 'CycloneDX';
  readonly specVersion: '1.6';
  readonly serialNumber: string;
  readonly version: 1;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const RUNTIME = 'node_modules/node';

/** Files of which esbuild wrote something: what it dropped again is not shipped. */
export function filesOf({ outputs }: Metafile): string[] {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([file]) => file),
  );
}

/** The SBOM of bundles made of these files, which are absolute or relative to the root. */
export function makeSbom(root: string, files: Iterable<string>): Sbom {
  const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const { packages } = read('package-lock.json') as { packages: Readonly<Record<string, Locked>> };
  const { name, version, license, dependencies, devDependencies } = read('package.json') as Locked & { name: string };
  const shipped = [...new Set([RUNTIME, ...[...files].flatMap((file) => packageOf(root, file) ?? [])])].toSorted();
  const locked = (key: string): Locked => {
    const found = packages[key];
    if (found === undefined) throw new Error(`${key} is in a bundle and not in package-lock.json`);
    return found;
  };
  const own: Component = describe('application', name, { version, ...(license === undefined ? {} : { license }) });
  const components = new Map(
    shipped.map((key) => [key, describe(key === RUNTIME ? 'platform' : 'library', nameOf(key), locked(key))]),
  );
  const refsOf = (from: string, { dependencies: needed, optionalDependencies, peerDependencies }: Locked): string[] =>
    Object.keys({ ...needed, ...optionalDependencies, ...peerDependencies })
      .flatMap((one) => components.get(resolve(from, one, components) ?? '')?.['bom-ref'] ?? [])
      .toSorted();
  return named({
    metadata: { component: own },
    // A package that is installed twice in one version is one component.
    components: [...byRef(components.values(), (component) => component['bom-ref']).values()],
    dependencies: [
      {
        ref: own['bom-ref'],
        // What is bundled is among the development dependencies; of those, only what is shipped has a component.
        dependsOn: refsOf('', { version, dependencies: { ...dependencies, ...devDependencies } }),
      },
      ...byRef(
        [...components].map(([key, component]) => ({ ref: component['bom-ref'], dependsOn: refsOf(key, locked(key)) })),
        ({ ref }) => ref,
      ).values(),
    ],
  });
}

/** What an image holds besides: the packages of its Debian, as the package manager lists them. */
export function withDebianPackages(
  { metadata, components, dependencies }: Sbom,
  packages: readonly { readonly name: string; readonly version: string; readonly architecture: string }[],
  suite: string,
): Sbom {
  const debian = packages.map(({ name, version, architecture }): Component => {
    const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}&distro=${suite}`;
    return { type: 'library', 'bom-ref': purl, name, version, purl };
  });
  return named({
    metadata,
    components: [...components, ...debian],
    dependencies: [...dependencies, ...debian.map(({ 'bom-ref': ref }) => ({ ref, dependsOn: [] }))],
  });
}

function named(content: Pick<Sbom, 'metadata' | 'components' | 'dependencies'>): Sbom {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(content))}`,
    version: 1,
    ...content,
  };
}

function byRef<T>(rows: Iterable<T>, refOf: (row: T) => string): Map<string, T> {
  return new Map([...rows].map((row) => [refOf(row), row] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The package of a file as the lock file names it: the innermost directory of packages counts. */
/** As the lock file names it, also where `node_modules` is a link to another directory. */
function packageOf(root: string, file: string): string | undefined {
  const path = (isAbsolute(file) ? relative(root, file) : file).split(sep).join('/');
  return /(?<=^|\/)node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
}

function nameOf(key: string): string {
  return key.slice(key.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** As Node finds a package: beside the one that asks for it, or in a directory above. */
function resolve(from: string, name: string, shipped: ReadonlyMap<string, Component>): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const key = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (shipped.has(key)) return key;
    if (at === '') return undefined;
  }
}

/** Packages whose manifest names no licence, with the one in their licence file. */
const UNDECLARED: Readonly<Record<string, string>> = { khroma: 'MIT' };

function describe(
  type: Component['type'],
  fullName: string,
  { version, integrity, license = UNDECLARED[fullName] }: Locked,
): Component {
  const [name = '', group] = fullName.split('/').toReversed();
  const purl = `pkg:npm/${group === undefined ? '' : `${encodeURIComponent(group)}/`}${name}@${version}`;
  return {
    type,
    'bom-ref': purl,
    ...(group === undefined ? {} : { group }),
    name,
    version,
    ...(integrity?.startsWith('sha512-') === true
      ? {
          hashes: [
            { alg: 'SHA-512', content: Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex') },
          ],
        }
      : {}),
    ...(license === undefined ? {} : { licenses: [describeLicense(license)] }),
    ...(type === 'platform' ? { cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*` } : {}),
    purl,
  };
}

function describeLicense(license: string): NonNullable<Component['licenses']>[number] {
  if (/ (?:AND|OR|WITH) /.test(license)) return { expression: license };
  return { license: license.includes(' ') ? { name: license } : { id: license } };
}

/** The name of these contents, so that the same build has the same one. */
function uuidOf(content: string): string {
  const hex = createHash('sha256').update(content).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
