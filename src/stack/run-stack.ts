// npm start, from the command line to the last part stopped. Reads top to bottom: what is asked for, the data
// directory and its lock, ports, secrets, the parts; then it watches until it is told to stop.
import { existsSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { dataDirectory, publicUrl } from '../base/addresses.ts';
import { readConfig } from '../base/config.ts';
import { schemaName } from '../store/schema-name.ts';
import { awaitLeftovers } from './await-leftovers.ts';
import { buildParts } from './build-parts.ts';
import { checkPorts } from './check-ports.ts';
import type { DescribedLine } from './describe-log-line.ts';
import { describeParts } from './describe-parts.ts';
import type { Environment } from './environment-values.ts';
import { lockWithPatience } from './lock-data-directory.ts';
import { type PartTable, selectParts } from './parts.ts';
import { planPorts } from './plan-ports.ts';
import { prepareSandbox } from './prepare-sandbox.ts';
import { prepareSecrets } from './prepare-secrets.ts';
import { portProbe } from './probe-ports.ts';
import { HELP, readOptions } from './read-options.ts';
import { StackError } from './stack-error.ts';
import { findStackState, openStackFile, type StackState } from './stack-file.ts';
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
  say(line: string): void;
  /** Stop in order. */
  readonly stop: AbortSignal;
  /** Stop at once. */
  readonly kill: AbortSignal;
}

const STILL_WAITING_MS = 15_000;

/** Serves until told to stop. What keeps it from starting is thrown as a StackError or ConfigError. */
export async function runStack(around: StackSurroundings): Promise<void> {
  const options = readOptions(around.argv);
  if (options.help) return around.out(HELP);
  const config = readConfig(around.environment);
  const directory = options.dataDirectory ?? dataDirectory(config);
  await makeDirectory(directory);
  const stateFile = join(directory, 'stack.json');
  const lock = await lockWithPatience(join(directory, 'stack.lock'), async () => (await findStackState(stateFile))?.stopping === true, around.stop);
  if (!lock.held) throw new StackError(`another stack (pid ${lock.holder}) already runs on ${directory}: stop it first, or choose another directory with --data-dir`);
  try {
    if (lock.wasLeftBehind) await awaitLeftovers(await findStackState(stateFile), around.say, around.stop);
    await serve(around, directory, options.port ?? config.SERVICE_GATEWAY_PORT, options.verbose || around.terminal);
  } finally {
    await lock.release();
  }
}

async function serve(around: StackSurroundings, directory: string, port: number, showWarnings: boolean): Promise<void> {
  const { environment, table, bundles } = around;
  const selected = selectParts(table, environment, (bundle) => existsSync(join(bundles, `${bundle}.js`)));
  const ports = await planPorts(port, environment, new Set(selected.flatMap((name) => [...(table[name]?.ports ?? [])])), portProbe);
  await checkPorts(table, selected, ports);
  const secrets = await prepareSecrets(environment, directory, selected, around.say);
  const wrappers = selected.includes('sandbox') ? { sandbox: await prepareSandbox({ environment, root: around.root, dataDirectory: directory, say: around.say, stop: around.stop }) } : {};

  const logs = join(directory, 'logs');
  const heard = (name: string, { level, text }: DescribedLine): void => {
    if (showWarnings) around.say(`${name} ${level}: ${text}`);
  };
  const { parts, environment: shared } = buildParts({ table, selected, given: environment, directory, logs, bundles, root: around.root, ports, secrets, wrappers, heard });

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
  const file = openStackFile(join(directory, 'stack.json'), state, around.say);
  const supervisor = supervise(parts, { say: around.say, changed: () => void file.update() });
  try {
    await watch(around, supervisor, url, logs);
  } finally {
    around.say('stopping …');
    if (around.kill.aborted) supervisor.kill();
    around.kill.addEventListener('abort', () => supervisor.kill());
    await file.update();
    await supervisor.stop();
    await file.remove();
  }
}

async function watch(around: StackSurroundings, supervisor: Supervisor, url: string, logs: string): Promise<void> {
  const stopped = new Promise<'stopped'>((resolve) => around.stop.addEventListener('abort', () => resolve('stopped'), { once: true }));
  const reminder = setInterval(() => around.say(`still waiting for ${[...supervisor.waiting].join(', ')}; see ${logs}`), STILL_WAITING_MS);
  try {
    if (around.stop.aborted || (await Promise.race([supervisor.ready, stopped])) === 'stopped') return;
  } finally {
    clearInterval(reminder);
  }
  around.out(`ready ${url}\n`);
  if (around.terminal) around.say(`logs are in ${logs}; Ctrl-C stops`);
  await stopped;
}

async function makeDirectory(directory: string): Promise<void> {
  try {
    const made = await mkdir(directory, { recursive: true, mode: 0o700 });
    if (made !== undefined) await chmod(directory, 0o700);
  } catch (error) {
    throw new StackError(`the data directory ${directory} cannot be made (${(error as NodeJS.ErrnoException).code}): choose another with --data-dir`, 1, { cause: error });
  }
}
