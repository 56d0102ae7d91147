// What a test may not do, found in its text.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findSingleLooks } from './find-single-looks.ts';
import { findSourceStarts } from './find-source-starts.ts';

const root = join(import.meta.dirname, '..');
const list = (top: string): string[] =>
  readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.includes('node_modules'))
    .map((name) => `${top}/${name}`);
const ours = [
  ...list('test'),
  ...list('bench'),
  ...['src', 'stand-ins', 'cli', 'web', 'scripts'].flatMap(list).filter((path) => /\.test\.tsx?$/.test(path)),
];
const files = ours
  .filter((path) => /\.(?:[cm]?js|tsx?)$/.test(path) && path !== 'scripts/find-source-starts.test.ts')
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
// A role is a program that calls what makes it one.
const roles = readdirSync(join(root, 'src', 'entry'))
  .filter(
    (name) =>
      name.endsWith('.ts') &&
      /^await (?:runProcess|stackMain)\(|^process\.exit/m.test(readFileSync(join(root, 'src', 'entry', name), 'utf8')),
  )
  .map((name) => name.slice(0, -'.ts'.length));

const faults = [...findSourceStarts(files, [...roles, 'servicectl-admin']), ...findSingleLooks(files)];
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stdout.write(`${files.length} files, ${roles.length + 1} roles, ${faults.length} faults\n`);
process.exit(faults.length === 0 ? 0 : 1);
