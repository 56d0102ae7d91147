import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findJsonFaults } from './find-json-faults.ts';
import { JSON_BOUNDS, JSON_ROOMS } from './json-bounds.ts';

const root = join(import.meta.dirname, '..');
const files = JSON_ROOMS.flatMap((room) =>
  readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => ({ path: `${room}/${name}`, text: readFileSync(join(root, room, name), 'utf8') })),
);
const faults = findJsonFaults(files, JSON_BOUNDS);
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stdout.write(`${files.length} files, ${JSON_BOUNDS.length} bounds, ${faults.length} faults\n`);
process.exit(faults.length === 0 ? 0 : 1);
