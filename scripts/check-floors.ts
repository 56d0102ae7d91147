import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFaults, type SourceFile } from './find-floor-faults.ts';
import { findProviderNames } from './find-provider-names.ts';
import { findTableFaults } from './find-table-faults.ts';

const root = join(import.meta.dirname, '..');
const read = (top: string, wanted: (name: string) => boolean): SourceFile[] =>
  readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
    .filter(wanted)
    .map((name) => ({ path: `${top}/${name}`, text: readFileSync(join(root, top, name), 'utf8') }));

const files = ['src', 'stand-ins', 'web', 'cli'].flatMap((top) =>
  read(top, (name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name) && !name.endsWith('.d.ts')),
);
const statements = [
  ...files.filter(({ path }) => path.startsWith('src/')),
  ...read('migrations', (name) => name.endsWith('.sql')),
];

const faults = [...findFaults(files), ...findTableFaults(statements), ...findProviderNames(files)];
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stdout.write(`${files.length} files, ${faults.length} faults\n`);
process.exit(faults.length === 0 ? 0 : 1);
