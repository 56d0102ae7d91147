import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFaults, type SourceFile } from './find-floor-faults.ts';

const root = join(import.meta.dirname, '..');
const files: SourceFile[] = ['src', 'stand-ins', 'web', 'cli'].flatMap((top) =>
  readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => ({ path: `${top}/${name}`, text: readFileSync(join(root, top, name), 'utf8') })),
);

const faults = findFaults(files);
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stdout.write(`${files.length} files, ${faults.length} faults\n`);
process.exit(faults.length === 0 ? 0 : 1);
