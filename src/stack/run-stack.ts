// npm start, from the command line to the last part stopped. Reads top to bottom: what is asked for, the data
// directory and its lock, ports, secrets, the parts; then it watches until it is told to stop.
import { existsSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataDirectory, publicUrl, sandboxUrl } from '../base/addresses.ts';
import { type Config, readConfig } from '../base/config.ts';
import { createSandboxClient } from '../sandbox/client.ts';
import { schemaName } from '../store/schema-name.ts';
import { buildParts, type PartsInput } from './build-parts.ts';
import { checkPorts } from './check-ports.ts';
import type { DescribedLine } from './describe-log-line.ts';
import { describeParts } from './describe-parts.ts';
import { describeRuns } from './describe-runs.ts';
import { requireSpace, watchDisk } from './disk-space.ts';
import type { Environment } from './environment-values.ts';
import { findWriteFault } from './file-faults.js';
import { firstSteps } from './first-steps.ts';
import type { Lines } from './lines.js';
import { awaitLeftovers, lockWithPatience } from './lock-data-directory.ts';
import { type PartTable, selectParts } from './parts.ts';
import { placeSandboxSocket } from './place-sandbox-socket.ts';
import { planPorts } from './plan-ports.ts';
import { prepareSandbox } from './prepare-sandbox.ts';
import { prepareSecrets } from './prepare-secrets.ts';
import { portProbe } from './probe-ports.ts';
import { HELP, readOptions } from './read-options.js';
import { StackError } from './stack-error.ts';
import { findStackState, openStackFile, type StackFile, type StackState } from './stack-file.ts';
import { supervise, type Supervisor } from './supervise.ts';

export interface StackSurroundings {
  readonly argv: readonly string[];
  readonly environment: Environment;
  readonly table: PartTable;
  /** Where the programs of the parts are, and the directory they run in. */
  readonly bundles: string;
  readonly root: string;
  /** Whether a person watches. */
  readonly terminal: boolean;
  out(text: string): void;
  readonly lines: Lines;
  /** Stop in order. */
  readonly stop: AbortSignal;
  /** Stop at once. */
  readonly kill: AbortSignal;
}

const STILL_WAITING_MS = 15_000;
const SANDBOX_ANSWER_MS = 5_000;

/** Serves until told to stop. What keeps it from starting is thrown as a StackError, UsageError or ConfigError. */
export async function runStack(around: StackSurroundings): Promise<void> {
  const options = readOptions(around.argv);
  if (options.help) return around.out(HELP);
  const config = readConfig(around.environment);
  const directory = options.dataDirectory ?? dataDirectory(config);
  await makeDirectory(directory);
  const stateFile = join(directory, 'stack.json');
  const lock = await lockWithPatience(
    join(directory, 'stack.lock'),
    async () => (await findStackState(stateFile))?.stopping === true,
    around.stop,
  );
  if (!lock.held) {
    const at = await findStackState(stateFile).then((state) => (state === undefined ? '' : ` and serves ${state.url}`));
    throw new StackError(
      `another stack (pid ${lock.holder}) already runs on ${directory}${at}: stop it first, or choose another directory with --data-dir and another --port`,
    );
  }
  try {
    if (lock.wasLeftBehind) await awaitLeftovers(await findStackState(stateFile), around.lines.say, around.stop);
    const socket = await placeSandboxSocket(directory, around.environment);
    try {
      await serve(
        { ...around, environment: socket.environment },
        directory,
        options.port ?? config.SERVICE_GATEWAY_PORT,
        options.verbose || around.terminal,
      );
    } finally {
      await socket.remove();
    }
  } finally {
    await lock.release();
  }
}

async function makeDirectory(directory: string): Promise<void> {
  const fault = findWriteFault(directory);
  if (fault !== undefined)
    throw new StackError(
      `the data directory ${directory} cannot be written: ${fault}. Choose another with --data-dir.`,
    );
  const made = await mkdir(directory, { recursive: true, mode: 0o700 });
  if (made !== undefined) await chmod(directory, 0o700);
}

/** Which parts there are, where they listen and what they are given. */
type Prepared = Pick<PartsInput, 'selected' | 'ports' | 'secrets' | 'wrappers'>;

