// Whether the names in pages and comments are those of files and code that exist.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findNameFaults } from './find-name-faults.ts';
import { listFiles } from './list-files.ts';

const root = join(import.meta.dirname, '..');
const NOT_SOURCES = new Set(['.git', 'node_modules', 'dist', 'releases', '.cache', '.data']);
/** Its examples are made up. */
const WITHOUT_NAMES = new Set(['package-lock.json', 'scripts/find-name-faults.test.ts']);
const TEXT = /\.(?:md|tsx?|[cm]?js|sql|json|ya?ml|css|html|sh)$/;

const paths = readdirSync(root, { withFileTypes: true })
  .filter(({ name }) => !NOT_SOURCES.has(name))
  .flatMap((entry) => (entry.isDirectory() ? listFiles(root, entry.name) : [entry.name]));
const files = paths
  .filter((path) => TEXT.test(path) && !WITHOUT_NAMES.has(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

const faults = findNameFaults(files, paths);
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stdout.write(`${files.length} files, ${faults.length} faults\n`);
process.exit(faults.length === 0 ? 0 : 1);
