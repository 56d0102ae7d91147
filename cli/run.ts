// One command from its arguments to its exit code.
import { CommanderError } from 'commander';
import { placeJson } from './call/place-json.ts';
import { describeFailure, failureJson } from './describe-failure.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { Failure } from './failure.ts';
import type { Host } from './host.ts';
import { createOutput } from './output.ts';
import { buildProgram } from './program.ts';

/** Commander's ways of saying that help or the version was asked for and printed. */
const PRINTED: ReadonlySet<string> = new Set(['commander.helpDisplayed', 'commander.version']);

export async function run(args: readonly string[], host: Host): Promise<ExitCode> {
  const output = createOutput(host);
  try {
    await buildProgram({ host, output }).parseAsync(args.length === 0 ? ['help'] : placeJson(args), { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) return PRINTED.has(error.code) ? EXIT.ok : EXIT.usage;
    const failure = await toFailure(error);
    if (wantsJson(args)) output.say(JSON.stringify(failureJson(failure)));
    else output.say(describeFailure(failure));
    return failure.exit;
  }
}

function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).some((arg) => arg === '--json' || arg.startsWith('--json='));
}

async function toFailure(error: unknown): Promise<Failure> {
  if (error instanceof Failure) return error;
  const { fromTyped } = await import('./api/typed-clients.ts');
  const known = fromTyped(error);
  if (known instanceof Failure) return known;
  // What undici throws wraps what our own guard threw.
  const cause = (error as { cause?: unknown } | undefined)?.cause;
  if (cause instanceof Failure) return cause;
  return new Failure(error instanceof Error ? error.message : String(error), { next: 'This is a fault of servicectl. Run it again; if it stays, report it.' });
}
