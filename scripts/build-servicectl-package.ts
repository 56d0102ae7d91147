// The command line as a package of its own, `dist/servicectl-package`: bundled, without dependencies, for every Node
// from 20 on. `dist/servicectl.js` starts the same files, so that what is tested is what is packed.
import { existsSync } from 'node:fs';
import { chmod, copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import type { BuildInfo } from '../src/process/build-info.ts';
import { collectLicenses } from './collect-licenses.ts';

export const PACKAGE = 'servicectl-package';

/** What went into it. */
export async function buildServicectlPackage(root: string, made: string, info: BuildInfo): Promise<Metafile> {
  const directory = join(made, PACKAGE);
  const { metafile } = await build({
    entryPoints: [join(root, 'cli', 'main.ts')],
    outdir: directory,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    splitting: true,
    chunkNames: 'parts/[name]-[hash]',
    // Names are kept, so that a stack trace that somebody reports can be read.
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: 'warning',
    metafile: true,
    absWorkingDir: root,
    legalComments: 'none',
    // jq-wasm carries its program inside and reads no file, but asks where it lies.
    define: { __dirname: '""' },
    banner: {
      js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
    },
  });
  const { license, engines } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    license: string;
    engines: { node: string };
  };
  const manifest = {
    name: 'agent-platform-servicectl',
    ...info,
    description: 'servicectl, the command line of the agent platform: chat, connected apps, background runs, receipts.',
    license,
    type: 'module',
    engines,
    bin: { servicectl: 'servicectl.js' },
  };
  const entry = await readFile(join(root, 'cli', 'servicectl.js'), 'utf8');
  await writeFile(join(directory, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  await writeFile(join(directory, 'servicectl.js'), entry);
  await writeFile(join(made, 'servicectl.js'), entry.replace("'./main.js'", `'./${PACKAGE}/main.js'`));
  await writeFile(join(directory, 'THIRD-PARTY-LICENSES'), collectLicenses(root, Object.keys(metafile.inputs)));
  await copyFile(join(root, 'cli', 'PACKAGE.md'), join(directory, 'README.md'));
  // An image is built without it, and nobody packs there.
  if (existsSync(join(root, 'LICENSE'))) await copyFile(join(root, 'LICENSE'), join(directory, 'LICENSE'));
  // npm links both as programs.
  for (const file of [join(directory, 'servicectl.js'), join(made, 'servicectl.js')]) await chmod(file, 0o755);
  return metafile;
}
