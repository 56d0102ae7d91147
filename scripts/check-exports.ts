import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findUnusedExports } from './find-unused-exports.ts';
import { listFiles } from './list-files.ts';

const root = join(import.meta.dirname, '..');
const files = ['src', 'web', 'cli', 'stand-ins', 'scripts', 'test', 'bench'].flatMap((top) =>
  listFiles(root, top)
    .filter((path) => /\.(?:tsx?|mjs|cjs)$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
);

const faults = findUnusedExports(files);
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stdout.write(`${files.length} files, ${faults.length} faults\n`);
process.exit(faults.length === 0 ? 0 : 1);
