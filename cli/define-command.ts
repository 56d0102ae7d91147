// What all commands share: --json, --jq, --url and other common options, and a help text that ends with an example.
import { type Command, Option } from 'commander';
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
  readonly as?: string;
  readonly debug?: boolean;
  readonly absolute?: boolean;
}

export interface CommandText {
  /** With its arguments, in commander's notation. */
  readonly name: string;
  readonly summary: string;
  /** In the list of commands, if the summary is too long for it. */
  readonly brief?: string;
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

export const COMMON_OPTIONS = 'Common options:';

export function defineCommand(
  parent: Command,
  { name, summary, brief = '', example, local, ownJson, isDefault, hidden }: CommandText,
): Command {
  const command = parent
    .command(name, { isDefault: isDefault === true, hidden: hidden === true })
    .description(summary)
    .summary(brief);
  const common = [
    ...(ownJson ? [] : [new Option('--json', 'print JSON')]),
    new Option('--jq <expression>', 'filter the JSON output with a jq expression'),
    new Option('--absolute', 'on a terminal: print times as dates, not as "2 hours ago"'),
    ...(local
      ? []
      : [
          new Option('--url <url>', 'address of the service (default: SERVICE_URL, then the sign-in in use)'),
          new Option('--as <sign-in>', 'use another sign-in for this command; see servicectl auth'),
          new Option('--debug', 'print a line per request: status, time and ID, never a secret or a body'),
        ]),
  ];
  for (const option of common) command.addOption(option.helpGroup(COMMON_OPTIONS));
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

export const ENVIRONMENT = ['--environment <environment>', 'environment of the workspace that it works in'] as const;

export const WORKSPACE = [
  '--workspace <workspace>',
  "workspace, by ID or slug (default: the one in use, then the token's, then Default)",
] as const;

/** The command that a group runs when no subcommand is given. */
export function defaultOf(group: Command): Command | undefined {
  const { _defaultCommandName: name } = group as unknown as { readonly _defaultCommandName?: string | null };
  return group.commands.find((one) => one.name() === name);
}
