// npm test: everything that can be said about the sources, then every test that can run here. Programs that tests use
// are installed as root, and unpacked into the checkout's cache without root; scripts/test-reporter.ts says at the end
// what was left out and why.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { missingPackages, unpackablePackages, unpackPackages } from './test-programs.ts';

const root = join(import.meta.dirname, '..');
const [...args] = process.argv.slice(2);
const faults = args.includes('--faults');
const rest = args.filter((arg) => arg !== '--faults');

const checks = faults ? 0 : run(process.execPath, ['scripts/check.ts']);
await providePrograms();
const config = faults ? ['--config', 'test/faults/vitest.config.ts'] : [];
const tests = run(join(root, 'node_modules', '.bin', 'vitest'), ['run', ...config, ...rest]);
if (checks !== 0) say('the checks failed: see the beginning');
process.exit(tests === 0 ? checks : tests);

async function providePrograms(): Promise<void> {
  if (!existsSync('/etc/debian_version')) return;
  if (process.getuid?.() === 0) return install(missingPackages());
  const packages = unpackablePackages();
  if (packages.length === 0) return;
  say(`unpacking ${packages.join(', ')} into .cache/debian for the tests (once) …`);
  for (const [name, reason] of await unpackPackages(packages)) say(`${name} could not be unpacked: ${reason}`);
}

function install(packages: readonly string[]): void {
  if (packages.length === 0) return;
  say(`installing ${packages.join(', ')} for the tests (once) …`);
  const options = {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' },
  } as const;
  spawnSync('apt-get', ['update', '-qq'], options);
  // One by one: a release that lacks one of them still has the others.
  for (const name of packages) {
    const { status, stderr } = spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], options);
    if (status !== 0) say(`${name} could not be installed: ${(stderr ?? '').trim().split('\n').at(-1)}`);
  }
}

function run(program: string, programArgs: string[]): number {
  return spawnSync(program, programArgs, { cwd: root, stdio: 'inherit' }).status ?? 1;
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
