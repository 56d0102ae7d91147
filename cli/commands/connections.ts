import type { Command } from 'commander';
import { findAccount } from '../account.ts';
import { inWorkspace, openConnect, selectorOf } from '../connections-api.ts';
import { type Cli, type Common, defineCommand, WORKSPACE } from '../define-command.ts';

export function addConnections(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: 'connections',
    summary: 'List the connected apps of a workspace',
    example: 'servicectl connections --workspace research',
  })
    .option(...WORKSPACE)
    .action((options: Common & { workspace?: string }) => connections(cli, options));
}

async function connections({ host, output }: Cli, options: Common & { workspace?: string }): Promise<void> {
  const connect = await openConnect(await findAccount(host, options));
  const { connections: found } = await connect.list(inWorkspace(options.workspace));
  if (options.json) return output.json({ connections: found });
  if (found.length === 0)
    output.say('No apps are connected in this workspace. Connect one with: servicectl connect <provider>');
  output.table(
    ['CONNECTION', 'STATUS', 'KIND', 'ID', 'UPDATED'],
    found.map((one) => [
      selectorOf(one),
      one.reason === undefined ? one.status : `${one.status} (${one.reason})`,
      one.kind,
      one.id,
      one.updatedAt,
    ]),
  );
}