async function prepare(around: StackSurroundings, directory: string, port: number): Promise<Prepared> {
  const { environment, table, bundles, lines, root, stop } = around;
  const selected = selectParts(table, environment, (bundle) => existsSync(join(bundles, `${bundle}.js`)));
  const ports = await planPorts(
    port,
    environment,
    new Set(selected.flatMap((name) => [...(table[name]?.ports ?? [])])),
    portProbe,
  );
  await checkPorts(table, selected, ports, environment);
  if (selected.includes('postgres')) requireSpace(directory, !existsSync(join(directory, 'postgres')));
  const secrets = await prepareSecrets(environment, directory, selected, lines.say);
  const wrappers = selected.includes('sandbox')
    ? {
        sandbox: await prepareSandbox({ environment, root, dataDirectory: directory, lines, stop }),
      }
    : {};
  return { selected, ports, secrets, wrappers };
}

async function serve(around: StackSurroundings, directory: string, port: number, showWarnings: boolean): Promise<void> {
  const { environment, table, bundles, lines } = around;
  const prepared = await prepare(around, directory, port);
  const { selected, ports } = prepared;
  const logs = join(directory, 'logs');
  const recovered = (line: string): void => {
    lines.say(line);
    void file.update();
  };
  const disk = watchDisk(directory, { warn: lines.warn, recovered });
  let ready = false;
  const heard = (name: string, { level, text }: DescribedLine): void => {
    disk.heard(text);
    // What the controller warns of while it starts is asked for and said in one line once everything is up.
    if (!showWarnings || (name === 'sandbox' && level === 'warn' && !ready)) return;
    (level === 'warn' ? lines.warn : lines.error)(`${name}: ${text}`);
  };
  const { parts, environment: shared } = buildParts({
    ...prepared,
    table,
    given: environment,
    directory,
    logs,
    bundles,
    root: around.root,
    heard,
    watch: disk,
  });

  const startedAt = new Date().toISOString();
  const url = `http://localhost:${ports.gateway}`;
  const state = (): StackState => {
    const config = readConfig(shared());
    return {
      url,
      publicUrl: publicUrl(config),
      startedAt,
      pid: process.pid,
      ...(around.stop.aborted ? { stopping: true as const } : {}),
      databaseUrl: config.SERVICE_UPSTREAM_DB ?? '',
      schema: schemaName(config),
      parts: describeParts(supervisor, config),
    };
  };
  const file = openStackFile(join(directory, 'stack.json'), state, disk);
  const failed = (line: string): void => {
    lines.warn(line);
    disk.heard(line);
  };
  const supervisor = supervise(parts, {
    started: lines.step,
    failed,
    recovered: lines.say,
    changed: () => void file.update(),
  });
  try {
    if (!(await isReady(around, supervisor, logs))) return;
    ready = true;
    // Who waits for the line below reads this file next.
    await file.update();
    around.out(`ready ${url}\n`);
    await sayFirstSteps(around, readConfig(shared()), { selected, directory, logs });
    await untilAborted(around.stop);
  } finally {
    await shutDown(around, supervisor, file);
  }
}

async function sayFirstSteps(
  { lines }: StackSurroundings,
  config: Config,
  { selected, directory, logs }: { selected: readonly string[]; directory: string; logs: string },
): Promise<void> {
  const runs = selected.includes('sandbox') ? await askForRuns(config) : undefined;
  const demo = selected.includes('demo-providers');
  for (const line of firstSteps({ publicUrl: publicUrl(config), demo, runs, directory, logs })) lines.say(line);
}

async function shutDown(
  { stop, kill, lines }: StackSurroundings,
  supervisor: Supervisor,
  file: StackFile,
): Promise<void> {
  const stoppedAt = Date.now();
  if (stop.aborted) lines.say('stopping');
  if (kill.aborted) supervisor.kill();
  kill.addEventListener('abort', () => supervisor.kill());
  await file.update();
  await supervisor.stop();
  await file.remove();
  if (stop.aborted) lines.step('stopped', Date.now() - stoppedAt);
}

/** False when it is told to stop before every part answers. */
async function isReady({ stop, lines }: StackSurroundings, supervisor: Supervisor, logs: string): Promise<boolean> {
  const reminder = setInterval(
    () => lines.say(`still waiting for ${[...supervisor.waiting].join(', ')}; see ${logs}`),
    STILL_WAITING_MS,
  );
  try {
    await Promise.race([supervisor.ready, untilAborted(stop)]);
    return !stop.aborted;
  } finally {
    clearInterval(reminder);
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) =>
    signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true }),
  );
}

/** A controller that does not answer now says nothing: the first run tells. */
async function askForRuns(config: Config): Promise<string | undefined> {
  const client = createSandboxClient({ url: sandboxUrl(config), token: config.SERVICE_SANDBOX_TOKEN });
  const answer = client.health().then(describeRuns, () => undefined);
  return Promise.race([answer, sleep(SANDBOX_ANSWER_MS, undefined, { ref: false })]);
}
