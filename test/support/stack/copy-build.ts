// A copy of what was built, as a release that dist points to, to be started and then damaged: what the tests share
// stays whole.
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { switchTo } from '../../../scripts/releases.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

export interface BuildCopy {
  readonly dist: string;
  readonly releases: string;
  /** Another release, of which only the name is needed. */
  addRelease(name: string): Promise<string>;
  /** Makes it the build of a later version: behind its migrations there is one more. */
  addMigration(name: string, sql: string): Promise<void>;
  /** Makes its web app that of another build: a page with another entry, and another worker. */
  changeApp(): Promise<void>;
  /** Removes the files beneath a directory of the build whose names begin so; answers their names. */
  removeFiles(directory: string, beginning: string): Promise<string[]>;
  remove(): Promise<void>;
}

export async function copyBuild(): Promise<BuildCopy> {
  const root = await mkdtemp(join(tmpdir(), 'service-build-'));
  const [dist, releases] = [join(root, 'dist'), join(root, 'releases')];
  await cp(join(ROOT, 'dist'), join(releases, 'first'), {
    recursive: true,
    dereference: true,
    filter: (file) => !file.endsWith('.map'),
  });
  await switchTo(dist, join(releases, 'first'));
  for (const name of ['package.json', 'node_modules']) await symlink(join(ROOT, name), join(root, name));
  return {
    dist,
    releases,
    async addRelease(name) {
      await mkdir(join(releases, name));
      return join(releases, name);
    },
    async addMigration(name, sql) {
      const number = String(
        (await readdir(join(dist, 'migrations'))).filter((file) => file.endsWith('.sql')).length + 1,
      ).padStart(4, '0');
      await writeFile(join(dist, 'migrations', `${number}_${name}.sql`), sql);
    },
    async changeApp() {
      const app = join(dist, 'public');
      const page = await readFile(join(app, 'index.html'), 'utf8');
      const entry = /src="\/(assets\/index-[^"]+)\.js"/.exec(page)?.[1] ?? '';
      await rename(join(app, `${entry}.js`), join(app, `${entry}2.js`));
      await rm(join(app, `${entry}.js.br`));
      await writeFile(join(app, 'index.html'), page.replaceAll(entry, `${entry}2`));
      const worker = join(app, 'service-worker.js');
      await writeFile(
        worker,
        (await readFile(worker, 'utf8')).replace(/build [0-9a-f]{16}/, `build ${'0'.repeat(16)}`),
      );
    },
    async removeFiles(directory, beginning) {
      const names = (await readdir(join(dist, directory))).filter((name) => name.startsWith(beginning));
      for (const name of names) await rm(join(dist, directory, name));
      return names;
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}
