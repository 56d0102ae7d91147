// Whether every type that the glossary of docs/concepts.md names is exported by exactly one file.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findGlossaryFaults, readTypeNames } from './find-glossary-faults.ts';

const root = join(import.meta.dirname, '..');
const readText = (path: string): { path: string; text: string } => ({
  path,
  text: readFileSync(join(root, path), 'utf8'),
});

const page = readText('docs/concepts.md');
const files = ['src', 'web', 'cli', 'stand-ins'].flatMap((top) =>
  readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|\.d\.ts$/.test(name))
    .map((name) => readText(`${top}/${name}`)),
);

const faults = findGlossaryFaults(page, files);
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stdout.write(`${readTypeNames(page.text).length} types, ${faults.length} faults\n`);
process.exit(faults.length === 0 ? 0 : 1);
