import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findUnusedExports } from './find-unused-exports.ts';

const root = join(import.meta.dirname, '..');
const files = ['src', 'web', 'cli', 'stand-ins', 'scripts', 'test', 'bench'].flatMap((top) =>
  readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|mjs|cjs)$/.test(name) && !name.includes('node_modules'))
    .map((name) => ({ path: `${top}/${name}`, text: readFileSync(join(root, top, name), 'utf8') })),
);

const faults = findUnusedExports(files);
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stdout.write(`${files.length} files, ${faults.length} faults\n`);
process.exit(faults.length === 0 ? 0 : 1);
