// A program that stands in for docker or podman, as strict about its command line as their manuals are: an option that
// the engine does not know, or a value that it does not take, ends it with code 125. It notes what it is asked in a
// directory, and plays a container with plain processes. Called as: stand-in-engine.ts KIND DIRECTORY ARGUMENTS…
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [kind = '', directory = '', ...given] = process.argv.slice(2);
const podman = kind === 'podman';
const at = (...names: string[]): string => join(directory, ...names);
const list = (name: string): string[] =>
  existsSync(at(name)) ? readFileSync(at(name), 'utf8').split('\n').filter(Boolean) : [];

function fail(message: string, code = 125): never {
  process.stderr.write(`${podman ? 'Error: ' : 'docker: Error response from daemon: '}${message}\n`);
  process.exit(code);
}

/** What an option takes; null means that it is a flag. */
type Options = Readonly<Record<string, RegExp | null>>;

const ANY = /^[^]+$/;
const NUMBER = /^\d+$/;
const ABSOLUTE = /^\//;
/** Docker takes the owner of a tmpfs, podman gives it to the user of the container. */
const TMPFS = podman
  ? /^\/[^:]+:(?:(?:rw|ro|exec|noexec|nosuid|nodev|notmpcopyup|U|size=\d+|mode=[0-7]{3,4})(?:,|$))+$/
  : /^\/[^:]+:(?:(?:rw|ro|exec|noexec|nosuid|nodev|size=\d+|mode=[0-7]{3,4}|uid=\d+|gid=\d+)(?:,|$))+$/;

const RUN: Options = {
  '--detach': null,
  '--name': /^[a-zA-Z0-9][a-zA-Z0-9_.-]+$/,
  '--label': /^[^=]+=/,
  '--hostname': ANY,
  '--runtime': ANY,
  '--pull': /^(?:always|missing|never)$/,
  '--network': /^none$/,
  '--read-only': null,
  '--cap-drop': /^ALL$/,
  '--security-opt': /^no-new-privileges$/,
  '--user': /^\d+:\d+$/,
  '--ipc': /^private$/,
  '--log-driver': /^none$/,
  '--stop-signal': /^KILL$/,
  '--pids-limit': NUMBER,
  '--memory': NUMBER,
  '--memory-swap': NUMBER,
  '--cpus': /^\d+(?:\.\d+)?$/,
  '--ulimit': /^(?:nofile|core|nproc)=\d+:\d+$/,
  '--shm-size': NUMBER,
  '--tmpfs': TMPFS,
  '--mount': /^type=bind,source=\/[^,]+,target=\/[^,]+,readonly$/,
  '--workdir': ABSOLUTE,
  '--env': /^[A-Za-z_]\w*=/,
  '--entrypoint': ANY,
  ...(podman
    ? { '--read-only-tmpfs=false': null, '--pid': /^private$/, '--uts': /^private$/, '--no-hosts': null }
    : {}),
};
const EXEC: Options = { '--interactive': null, '--workdir': ABSOLUTE, '--env': /^[A-Za-z_]\w*(?:=|$)/ };

/** Options come before the first word that is none; the rest belongs to the container. */
function parse(args: readonly string[], known: Options): { options: [string, string][]; rest: string[] } {
  const options: [string, string][] = [];
  let index = 0;
  for (; args[index]?.startsWith('-') === true; index++) {
    const name = args[index] ?? '';
    const takes = known[name];
    if (takes === undefined) fail(`unknown flag: ${name}`);
    if (takes === null) options.push([name, '']);
    else {
      const value = args[++index] ?? '';
      if (!takes.test(value)) fail(`invalid argument "${value}" for "${name}" flag`);
      options.push([name, value]);
    }
  }
  return { options, rest: args.slice(index) };
}

const valuesOf = (options: readonly [string, string][], name: string): string[] =>
  options.flatMap(([one, value]) => (one === name ? [value] : []));
const isRunning = (container: string): boolean => existsSync(at('containers', container));

function run(args: readonly string[]): void {
  const {
    options,
    rest: [image = ''],
  } = parse(args, RUN);
  const [name = ''] = valuesOf(options, '--name');
  if (isRunning(name)) fail(`the container name "${name}" is already in use`);
  if (!list('images').includes(image)) fail(`${image}: image not known`);
  for (const mount of valuesOf(options, '--mount')) {
    const source = /source=([^,]+)/.exec(mount)?.[1] ?? '';
    if (!existsSync(source)) fail(`invalid mount config for type "bind": bind source path does not exist: ${source}`);
  }
  writeFileSync(at('containers', name), valuesOf(options, '--label').join('\n'));
  process.stdout.write(`${name}\n`);
}

