// A copy of what was built, to be started and then damaged: what the tests share stays whole.
import { cp, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');

export interface BuildCopy {
  readonly dist: string;
  /** Removes the files beneath a directory of the build whose names begin so; answers their names. */
  removeFiles(directory: string, beginning: string): Promise<string[]>;
  remove(): Promise<void>;
}

export async function copyBuild(): Promise<BuildCopy> {
  const root = await mkdtemp(join(tmpdir(), 'service-build-'));
  const dist = join(root, 'dist');
  await cp(join(ROOT, 'dist'), dist, { recursive: true, dereference: true, filter: (file) => !file.endsWith('.map') });
  for (const name of ['package.json', 'migrations', 'connectors', 'node_modules']) await symlink(join(ROOT, name), join(root, name));
  return {
    dist,
    async removeFiles(directory, beginning) {
      const names = (await readdir(join(dist, directory))).filter((name) => name.startsWith(beginning));
      for (const name of names) await rm(join(dist, directory, name));
      return names;
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}
