// How many files a maintainer opens on each path of paths.ts, against its aim. A list that the code has moved away from
// fails; a path that is longer than its aim fails only where the aims are binding.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPathFaults } from './find-path-faults.ts';
import { AIMS_ARE_BINDING, PATHS } from './paths.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string): string | undefined =>
  existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined;

const faults = PATHS.flatMap((path) => findPathFaults(path, read));
const long = PATHS.filter(({ files, aim }) => files.length > aim);
for (const { title, files, aim } of PATHS)
  process.stdout.write(
    `${String(files.length).padStart(3)} of ${aim}  ${title}${files.length > aim ? ', too many' : ''}\n`,
  );
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exit(faults.length > 0 || (AIMS_ARE_BINDING && long.length > 0) ? 1 : 0);
