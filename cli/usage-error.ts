// Turns commander's errors into failures. A secret may have been typed in the wrong place, so only words that look like
// a command, a flag or a choice are repeated.
import type { CommanderError } from 'commander';
import { type Failure, usage } from './failure.ts';

const NAME = /^-{0,2}[a-z]+(?:-[a-z]+)*$/i;
const LONGEST_NAME = 24;

/** Advice by commander's error code. */
const NEXT: Readonly<Record<string, string>> = {
  'commander.excessArguments':
    'Run the command with --help to see its usage. Keys and tokens are never arguments: they are read from standard input, a file or a hidden prompt.',
};

export function toUsageFailure({ code, message }: CommanderError): Failure {
  const text = message
    .replace(/^error: /, '')
    // Commander lists the arguments themselves after their number.
    .replace(/(?<=\bbut got \d+):.*$/s, '.')
    .replaceAll(/'(--?[^'=]+)=[^']*'/g, "'$1'")
    .replaceAll(/ ?'([^']*)'/g, (quoted, word: string) => (isOurs(word) ? quoted : ''))
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim();
  return usage(text, NEXT[code]);
}

/** A name, or part of a usage line such as `--status <status>`. */
function isOurs(word: string): boolean {
  return word.length <= LONGEST_NAME && (NAME.test(word) || /^--?[a-z-]+,? [<[-]/.test(word));
}
