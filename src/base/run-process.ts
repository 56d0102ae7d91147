// What every process has in common: read the configuration, start, run until told to stop, stop cleanly.
// A supervisor that dies closes the channel it started us with, and we stop too: no orphans.
import { type Config, ConfigError, readConfig } from './config.ts';
import { createLog, type Log } from './log.ts';

export interface ProcessContext {
  readonly config: Config;
  readonly log: Log;
  /** Aborted when the process is asked to stop, also while it is still starting. */
  readonly stopping: AbortSignal;
}

export type Stop = () => Promise<void>;

const STOP_TIMEOUT_MS = 15_000;
const EXIT_CONFIG = 78;

export async function runProcess(part: string, start: (context: ProcessContext) => Promise<Stop>): Promise<void> {
  let log: Log | undefined;
  const stopping = new AbortController();
  try {
    const config = readConfig();
    log = createLog(part, config);
    const stopRequested = new Promise<string>((resolve) => {
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve(signal));
      process.once('disconnect', () => resolve('the supervisor went away'));
      process.channel?.unref();
    });
    stopRequested.then((reason) => stopping.abort(new Error(reason)), () => {});
    crashOnFault(log);

    const stop = await start({ config, log, stopping: stopping.signal });
    process.send?.({ type: 'started' });
    const reason = await stopRequested;
    log.info({ reason }, 'stopping');
    setTimeout(() => {
      log?.error('did not stop in time');
      process.exit(1);
    }, STOP_TIMEOUT_MS).unref();
    await stop();
    process.exit(0);
  } catch (error) {
    if (stopping.signal.aborted) process.exit(0);
    if (error instanceof ConfigError) {
      process.stderr.write(`${part}: ${error.message}\n`);
      process.exit(EXIT_CONFIG);
    }
    log?.fatal({ err: error }, 'could not start');
    if (!log) process.stderr.write(`${part}: ${String(error)}\n`);
    process.exit(1);
  }
}

function crashOnFault(log: Log): void {
  for (const fault of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(fault, (error: unknown) => {
      log.fatal({ err: error }, fault);
      process.exit(1);
    });
  }
}
