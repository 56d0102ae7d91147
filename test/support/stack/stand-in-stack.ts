// An installation of its own, in which the shipped supervisor finds stand-in programs in the place of three parts and
// leaves out all others, as it does with a part that was not built.
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { builtEntry } from '../built-entry.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const PART = join(import.meta.dirname, '..', 'fixtures', 'stack', 'part.js');
/** One that is asked over HTTP, one that says itself that it has started, and the one that waits for the others. */
export const STAND_IN_PARTS = ['web', 'local-integrations', 'gateway'] as const;

export interface Installation {
  /** The program of the stack. */
  readonly program: string;
  remove(): Promise<void>;
}

export async function installStandInStack(): Promise<Installation> {
  const directory = await mkdtemp(join(tmpdir(), 'service-installation-'));
  const built = dirname(builtEntry('stack'));
  const dist = join(directory, 'dist');
  mkdirSync(dist);
  cpSync(join(ROOT, 'package.json'), join(directory, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  cpSync(join(built, 'stack.js'), join(dist, 'stack.js'));
  cpSync(join(built, 'parts'), join(dist, 'parts'), { recursive: true, filter: (name) => !name.endsWith('.map') });
  for (const name of STAND_IN_PARTS) cpSync(PART, join(dist, `${name}.js`));
  return { program: join(dist, 'stack.js'), remove: () => rm(directory, { recursive: true, force: true }) };
}
