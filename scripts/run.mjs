// Entry of every npm script. Runs on whatever Node started npm, with nothing installed: brings node_modules and
// dist up to date, then hands over to the pinned Node of this package.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const bin = join(root, 'node_modules', '.bin');
const nodeFile = join(root, 'node_modules', 'node', 'bin', 'node');
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` };

const COMMANDS = {
  stack: { build: true, run: ['dist/stack.js'] },
  gateway: { build: true, run: ['dist/gateway.js'] },
  web: { build: true, run: ['dist/web.js'] },
  runtime: { build: true, run: ['dist/runtime.js'] },
  broker: { build: true, run: ['dist/broker.js'] },
  sandbox: { build: true, run: ['dist/sandbox.js'] },
  'local-integrations': { build: true, run: ['dist/local-integrations.js'] },
  build: { build: 'always' },
  check: { run: ['scripts/check.ts'] },
  docs: { run: ['scripts/write-docs.ts'] },
  bench: { build: true, run: ['bench/main.ts'] },
  test: { build: true, run: ['scripts/test.ts'] },
  'test:faults': { build: true, run: ['scripts/test.ts', '--faults'] },
};

const [name = '', ...args] = process.argv.slice(2);
const command = COMMANDS[name];
if (!command) stop(`unknown command '${name}'; one of ${Object.keys(COMMANDS).join(', ')}`);
ensureInstalled();
if (command.build) ensureBuilt(command.build === 'always');
if (command.run) handOver([...command.run, ...args]);

function ensureInstalled() {
  const wanted = createHash('sha256').update(readFileSync(join(root, 'package-lock.json'))).update(`${process.platform}-${process.arch}`).digest('hex');
  const marker = join(root, 'node_modules', '.installed');
  if (existsSync(nodeFile) && existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return;
  say('installing packages (about a minute, once) …');
  runNpm(['ci', '--loglevel=error', '--no-audit', '--no-fund']);
  // Where install scripts are switched off, the pinned Node fetches its binary when asked directly.
  if (!existsSync(nodeFile)) runNode(process.execPath, ['installArchSpecificPackage.js'], join(root, 'node_modules', 'node'));
  if (!existsSync(nodeFile)) stop('the pinned Node could not be installed; check that npm reaches its registry, then try again');
  writeFileSync(marker, wanted);
}

function ensureBuilt(always) {
  const marker = join(root, 'dist', '.built');
  const wanted = fingerprint(['src', 'web', 'cli', 'connectors', 'migrations', 'scripts/build.ts', 'package.json', 'package-lock.json']);
  if (!always && existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return;
  say('building …');
  mkdirSync(join(root, 'dist'), { recursive: true });
  runNode(nodeFile, ['scripts/build.ts'], root);
  writeFileSync(marker, wanted);
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

function runNpm(npmArgs) {
  const npm = process.env.npm_execpath;
  const result = npm?.endsWith('.js') ? spawnSync(process.execPath, [npm, ...npmArgs], { cwd: root, stdio: 'inherit' }) : spawnSync('npm', npmArgs, { cwd: root, stdio: 'inherit' });
  if (result.status !== 0) stop(`npm ${npmArgs[0]} failed`);
}

function runNode(node, nodeArgs, cwd) {
  const result = spawnSync(node, nodeArgs, { cwd, stdio: 'inherit', env });
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/**
 * The child shares our terminal; every signal we get is passed on, its exit code is ours. It is told when we are gone,
 * by the channel between us; and we end it when npm is gone, which is how a killed `npm start` leaves nothing behind.
 */
function handOver(nodeArgs) {
  const file = join(root, nodeArgs[0]);
  if (!existsSync(file)) stop(`${nodeArgs[0]} is not there; this version has no such part`);
  const child = spawn(nodeFile, ['--disable-warning=ExperimentalWarning', ...nodeArgs], { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  if (process.env.npm_lifecycle_event) {
    const parent = process.ppid;
    setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500).unref();
  }
  child.on('error', (error) => stop(`cannot run ${nodeFile}: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
}

function say(text) {
  process.stderr.write(`${text}\n`);
}

function stop(text) {
  say(`service: ${text}`);
  process.exit(1);
}
