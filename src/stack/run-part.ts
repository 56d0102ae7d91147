// Runs one part as a process in its own process group: Ctrl-C in the terminal reaches only the stack, which stops its
// parts in order. The IPC channel closes when the stack dies for any reason, and the part then stops on its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../base/config.ts';
import { awaitHttp, awaitTcp } from './check-health.ts';
import { type DescribedLine, describeLogLine, splitLines } from './describe-log-line.ts';
import { trackExitReason } from './exit-reason.ts';
import { openLogFile, type WriteWatch } from './log-file.ts';
import type { Health } from './parts.ts';
import type { Exit, LaunchedPart } from './supervise.ts';

export interface PartProcess {
  /** Prepended to the program, which it executes in place. */
  readonly command: readonly string[];
  readonly program: string;
  readonly environment: Record<string, string>;
  readonly directory: string;
  readonly health: Health;
  readonly port?: number;
  readonly logFile: string;
  readonly watch: WriteWatch;
  heard(line: DescribedLine): void;
}

/** Beyond the time that answers in progress have: a part that is not done then stops on its own before that. */
const STOP_TIMEOUT_MS = 15_000;
const HEALTHY_TIMEOUT_MS = 120_000;
/** How long to wait for remaining output after the process has exited. */
const LAST_OUTPUT_MS = 500;

export async function runPart(part: PartProcess): Promise<LaunchedPart> {
  const { SERVICE_DRAIN_SECONDS: drainSeconds } = readConfig(part.environment);
  const [file = process.execPath, ...args] = [
    ...part.command,
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    part.program,
  ];
  const child = spawn(file, args, {
    cwd: part.directory,
    env: part.environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const spawned = Promise.withResolvers<void>();
  child.once('spawn', () => spawned.resolve());
  child.on('error', (error) => spawned.reject(error));
  const started = new Promise<void>((resolve) => child.on('message', (message) => isStarted(message) && resolve()));
  const gone = new AbortController();

  const log = openLogFile(part.logFile, part.watch);
  const words = trackExitReason();
  const streams = [
    ['stdout', child.stdout],
    ['stderr', child.stderr],
  ] as const;
  for (const [from, stream] of streams) {
    const lines = splitLines((line) => {
      const described = describeLogLine(line, from);
      if (described === undefined) return;
      words.hear(described);
      part.heard(described);
    });
    stream?.on('data', (chunk: Buffer) => {
      log.write(chunk);
      lines(chunk);
    });
  }

  const closed = once(child, 'close');
  const exited = (async (): Promise<Exit> => {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    gone.abort();
    signalGroup(child.pid, 'SIGKILL');
    await Promise.race([closed, sleep(LAST_OUTPUT_MS)]);
    for (const [, stream] of streams) stream?.removeAllListeners('data').destroy();
    log.close();
    const reason = words.reason();
    return { code, signal, ...(reason === undefined ? {} : { reason }) };
  })();
  exited.catch(() => {});
  await spawned.promise;

  return {
    pid: child.pid ?? 0,
    ...(part.port === undefined ? {} : { port: part.port }),
    healthy: awaitHealth(part, started, gone.signal, () => signalGroup(child.pid, 'SIGKILL')),
    exited,
    async stop() {
      child.kill('SIGTERM');
      const late = new AbortController();
      sleep(drainSeconds * 1_000 + STOP_TIMEOUT_MS, undefined, { signal: late.signal }).then(
        () => signalGroup(child.pid, 'SIGKILL'),
        () => {},
      );
      await exited;
      late.abort();
    },
    kill: () => signalGroup(child.pid, 'SIGKILL'),
  };
}

/** A part that never becomes healthy is killed, and restarted like one that crashed. */
async function awaitHealth(
  { health, port, environment }: PartProcess,
  started: Promise<void>,
  gone: AbortSignal,
  giveUp: () => void,
): Promise<void> {
  const late = AbortSignal.timeout(HEALTHY_TIMEOUT_MS);
  const signal = AbortSignal.any([gone, late]);
  const never = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  );
  const answers = (): Promise<void> => {
    if (health.by === 'message' || port === undefined) return started;
    return health.by === 'tcp'
      ? awaitTcp(port, environment[health.host], signal)
      : awaitHttp(`http://127.0.0.1:${port}${health.path}`, signal);
  };
  try {
    await Promise.race([answers(), never]);
  } catch {
    if (late.aborted && !gone.aborted) giveUp();
    return new Promise(() => {});
  }
}

function isStarted(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'started';
}

/** The whole group, including processes that the part started. */
function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // Gone; on some systems the group exists until its zombies are reaped.
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
