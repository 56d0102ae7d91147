// What commander found wrong with a command line, as a failure like any other. Somebody may have typed a secret where
// it does not belong: only what has the form of a command, a flag or a choice is repeated.
import type { CommanderError } from 'commander';
import { type Failure, usage } from './failure.ts';

const NAME = /^-{0,2}[a-z]+(?:-[a-z]+)*$/i;
const LONGEST_NAME = 24;

/** What to do where the command line is not enough to say it. */
const NEXT: Readonly<Record<string, string>> = {
  'commander.excessArguments':
    'Run it with --help to see what it takes. A key or a token is never an argument: it is read from standard input, a file or a hidden prompt.',
};

export function toUsageFailure({ code, message }: CommanderError): Failure {
  const text = message
    .replace(/^error: /, '')
    // Commander lists the arguments themselves behind their number.
    .replace(/(?<=\bbut got \d+):.*$/s, '.')
    .replaceAll(/'(--?[^'=]+)=[^']*'/g, "'$1'")
    .replaceAll(/ ?'([^']*)'/g, (quoted, word: string) => (isOurs(word) ? quoted : ''))
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim();
  return usage(text, NEXT[code]);
}

/** A name, or a piece of help such as `--status <status>`. */
function isOurs(word: string): boolean {
  return word.length <= LONGEST_NAME && (NAME.test(word) || /^--?[a-z-]+,? [<[-]/.test(word));
}
