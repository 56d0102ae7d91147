// Whether the changelog says what changed since the last version. With --record, after the section of what is not
// released has become that of the version in package.json: records what that version promises.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findChangelogFaults, type Released, sectionOf } from './find-changelog-faults.ts';
import { readSurfaces } from './read-surfaces.ts';

const root = join(import.meta.dirname, '..');
const RELEASED = join(root, 'scripts', 'released.json');

const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
const now = await readSurfaces(root);

if (process.argv.includes('--record')) {
  if (sectionOf(changelog, 'Unreleased').trim() !== '' || sectionOf(changelog, version).trim() === '') {
    process.stderr.write(`CHANGELOG.md: move what is below [Unreleased] to a section [${version}] first\n`);
    process.exit(1);
  }
  await writeFile(RELEASED, `${JSON.stringify({ version, surfaces: now } satisfies Released, undefined, 2)}\n`);
}
const released = JSON.parse(await readFile(RELEASED, 'utf8')) as Released;
const faults = findChangelogFaults(changelog, released, now);
if (released.version !== version)
  faults.push(`package.json is ${version}, scripts/released.json was recorded for ${released.version}`);
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exit(faults.length === 0 ? 0 : 1);
