// Every npm script comes here through run.cjs, on the Node that started npm, with nothing installed: brings node_modules
// and dist up to date, then hands over to the pinned Node of this package. What it imports is plain JavaScript.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeBytes, describeFileFault, findWriteFault, freeBytes } from '../src/stack/file-faults.js';
import { createLines } from '../src/stack/lines.js';
import { HELP, readOptions, UsageError } from '../src/stack/read-options.js';
import { explainInstallFault } from './explain-install-fault.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const bin = join(root, 'node_modules', '.bin');
const nodeFile = join(root, 'node_modules', 'node', 'bin', 'node');
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` };
const lines = createLines(process.stderr);

const EXIT_USAGE = 2;
const FULL_BELOW_BYTES = 20e6;
const INSTALL_BYTES = 800e6;
const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };

const COMMANDS = {
  stack: { build: true, run: ['dist/stack.js'], check: checkStackOptions },
  gateway: { build: true, run: ['dist/gateway.js'] },
  web: { build: true, run: ['dist/web.js'] },
  runtime: { build: true, run: ['dist/runtime.js'] },
  broker: { build: true, run: ['dist/broker.js'] },
  sandbox: { build: true, run: ['dist/sandbox.js'] },
  'local-integrations': { build: true, run: ['dist/local-integrations.js'] },
  build: { build: 'always' },
  dev: { run: ['node_modules/vite/bin/vite.js', 'web'] },
  check: { run: ['scripts/check.ts'] },
  typecheck: { run: ['scripts/check.ts', 'types', 'web types', 'cli types'] },
  lint: { run: ['node_modules/oxlint/bin/oxlint', '--deny-warnings'] },
  format: { run: ['node_modules/oxfmt/bin/oxfmt'] },
  docs: { run: ['scripts/write-docs.ts'] },
  release: { build: true, run: ['scripts/release/main.ts'] },
  bench: { build: true, run: ['bench/main.ts'] },
  test: { build: true, run: ['scripts/test.ts'] },
  'test:unit': { run: ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit'] },
  'test:faults': { build: true, run: ['scripts/test.ts', '--faults'] },
  'test:deploy': { build: true, run: ['test/deploy/main.ts'] },
  'test:clients': { build: true, run: ['test/clients/main.ts'] },
};

const [name = '', ...args] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (!command) stop(`unknown command '${name}'; one of ${Object.keys(COMMANDS).join(', ')}`, EXIT_USAGE);
command.check?.(args);
await ensureInstalled();
if (command.build) await ensureBuilt(command.build === 'always');
if (command.run) handOver([...command.run, ...args]);

/** The stack reads its options itself; here they are read to answer at once, before a first start installs and builds. */
function checkStackOptions(options) {
  try {
    if (!readOptions(options).help) return;
  } catch (error) {
    if (error instanceof UsageError) stop(error.message, EXIT_USAGE);
    throw error;
  }
  process.stdout.write(HELP);
  process.exit(0);
}

async function ensureInstalled() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(`${process.platform}-${process.arch}`)
    .digest('hex');
  const modules = join(root, 'node_modules');
  const marker = join(modules, '.installed');
  if (existsSync(nodeFile) && existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return;
  requireWritable(modules, 'packages cannot be installed');
  // npm does not end by itself on a disk that becomes full.
  if (!existsSync(modules) && freeBytes(root) < INSTALL_BYTES)
    stop(
      `packages cannot be installed in ${modules}: the disk has ${describeBytes(freeBytes(root))} free, and they need ${describeBytes(INSTALL_BYTES)}. Free some space, then try again.`,
    );
  const step = lines.begin('installing packages, a minute or two');
  const installed = await install(modules);
  if (installed.status !== 0) fail(step, installed, explainInstallFault(installed.output, modules));
  if (!existsSync(nodeFile))
    fail(
      step,
      installed,
      'the pinned Node could not be installed: check that npm reaches its registry, then try again',
    );
  mark(marker, wanted, step);
}

async function install(modules) {
  const cache = chooseNpmCache();
  // Tried again after 2 and 10 seconds: npm's own 10 and 60 keep somebody without a network waiting for minutes.
  const npmArgs = [
    'ci',
    // The build needs them also where NODE_ENV is production.
    '--include=dev',
    '--loglevel=error',
    '--no-audit',
    '--no-fund',
    '--fetch-retry-mintimeout=2000',
    '--fetch-retry-maxtimeout=10000',
    ...cache.args,
  ];
  const npm = process.env.npm_execpath;
  const installed = await (npm?.endsWith('.js')
    ? runQuietly(process.execPath, [npm, ...npmArgs], root, process.env)
    : runQuietly('npm', npmArgs, root, process.env));
  cache.remove();
  if (installed.status !== 0 || existsSync(nodeFile)) return installed;
  // Where install scripts are switched off, the pinned Node fetches its binary when asked directly.
  return runQuietly(process.execPath, ['installArchSpecificPackage.js'], join(modules, 'node'));
}

/** npm keeps what it fetches in the home directory. Where that cannot be written, it goes to one that is removed after. */
function chooseNpmCache() {
  const usual = process.env.npm_config_cache ?? join(homedir(), '.npm');
  if (findWriteFault(usual) === undefined) return { args: [], remove() {} };
  const directory = mkdtempSync(join(tmpdir(), 'service-npm-'));
  return { args: ['--cache', directory], remove: () => rmSync(directory, { recursive: true, force: true }) };
}

async function ensureBuilt(always) {
  const dist = join(root, 'dist');
  const marker = join(dist, '.built');
  const wanted = fingerprint([
    'src',
    'stand-ins',
    'web',
    'cli',
    'connectors',
    'passwords',
    'migrations',
    'scripts/build.ts',
    'scripts/build-servicectl-package.ts',
    'scripts/collect-licenses.ts',
    'scripts/sbom.ts',
    'package.json',
    'package-lock.json',
  ]);
  if (!always && existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return;
  // Each build is a directory of its own beneath releases; dist points to the last.
  requireWritable(root, 'the programs cannot be built');
  const step = lines.begin('building');
  const built = await runQuietly(nodeFile, ['scripts/build.ts'], root);
  if (built.status !== 0)
    fail(
      step,
      built,
      freeBytes(root) < FULL_BELOW_BYTES
        ? `the build failed: ${describeFileFault('ENOSPC', root)}; free some space, then try again`
        : 'the build failed',
    );
  mkdirSync(dist, { recursive: true });
  mark(marker, wanted, step);
  process.stderr.write(built.output);
}

/** Names, sizes and times of the sources: enough to know that nothing changed, and fast. */
function fingerprint(paths) {
  const hash = createHash('sha256');
  const visit = (path) => {
    const stat = statSync(join(root, path), { throwIfNoEntry: false });
    if (!stat) return;
    if (stat.isDirectory()) for (const entry of readdirSync(join(root, path)).sort()) visit(`${path}/${entry}`);
    else hash.update(`${path} ${stat.size} ${stat.mtimeMs}\n`);
  };
  for (const path of paths) visit(path);
  return hash.digest('hex');
}

function requireWritable(directory, what) {
  const fault = findWriteFault(directory);
  if (fault !== undefined)
    stop(
      `${what} in ${directory}: ${fault}. Start it once as a user who may write there, or clone the repository to a directory of yours.`,
    );
}

/** What a step says is shown only when it fails, or afterwards: it would break the line of the step. */
function runQuietly(program, programArgs, cwd, environment = env) {
  return new Promise((resolve) => {
    const child = spawn(program, programArgs, { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    const passedOn = passSignals(child);
    child.once('error', (error) => (output += `cannot run ${program}: ${error.message}\n`));
    child.once('close', (status) => {
      const signal = passedOn.end();
      if (signal === undefined) return resolve({ status, output });
      process.stderr.write('\n');
      process.exit(128 + SIGNALS[signal]);
    });
  });
}

/** Every signal we get goes to the child too, which may be in a group of its own. */
function passSignals(child) {
  let first;
  const pass = (signal) => {
    first ??= signal;
    child.kill(signal);
  };
  for (const signal of Object.keys(SIGNALS)) process.on(signal, pass);
  return {
    end() {
      for (const signal of Object.keys(SIGNALS)) process.off(signal, pass);
      return first;
    },
  };
}

/** Written last: a step that was cut short is done again at the next start. */
function mark(marker, wanted, step) {
  try {
    writeFileSync(marker, wanted);
  } catch (error) {
    fail(
      step,
      { output: '' },
      `${marker} cannot be written: ${describeFileFault(error.code, marker) ?? error.message}`,
    );
  }
  step.done();
}

/**
 * The child shares our terminal; every signal we get is passed on, its exit code is ours. It is told when we are gone,
 * by the channel between us; and we end it when npm is gone, which is how a killed `npm start` leaves nothing behind.
 */
function handOver(nodeArgs) {
  const file = join(root, nodeArgs[0]);
  if (!existsSync(file)) stop(`${nodeArgs[0]} is not there; this version has no such part`);
  const child = spawn(nodeFile, ['--disable-warning=ExperimentalWarning', ...nodeArgs], {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...env, ...compileCache(file) },
  });
  passSignals(child);
  if (process.env.npm_lifecycle_event) {
    const parent = process.ppid;
    setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500).unref();
  }
  child.on('error', (error) => stop(`cannot run ${nodeFile}: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
}

/** Compiled code is kept beside the programs it was made from, so that the next start does not compile them again. */
function compileCache(file) {
  if (process.env.NODE_COMPILE_CACHE !== undefined || !file.startsWith(join(root, 'dist'))) return {};
  return { NODE_COMPILE_CACHE: join(dirname(realpathSync(file)), '.compiled') };
}

function fail(step, { output }, text) {
  step.failed();
  process.stderr.write(output);
  stop(text);
}

function stop(text, exitCode = 1) {
  lines.fail(text);
  process.exit(exitCode);
}
