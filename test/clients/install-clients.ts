// The clients live apart from the service's packages: their versions and digests stand in packages/, and they are
// installed once into the checkout's cache, without running what they bring along.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { explainInstallFault } from '../../scripts/explain-install-fault.mjs';

const PACKAGES = join(import.meta.dirname, 'packages');
const CACHE = join(import.meta.dirname, '..', '..', '.cache', 'clients');
const FILES = ['package.json', 'package-lock.json', '.npmrc'];

export interface InstalledClients {
  readonly directory: string;
  /** Holds the programs under the names that people type. */
  readonly bin: string;
  version(name: string): string;
}

const PLATFORM = `${process.platform}-${process.arch}`;

/** What stands behind each name. The packages would put these in place by a script at installation. */
const PROGRAMS: Readonly<Record<string, string>> = {
  claude: `@anthropic-ai/claude-code-${PLATFORM}/claude`,
  codex: '@openai/codex/bin/codex.js',
  opencode: `opencode-${PLATFORM}/bin/opencode`,
  qwen: '@qwen-code/qwen-code/cli-entry.js',
  servicectl: '../../../../dist/servicectl.js',
};

/** Where a program takes no other, it runs on the Node that runs the suite. */
export function installClients(say: (text: string) => void): InstalledClients {
  const wanted = createHash('sha256')
    .update(FILES.map((file) => readFileSync(join(PACKAGES, file), 'utf8')).join('\0'))
    .update(PLATFORM)
    .digest('hex');
  const directory = join(CACHE, wanted.slice(0, 12));
  const modules = join(directory, 'node_modules');
  const marker = join(directory, '.installed');
  if (!existsSync(marker)) {
    for (const other of existsSync(CACHE) ? readdirSync(CACHE) : [])
      rmSync(join(CACHE, other), { recursive: true, force: true });
    mkdirSync(directory, { recursive: true });
    for (const file of FILES) copyFileSync(join(PACKAGES, file), join(directory, file));
    say(`installing the clients into ${directory}: about 1.6 GB, some minutes, once …`);
    // Not `npm ci`, which refuses where a registry lacks the packages of some other platform.
    const { status, stdout, stderr } = spawnSync(
      'npm',
      [
        'install',
        '--ignore-scripts',
        '--loglevel=error',
        '--fetch-retry-mintimeout=2000',
        '--fetch-retry-maxtimeout=10000',
      ],
      { cwd: directory, encoding: 'utf8' },
    );
    if (status !== 0)
      throw new Error(
        `${stdout ?? ''}${stderr ?? ''}${explainInstallFault(`${stdout ?? ''}${stderr ?? ''}`, directory)}`,
      );
    writeFileSync(marker, '');
  }
  return {
    directory,
    bin: linkPrograms(directory, modules),
    version: (name) =>
      (JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')) as { version: string }).version,
  };
}

function linkPrograms(directory: string, modules: string): string {
  const bin = join(directory, 'bin');
  rmSync(bin, { recursive: true, force: true });
  mkdirSync(bin);
  for (const [name, file] of Object.entries(PROGRAMS)) {
    const target = join(modules, file);
    if (!existsSync(target)) continue;
    chmodSync(target, 0o755);
    symlinkSync(target, join(bin, name));
  }
  return bin;
}
