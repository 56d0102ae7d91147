// What every process has in common: read the configuration, start, run until asked to stop, stop cleanly. When the
// supervisor dies, its channel closes and the process stops too, so there are no orphans. A process whose files are
// gone also stops cleanly, and its exit code says that it should be started again.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Config, ConfigError, readConfig } from '../base/config.ts';
import { createLog, type Log } from '../telemetry/log.ts';
import { metricsPortOf } from './metrics-ports.ts';
import { holdRelease } from './package-root.ts';
import { watchProgram } from './program-gone.ts';
import { describeRefusedPort } from './refused-port.ts';

export interface ProcessContext {
  readonly config: Config;
  readonly log: Log;
  /** Aborted when the process is asked to stop, also while it is still starting. */
  readonly stopping: AbortSignal;
  /** Reports that a file of the program is gone: the process stops, to be started again. */
  readonly programGone: (error: unknown) => void;
  /** What SIGHUP does from now on, instead of stopping the process. */
  readonly onHangup: (run: () => void) => void;
}

export type Stop = () => Promise<void>;

/** For everything after the requests in progress. */
const STOP_TIMEOUT_MS = 10_000;
const SETTLED_MS = 5_000;
const EXIT_CONFIG = 78;
const EXIT_PROGRAM_GONE = 75;

export async function runProcess(part: string, start: (context: ProcessContext) => Promise<Stop>): Promise<void> {
  let log: Log | undefined;
  let config: Config | undefined;
  let exitCode = 0;
  const stopping = new AbortController();
  try {
    config = readConfig();
    log = createLog(part, config);
    const stopRequested = Promise.withResolvers<string>();
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopRequested.resolve(signal));
    let hangup = (): void => stopRequested.resolve('SIGHUP');
    process.on('SIGHUP', () => hangup());
    process.once('disconnect', () => stopRequested.resolve('the supervisor is gone'));
    process.channel?.unref();
    stopRequested.promise.then(
      (reason) => stopping.abort(new Error(reason)),
      () => {},
    );
    crashOnFault(log);
    holdRelease();
    const programGone = (error: unknown): void => {
      if (exitCode !== 0 || stopping.signal.aborted) return;
      exitCode = EXIT_PROGRAM_GONE;
      log?.fatal(
        { err: error },
        'a file of this program is gone, probably replaced by another build; stopping to be restarted',
      );
      stopRequested.resolve('a file of the program is gone');
    };
    watchProgram(programGone);

    const onHangup = (run: () => void): void => void (hangup = run);
    const stop = await start({ config, log, stopping: stopping.signal, programGone, onHangup });
    process.send?.({ type: 'started' });
    releaseStartMemory();
    const reason = await stopRequested.promise;
    log.info({ reason }, 'stopping');
    setTimeout(
      () => {
        log?.error('process did not stop in time');
        process.exit(1);
      },
      config.SERVICE_DRAIN_SECONDS * 1_000 + STOP_TIMEOUT_MS,
    ).unref();
    await stop();
    process.exit(exitCode);
  } catch (error) {
    if (stopping.signal.aborted) process.exit(exitCode);
    const refused = refusalOf(error, part, config);
    if (refused !== undefined) {
      process.stderr.write(`${part}: ${refused}\n`);
      process.exit(EXIT_CONFIG);
    }
    log?.fatal({ err: error }, 'could not start');
    if (!log) process.stderr.write(`${part}: ${String(error)}\n`);
    process.exit(1);
  }
}

/** What only the operator can change, in one sentence: supervisors do not restart a process that ends with it. */
function refusalOf(error: unknown, part: string, config: Config | undefined): string | undefined {
  if (error instanceof ConfigError) return error.message;
  return config && describeRefusedPort(error, config, metricsPortOf(part, config));
}

/**
 * Loading a program leaves garbage that V8 collects only when it needs the room, which an idle process never does.
 * Under `npm start`, which supervises a dozen processes on one machine, that is a fifth of their memory.
 */
export function releaseStartMemory(): void {
  if (process.channel === undefined) return;
  setTimeout(() => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    // The first collection frees objects, the one right after it gives the emptied pages back.
    collectGarbage();
    collectGarbage();
  }, SETTLED_MS).unref();
}

function crashOnFault(log: Log): void {
  for (const fault of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(fault, (error: unknown) => {
      log.fatal({ err: error }, fault);
      process.exit(1);
    });
  }
}
