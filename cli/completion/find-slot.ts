// Finds which value the shell is completing: that of a flag, or an argument of the command typed so far.
import type { Command } from 'commander';
import { defaultOf } from '../define-command.ts';

export interface Slot {
  /** The flag or the argument: `--workspace`, `connection`. */
  readonly name: string;
  /** The words of the command: `keys save`. */
  readonly path: string;
  readonly choices: readonly string[] | undefined;
  /** The arguments before it. */
  readonly before: readonly string[];
  readonly url: string | undefined;
  readonly as: string | undefined;
  readonly workspace: string | undefined;
}

/** @param words what was typed after the program's name, without the word being completed */
export function findSlot(program: Command, words: readonly string[]): Slot | undefined {
  let command = program;
  const path: string[] = [];
  const before: string[] = [];
  const given: Record<string, string> = {};
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    const child = before.length === 0 ? command.commands.find((one) => one.name() === word) : undefined;
    if (child) {
      command = child;
      path.push(word);
    } else if (!word.startsWith('-')) before.push(word);
    else {
      const [flag = '', inline] = word.split('=', 2);
      const option = takerOf(command).options.find(({ long, short }) => long === flag || short === flag);
      if (!option || option.isBoolean() || inline !== undefined) {
        if (inline !== undefined) given[flag] = inline;
        continue;
      }
      if (i === words.length - 1) return { name: option.long ?? flag, choices: option.argChoices, ...facts() };
      given[flag] = words[++i] ?? '';
    }
  }
  // The arguments of a group are those of its default command.
  const args = takerOf(command).registeredArguments;
  const argument = args[before.length] ?? (args.at(-1)?.variadic ? args.at(-1) : undefined);
  return argument && { name: argument.name(), choices: argument.argChoices, ...facts() };

  function facts(): Pick<Slot, 'path' | 'before' | 'url' | 'as' | 'workspace'> {
    return { path: path.join(' '), before, url: given['--url'], as: given['--as'], workspace: given['--workspace'] };
  }
}

/** The command that options and arguments behind a group are for. */
function takerOf(command: Command): Command {
  return defaultOf(command) ?? command;
}
