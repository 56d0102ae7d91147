// npm start, from the command line to the last part stopped. Read top to bottom: options, data directory and lock,
// ports, secrets, parts; then it runs until it is stopped.
import { existsSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataDirectory, publicUrl, sandboxUrl } from '../net/addresses.ts';
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
import { awaitLeftovers, waitForLock } from './lock-data-directory.ts';
import { type PartTable, selectParts } from './parts.ts';
import { placeSandboxSocket } from './place-sandbox-socket.ts';
import { planPorts } from './plan-ports.ts';
import { prepareSandbox } from './prepare-sandbox.ts';
import { prepareSecrets } from './prepare-secrets.ts';
import { portProbe } from './probe-ports.ts';
import { HELP, readOptions } from './read-options.js';
import { EXIT_CONFIG, StackError } from './stack-error.ts';
import { findStackState, openStackFile, type StackFile, type StackState } from './stack-file.ts';
import { supervise, type Supervisor } from './supervise.ts';

export interface StackContext {
  readonly argv: readonly string[];
  readonly environment: Environment;
  readonly table: PartTable;
  /** The directory with the programs of the parts, and their working directory. */
  readonly bundles: string;
  readonly root: string;
  /** Whether standard error is a terminal. */
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

/** Runs until stopped. Throws a StackError, UsageError or ConfigError if it cannot start. */
export async function runStack(context: StackContext): Promise<void> {
  const options = readOptions(context.argv);
  if (options.help) return context.out(HELP);
  const config = readConfig(context.environment);
  requireWholeMail(config);
  const directory = options.dataDirectory ?? dataDirectory(config);
  await makeDirectory(directory);
  const stateFile = join(directory, 'stack.json');
  const lock = await waitForLock(
    join(directory, 'stack.lock'),
    async () => (await findStackState(stateFile))?.stopping === true,
    context.stop,
  );
  if (!lock.held) {
    const at = await findStackState(stateFile).then((state) => (state === undefined ? '' : ` and serves ${state.url}`));
    throw new StackError(
      `another stack (pid ${lock.holder}) already runs on ${directory}${at}: stop it first, or choose another directory with --data-dir and another --port`,
    );
  }
  try {
    if (lock.wasStale) await awaitLeftovers(await findStackState(stateFile), context.lines.say, context.stop);
    const socket = await placeSandboxSocket(directory, context.environment);
    try {
      await serve(
        { ...context, environment: socket.environment },
        directory,
        options.port ?? config.SERVICE_GATEWAY_PORT,
        options.verbose || context.terminal,
      );
    } finally {
      await socket.remove();
    }
  } finally {
    await lock.release();
  }
}

/** Each part sees only its half of the two variables. */
function requireWholeMail({ SERVICE_SMTP_URL: server, SERVICE_MAIL_FROM: sender }: Config): void {
  if (server === 'off' || (server === undefined) === (sender === undefined)) return;
  const [given, missing] =
    server === undefined ? ['SERVICE_MAIL_FROM', 'SERVICE_SMTP_URL'] : ['SERVICE_SMTP_URL', 'SERVICE_MAIL_FROM'];
  throw new StackError(`${given} is set without ${missing}: set both, or neither`, EXIT_CONFIG);
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

/** Which parts to start, their ports and their secrets. */
type Prepared = Pick<PartsInput, 'selected' | 'ports' | 'secrets' | 'wrappers'>;

async function prepare(context: StackContext, directory: string, port: number): Promise<Prepared> {
  const { environment, table, bundles, lines, root, stop } = context;
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

async function serve(context: StackContext, directory: string, port: number, showWarnings: boolean): Promise<void> {
  const { environment, table, bundles, lines } = context;
  const prepared = await prepare(context, directory, port);
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
    // The controller's warnings during start-up are summarised in one line once everything is up.
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
    root: context.root,
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
      ...(context.stop.aborted ? { stopping: true as const } : {}),
      databaseUrl: config.SERVICE_UPSTREAM_DB ?? '',
      schema: schemaName(config),
      ...(config.SERVICE_GATEWAY_HOST === undefined ? {} : { gatewayHost: config.SERVICE_GATEWAY_HOST }),
      allowPrivateUrls: config.SERVICE_ALLOW_PRIVATE_URLS,
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
    if (!(await isReady(context, supervisor, logs))) return;
    ready = true;
    // Programs that wait for the line below read this file next.
    await file.update();
    context.out(`ready ${url}\n`);
    await sayFirstSteps(context, readConfig(shared()), { selected, directory, logs });
    await untilAborted(context.stop);
  } finally {
    await shutDown(context, supervisor, file);
  }
}

async function sayFirstSteps(
  { lines }: StackContext,
  config: Config,
  { selected, directory, logs }: { selected: readonly string[]; directory: string; logs: string },
): Promise<void> {
  const runs = selected.includes('sandbox') ? await summarizeRuns(config) : undefined;
  const demo = selected.includes('demo-providers');
  const mailbox = selected.includes('local-mailbox')
    ? `http://localhost:${config.SERVICE_LOCAL_MAILBOX_PORT}`
    : undefined;
  for (const line of firstSteps({ publicUrl: publicUrl(config), demo, runs, mailbox, directory, logs }))
    lines.say(line);
}

async function shutDown({ stop, kill, lines }: StackContext, supervisor: Supervisor, file: StackFile): Promise<void> {
  const stoppedAt = Date.now();
  if (stop.aborted) lines.say('stopping');
  if (kill.aborted) supervisor.kill();
  kill.addEventListener('abort', () => supervisor.kill());
  await file.update();
  await supervisor.stop();
  await file.remove();
  if (stop.aborted) lines.step('stopped', Date.now() - stoppedAt);
}

/** False if it is stopped before every part answers. */
async function isReady({ stop, lines }: StackContext, supervisor: Supervisor, logs: string): Promise<boolean> {
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

/** Undefined if the controller does not answer in time; the first run will show the reason. */
async function summarizeRuns(config: Config): Promise<string | undefined> {
  const client = createSandboxClient({ url: sandboxUrl(config), token: config.SERVICE_SANDBOX_TOKEN });
  const answer = client.health().then(describeRuns, () => undefined);
  return Promise.race([answer, sleep(SANDBOX_ANSWER_MS, undefined, { ref: false })]);
}
