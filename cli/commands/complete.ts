import type { Command } from 'commander';
import { findAccount } from '../account.ts';
import { findSlot } from '../completion/find-slot.ts';
import { listValues } from '../completion/list-values.ts';
import { configDirectory } from '../config-directory.ts';
import { readCredentials } from '../credentials.ts';
import { type Cli, type Common, defineCommand } from '../define-command.ts';

/** Called by the completion scripts. */
const COMPLETE = '__complete';

export function addComplete(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: `${COMPLETE} [words...]`,
    summary: 'For completion scripts: print the values that complete the last word',
    example: 'servicectl __complete -- job ""',
    hidden: true,
  }).action((words: string[], options: Common) => complete(cli, program, words, options));
}

/** The shell shows everything that is printed, so errors are swallowed. */
async function complete(
  { host, output }: Cli,
  program: Command,
  words: readonly string[],
  options: Common,
): Promise<void> {
  const slot = findSlot(program, words.slice(0, -1));
  const current = words.at(-1) ?? '';
  const values = slot
    ? await Promise.all([
        findAccount(host, { url: slot.url ?? options.url, as: slot.as }),
        readCredentials(configDirectory(host)),
      ])
        .then(([account, { accounts }]) => listValues(account, slot, accounts))
        .catch(() => [])
    : [];
  const fitting = values.filter(([value]) => value.startsWith(current));
  if (options.json)
    return output.json({
      values: fitting.map(([value, about]) => ({ value, ...(about === undefined ? {} : { about }) })),
    });
  for (const [value, about] of fitting)
    output.line(about === undefined ? value : `${value}\t${about.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 80)}`);
}