function exec(args: readonly string[]): void {
  const {
    options,
    rest: [container = '', ...argv],
  } = parse(args, EXEC);
  if (!isRunning(container)) fail(`no such container: ${container}`, podman ? 125 : 1);
  // Outside of a container this would end everything.
  if (argv.includes('kill -9 -1; true')) return endAll();
  if (argv.includes('probe')) return void process.stdout.write(readFileSync(at('report')));
  const env = Object.fromEntries(
    valuesOf(options, '--env').map((text) =>
      text.includes('=')
        ? [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]
        : [text, process.env[text] ?? ''],
    ),
  );
  const [file = '', ...rest] = argv;
  const child = spawn(file, rest, {
    env: { PATH: '/usr/bin:/bin', ...env },
    cwd: '/',
    stdio: [options.some(([name]) => name === '--interactive') ? 'inherit' : 'ignore', 'inherit', 'inherit'],
  });
  appendFileSync(at('pids'), `${child.pid}\n`);
  child.once('error', () => fail('executable file not found in $PATH', 127));
  child.once('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 137));
}

/** The first time it comes too early where the file `late` says so: the command has not entered the container yet. */
function endAll(): void {
  if (existsSync(at('full'))) fail('procReady not received: resource temporarily unavailable', 126);
  if (existsSync(at('late'))) return rmSync(at('late'));
  for (const pid of list('pids')) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}

const COMMANDS: Readonly<Record<string, (args: readonly string[]) => void>> = {
  run,
  exec,
  info(args) {
    parse(args, { '--format': /^\{\{json \.\}\}$/ });
    const info = JSON.parse(readFileSync(at('info'), 'utf8')) as { host?: { ociRuntime: { name: string } } };
    if (runtime !== undefined && info.host !== undefined) info.host.ociRuntime.name = runtime;
    process.stdout.write(JSON.stringify(info));
  },
  ps(args) {
    const { options } = parse(args, { '--all': null, '--quiet': null, '--filter': /^label=/ });
    const [wanted = ''] = valuesOf(options, '--filter').map((filter) => filter.slice('label='.length));
    for (const name of readdirSync(at('containers')))
      if (readFileSync(at('containers', name), 'utf8').split('\n').includes(wanted)) process.stdout.write(`${name}\n`);
  },
  rm(args) {
    for (const name of parse(args, { '--force': null, '--volumes': null }).rest)
      rmSync(at('containers', name), { force: true });
  },
  kill(args) {
    const [name = ''] = parse(args, {}).rest;
    if (!isRunning(name)) fail(`no such container: ${name}`, 1);
    rmSync(at('full'), { force: true });
    endAll();
  },
  image([verb, ...args]) {
    const {
      rest: [image = ''],
    } = parse(args, { '--format': /^\{\{\.Id\}\}$/ });
    if (verb !== 'inspect' || !list('images').includes(image)) fail(`${image}: image not known`, podman ? 125 : 1);
    process.stdout.write('sha256:0123\n');
  },
  pull(args) {
    const {
      rest: [image = ''],
    } = parse(args, { '--quiet': null });
    if (podman && !/^[^/]*[.:][^/]*\/|^localhost\//.test(image))
      fail(`short-name "${image}" did not resolve to an alias and no unqualified-search registries are defined`);
    if (!list('registry').includes(image))
      fail(`initializing source: pinging container registry: no such host`, podman ? 125 : 1);
    appendFileSync(at('images'), `${image}\n`);
  },
};

appendFileSync(at('calls'), `${JSON.stringify({ args: given, env: { ...process.env } })}\n`);
// podman takes its runtime before the command too.
const [runtime, words] = podman && given[0] === '--runtime' ? [given[1], given.slice(2)] : [undefined, given];
if (runtime !== undefined && !list('runtimes').includes(runtime))
  fail(`default OCI runtime "${runtime}" not found: invalid argument`);
const [command = '', ...args] = words;
const play = COMMANDS[command] ?? (() => fail(`unknown command "${command}"`));
play(args);
