// The stack as a program: signals, output and exit code.
import { completeEnvironment, ConfigError } from '../base/config.ts';
import { createLines } from './lines.js';
import type { PartTable } from './parts.ts';
import { UsageError } from './read-options.js';
import { runStack } from './run-stack.ts';
import { EXIT_CONFIG, EXIT_USAGE, findFileError, StackError } from './stack-error.ts';

export async function stackMain(programs: { table: PartTable; bundles: string; root: string }): Promise<never> {
  const requests = listenForStop(process);
  const lines = createLines(process.stderr);
  // The reader of our output may go away; the service keeps running.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  try {
    await runStack({
      ...programs,
      ...requests,
      argv: process.argv.slice(2),
      environment: completeEnvironment(),
      terminal: process.stderr.isTTY,
      out: (text) => void process.stdout.write(text),
      lines,
    });
  } catch (error) {
    if (requests.stop.aborted) process.exit(0);
    const { line, exitCode } = describeEnd(error);
    lines.fail(line);
    process.exit(exitCode);
  }
  process.exit(0);
}

function describeEnd(error: unknown): { line: string; exitCode: number } {
  if (error instanceof UsageError) return { line: error.message, exitCode: EXIT_USAGE };
  if (error instanceof ConfigError) return { line: error.message, exitCode: EXIT_CONFIG };
  const known = error instanceof StackError ? error : findFileError(error);
  if (known !== undefined) return { line: known.message, exitCode: known.exitCode };
  return { line: error instanceof Error ? (error.stack ?? error.message) : String(error), exitCode: 1 };
}

const SAME_PRESS_MS = 500;

export interface StopRequests {
  readonly stop: AbortSignal;
  readonly kill: AbortSignal;
}

/**
 * The signals that stop the stack. One Ctrl-C may arrive twice in quick succession, from the terminal and forwarded by
 * npm; only a later second one means "at once".
 */
export function listenForStop(on: NodeJS.Process, now: () => number = Date.now): StopRequests {
  const stop = new AbortController();
  const kill = new AbortController();
  let firstAt: number | undefined;
  const requested = (): void => {
    firstAt ??= now();
    stop.abort();
    if (now() - firstAt > SAME_PRESS_MS) kill.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) on.on(signal, requested);
  // The program that started us, and held the other end of the channel, is gone.
  on.once('disconnect', () => stop.abort());
  on.channel?.unref();
  return { stop: stop.signal, kill: kill.signal };
}
