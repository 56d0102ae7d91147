// What all commands share: --json, --jq, --url, and a help text that ends with an example.
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
  /** With its arguments, in commander's notation. */
  readonly name: string;
  readonly summary: string;
  readonly example: string;
  /** Runs on this machine and sends no requests to the service. */
  readonly local?: true;
  /** What the group runs when no subcommand is given. */
  readonly isDefault?: true;
  /** Not listed in the help. */
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
  command.option('--jq <expression>', 'filter the JSON output with a jq expression');
  if (!local) command.option('--url <url>', 'address of the service (default: SERVICE_URL, then the last sign-in)');
  return command.addHelpText('after', `\nExample:\n  $ ${example}`);
}

/** A command that only has subcommands. */
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
  "workspace, by ID or slug (default: the one in use, then the token's, then Default)",
] as const;
