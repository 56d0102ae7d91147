// What every command has: --json, the address, and a help text that ends with an example.
import type { Command } from 'commander';
import type { Host } from './host.ts';
import type { Output } from './output.ts';

export interface Cli {
  readonly host: Host;
  readonly output: Output;
}

/** Options that every command takes. */
export interface Common {
  readonly json?: boolean;
  readonly jq?: string;
  readonly url?: string;
}

export interface CommandText {
  /** With its arguments, as commander writes them. */
  readonly name: string;
  readonly summary: string;
  readonly example: string;
  /** Runs on the operator's machine and talks to no service over HTTP. */
  readonly local?: true;
  /** What its group does when no command of the group is named. */
  readonly isDefault?: true;
  /** Not for people: the help does not list it. */
  readonly hidden?: true;
  /** The command declares --json itself. */
  readonly ownJson?: true;
}

export function defineCommand(
  parent: Command,
  { name, summary, example, local, ownJson, isDefault, hidden }: CommandText,
): Command {
  const command = parent.command(name, { isDefault: isDefault === true, hidden: hidden === true }).description(summary);
  if (!ownJson) command.option('--json', 'print JSON');
  command.option('--jq <expression>', 'print what jq makes of the JSON');
  if (!local) command.option('--url <url>', 'address of the service (default: SERVICE_URL, else the last sign-in)');
  return command.addHelpText('after', `\nExample:\n  $ ${example}`);
}

/** A name under which several commands are found. */
export function defineGroup(
  parent: Command,
  { name, summary, example }: Pick<CommandText, 'name' | 'summary' | 'example'>,
): Command {
  return parent
    .command(name)
    .description(summary)
    .helpCommand(false)
    .addHelpText('after', `\nExample:\n  $ ${example}`);
}

export const WORKSPACE = [
  '--workspace <workspace>',
  "workspace, by id or slug (default: the one in use, else the token's, else Default)",
] as const;
