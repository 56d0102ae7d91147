// npm test: everything that can be said about the sources, then every test. Ends with the runner's own tally.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

interface Need {
  readonly package: string;
  readonly programs: readonly string[];
  readonly suite: string;
  /** Project of vitest.config.ts that is left out without it; a suite without one skips by itself. */
  readonly project?: string;
}

/** Programs that tests use and npm does not install. */
const NEEDS: readonly Need[] = [
  { package: 'chromium', programs: ['/usr/bin/chromium'], suite: 'browser tests', project: 'browser' },
  { package: 'bubblewrap', programs: ['/usr/bin/bwrap'], suite: 'tests of the sandbox' },
  { package: 'redis-server', programs: ['/usr/bin/redis-server'], suite: 'tests of the request limit in Redis' },
  { package: 'postgresql', programs: ['/usr/bin/pg_dump'], suite: "tests of the operators' guides" },
  { package: 'pgbouncer', programs: ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'], suite: 'tests behind a connection pooler' },
];

const root = join(import.meta.dirname, '..');
const [...args] = process.argv.slice(2);
const faults = args.includes('--faults');
const rest = args.filter((arg) => arg !== '--faults');

const checks = faults ? 0 : run(process.execPath, ['scripts/check.ts']);
installMissing();
const missing = NEEDS.filter(isMissing);
if (missing.length > 0) say(`skipping ${missing.map((need) => `${need.suite} (${need.package} is not installed)`).join(', ')}`);
const leftOut = missing.flatMap(({ project }) => (project === undefined ? [] : [`--project=!${project}`]));
const config = faults ? ['--config', 'test/faults/vitest.config.ts'] : leftOut;
const tests = run(join(root, 'node_modules', '.bin', 'vitest'), ['run', ...config, ...rest]);
process.exit(tests === 0 ? checks : tests);

function installMissing(): void {
  const packages = NEEDS.filter(isMissing).map((need) => need.package);
  if (packages.length === 0 || process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return;
  say(`installing ${packages.join(' and ')} for the tests (once) …`);
  const quiet = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
  spawnSync('apt-get', ['update', '-qq'], quiet);
  for (const name of packages) spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], quiet);
}

function isMissing({ programs }: Need): boolean {
  return !programs.some((program) => existsSync(program));
}

function run(program: string, programArgs: string[]): number {
  return spawnSync(program, programArgs, { cwd: root, stdio: 'inherit' }).status ?? 1;
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
