// npm run test:deploy: builds the images of deploy/Dockerfile on a base made here, makes a release, then runs
// deploy/compose.yaml and the sandbox's container driver with the first and the compose bundle with the second; with
// `release`, only the latter. What a machine lacks is said at the beginning and counted at the end; what it
// cannot run is left out, and everything else must pass.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildTarget,
  imageName,
  labelNext,
  loadReleased,
  makeRelease,
  NEXT_VERSION,
  TARGETS,
  VERSION,
} from './build-images.ts';
import { ENGINE_ENVIRONMENT, ROOT, run, writeEngineFiles } from './engine.ts';
import { findMissing, findRunFault, missingPackages, ownNetwork } from './find-missing.ts';
import { findDebianBase, makeBases } from './make-bases.ts';

const WANTED = process.argv.slice(2);
const say = (text: string): void => void process.stderr.write(`${text}\n`);

process.exit(main());

function main(): number {
  installPackages();
  const missing = findMissing() ?? makeGround();
  if (missing !== undefined) say(`containers are left out: ${missing}`);
  else if (!(WANTED.includes('release') || buildImages()) || !release()) return 1;
  try {
    return runTests(missing);
  } finally {
    if (missing === undefined) clear();
  }
}

function installPackages(): void {
  const packages = missingPackages();
  if (packages.length === 0 || process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return;
  step(
    `installing ${packages.join(', ')}`,
    () =>
      void run('sh', [
        '-c',
        'apt-get update -qq; DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"',
        'install',
        ...packages,
      ]),
  );
}

/** The engine and what is not ours to build. A machine that cannot make these cannot run the rest. */
function makeGround(): string | undefined {
  writeEngineFiles('overlay');
  if (run('podman', ['info']).status !== 0) writeEngineFiles('vfs');
  try {
    makeBases(step, { withNode: !WANTED.includes('release') });
  } catch (error) {
    return `a base image cannot be made: ${error instanceof Error ? error.message : String(error)}`;
  }
  clear();
  return findRunFault(findDebianBase());
}

function buildImages(): boolean {
  try {
    for (const target of TARGETS) step(`building ${imageName(target, VERSION)}`, () => buildTarget(target));
    for (const target of TARGETS) step(`labelling it ${imageName(target, NEXT_VERSION)}`, () => labelNext(target));
    return true;
  } catch (error) {
    say(`deploy/Dockerfile cannot be built: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

function release(): boolean {
  try {
    step('making a release', makeRelease);
    for (const target of TARGETS) step(`loading its image of the ${target}`, () => loadReleased(target));
    return true;
  } catch (error) {
    say(`the release cannot be made: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

function runTests(missing: string | undefined): number {
  const vitest = [
    join(ROOT, 'node_modules', '.bin', 'vitest'),
    'run',
    '--config',
    'test/deploy/vitest.config.ts',
    ...WANTED,
  ];
  const ready = { ...ENGINE_ENVIRONMENT, SERVICE_TEST_CONTAINER_IMAGE: imageName('sandbox', VERSION) };
  const environment = { ...process.env, ...(missing === undefined ? ready : { SERVICE_TEST_DEPLOY_MISSING: missing }) };
  const [program = '', ...args] = missing === undefined ? ['unshare', ...ownNetwork(vitest)] : vitest;
  return spawnSync(program, args, { cwd: ROOT, stdio: 'inherit', env: environment }).status ?? 1;
}

/** What a run that was killed has left. */
function clear(): void {
  run('podman', ['rm', '--force', '--all', '--time', '5']);
  run('podman', ['network', 'prune', '--force']);
  run('podman', ['volume', 'rm', '--all', '--force']);
}

function step(what: string, work: () => void): void {
  const from = Date.now();
  say(`${what} …`);
  work();
  say(`  ${((Date.now() - from) / 1_000).toFixed(0)} s`);
}
