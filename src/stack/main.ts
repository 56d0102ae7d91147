// The stack as a program: its signals, its two streams, its exit code.
import { ConfigError, processEnvironment } from '../base/config.ts';
import { listenForStop } from './listen-for-stop.ts';
import type { PartTable } from './parts.ts';
import { runStack } from './run-stack.ts';
import { EXIT_CONFIG, StackError } from './stack-error.ts';

export async function stackMain(programs: { table: PartTable; bundles: string; root: string }): Promise<never> {
  const requests = listenForStop(process);
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  // Whoever read our output may leave; the service goes on.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  try {
    await runStack({ ...programs, ...requests, argv: process.argv.slice(2), environment: processEnvironment(), terminal: process.stderr.isTTY, out: (text) => void process.stdout.write(text), say });
  } catch (error) {
    if (requests.stop.aborted) process.exit(0);
    const known = error instanceof StackError || error instanceof ConfigError;
    say(`service: ${known ? error.message : error instanceof Error ? error.stack : String(error)}`);
    process.exit(error instanceof StackError ? error.exitCode : error instanceof ConfigError ? EXIT_CONFIG : 1);
  }
  process.exit(0);
}
