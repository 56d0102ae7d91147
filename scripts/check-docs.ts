// Whether every link of the documentation leads somewhere, and every page is linked.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findLinkFaults } from './find-link-faults.ts';

const root = join(import.meta.dirname, '..');
const paths = [
  ...readdirSync(root),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((file) => `docs/${file}`),
].filter((path) => path.endsWith('.md'));
const pages = paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

const faults = findLinkFaults(pages, (path) => existsSync(join(root, path)), 'docs/README.md');
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stdout.write(`${pages.length} pages, ${faults.length} faults\n`);
process.exit(faults.length === 0 ? 0 : 1);
