// Whether code, comments and documentation avoid the words of find-word-faults.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findWordFaults } from './find-word-faults.ts';
import { listFiles } from './list-files.ts';

const root = join(import.meta.dirname, '..');
const PLACES = ['src', 'web', 'cli', 'stand-ins', 'scripts', 'docs', 'deploy', 'test', 'bench'];
/** The table and its test. */
const ABOUT_WORDS = ['scripts/find-word-faults.ts', 'scripts/find-word-faults.test.ts'];

const files = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...PLACES.flatMap((top) => listFiles(root, top)),
]
  // Translations are not English.
  .filter((path) => !ABOUT_WORDS.includes(path) && !path.endsWith('.de.ts'))
  .map((path) => ({ path, bytes: readFileSync(join(root, path)) }))
  .filter(({ bytes }) => !bytes.includes(0))
  .map(({ path, bytes }) => ({ path, text: bytes.toString('utf8') }));

const faults = findWordFaults(files);
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stdout.write(`${files.length} files, ${faults.length} faults\n`);
process.exit(faults.length === 0 ? 0 : 1);
