// The embedded PostgreSQL as a part. It is the only part that survives when the stack is killed; the next start adopts
// it. It keeps its port across restarts, because the other parts have its URL.
import { findPostgresBinaries } from '../postgres/binaries.ts';
import { CannotStartPostgres } from '../postgres/cannot-start.ts';
import { launchPostgres, type RunningPostgres } from '../postgres/launch.ts';
import { boundForeignLogFile, type WriteWatch } from './log-file.ts';
import { findFileError, StackError } from './stack-error.ts';
import type { LaunchedPart } from './supervise.ts';

export interface PostgresPart {
  readonly directory: string;
  readonly logFile: string;
  readonly password: string;
  readonly adminPassword: string;
  readonly port: number;
  readonly watch: WriteWatch;
}

const BOUND_LOG_EVERY_MS = 600_000;

export async function runPostgres(
  part: PostgresPart,
  stopping: AbortSignal,
): Promise<LaunchedPart & { readonly url: string; readonly port: number }> {
  boundForeignLogFile(part.logFile, part.watch);
  const server = await launch(part, stopping);
  const bounding = setInterval(() => boundForeignLogFile(part.logFile, part.watch), BOUND_LOG_EVERY_MS).unref();
  return {
    url: server.url,
    pid: server.pid,
    port: server.port,
    healthy: Promise.resolve(),
    exited: server.exited.then(() => {
      clearInterval(bounding);
      return { code: null, signal: null, reason: `see ${part.logFile}` };
    }),
    stop: () => server.stop(),
    kill: () => server.kill(),
  };
}

async function launch(part: PostgresPart, stopping: AbortSignal): Promise<RunningPostgres> {
  try {
    return await launchPostgres({ binaries: await findPostgresBinaries(import.meta.url), ...part, signal: stopping });
  } catch (error) {
    throw error instanceof CannotStartPostgres
      ? new StackError(error.message, 1, { cause: error })
      : (findFileError(error) ?? error);
  }
}
