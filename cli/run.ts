// One command from its arguments to its exit code.
import { CommanderError } from 'commander';
import { traceRequests } from './api/trace-requests.ts';
import { placeJson } from './call/place-json.ts';
import { describeFailure, failureJson } from './describe-failure.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { Failure } from './failure.ts';
import type { Host } from './host.ts';
import { createOutput } from './output.ts';
import { buildProgram } from './program.ts';
import { toUsageFailure } from './usage-error.ts';

/** Commander's codes for having printed the help or the version. */
const PRINTED: ReadonlySet<string> = new Set(['commander.helpDisplayed', 'commander.version']);

export async function run(args: readonly string[], host: Host): Promise<ExitCode> {
  const output = createOutput(host);
  traceRequests(undefined);
  try {
    await buildProgram({ host, output }).parseAsync(args.length === 0 ? ['help'] : placeJson(args), { from: 'user' });
    await output.drained();
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError && PRINTED.has(error.code)) return EXIT.ok;
    await output.drained().catch(() => {});
    const failure = addressedTo(findUrl(args), toFailure(error));
    if (wantsJson(args)) output.say(JSON.stringify(failureJson(failure)));
    else output.say(describeFailure(failure));
    return failure.exit;
  }
}

/** A command that was given --url suggests signing in at that address. */
function addressedTo(url: string | undefined, failure: Failure): Failure {
  const { message, exit, next, error, details } = failure;
  if (url === undefined || exit !== EXIT.signedOut || next === undefined) return failure;
  return new Failure(message, {
    exit,
    next: next.replace(/servicectl login\b/, `servicectl login --url ${url}`),
    details,
    ...(error === undefined ? {} : { error }),
  });
}

function findUrl(args: readonly string[]): string | undefined {
  const end = args.indexOf('--');
  const at = (end < 0 ? args : args.slice(0, end)).findIndex((arg) => arg === '--url' || arg.startsWith('--url='));
  return at < 0 ? undefined : (args[at] ?? '').startsWith('--url=') ? args[at]?.slice('--url='.length) : args[at + 1];
}

function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).some((arg) => /^--(?:json|jq)(?:=|$)/.test(arg));
}

function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof CommanderError) return toUsageFailure(error);
  // undici wraps what guardedFetch threw.
  const cause = (error as { cause?: unknown } | undefined)?.cause;
  if (cause instanceof Failure) return cause;
  return new Failure(error instanceof Error ? error.message : String(error), {
    next: 'This is a bug in servicectl. Try again; if it keeps happening, report it.',
  });
}
