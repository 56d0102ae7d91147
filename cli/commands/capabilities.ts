import type { Command } from 'commander';
import { findAccount } from '../account.ts';
import { inWorkspace, openConnect } from '../connections-api.ts';
import { type Cli, type Common, defineCommand, WORKSPACE } from '../define-command.ts';

export function addCapabilities(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: 'capabilities',
    summary: 'List the capabilities that background runs and chat can use in a workspace',
    example: 'servicectl capabilities --json',
  })
    .option(...WORKSPACE)
    .action((options: Common & { workspace?: string }) => capabilities(cli, options));
}

async function capabilities({ host, output }: Cli, options: Common & { workspace?: string }): Promise<void> {
  const connect = await openConnect(await findAccount(host, options));
  const manifest = await connect.capabilities(inWorkspace(options.workspace));
  if (options.json) return output.json(manifest);
  if (manifest.status === 'offline')
    output.say('There are no capabilities yet. Connect an app with: servicectl connect <provider>');
  output.table(
    ['CAPABILITY', 'STATUS', 'PROVIDER', 'TRANSPORT', 'COMMAND', 'EXPIRES'],
    Object.entries(manifest.capabilities).map(([key, one]) => [
      key,
      one.status,
      one.provider,
      one.transport,
      one.command,
      one.expiresAt ?? '-',
    ]),
  );
}
