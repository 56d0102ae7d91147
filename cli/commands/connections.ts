import type { Command } from 'commander';
import { findAccount } from '../account.ts';
import { inWorkspace, openConnect, selectorOf } from '../connections-api.ts';
import { type Cli, type Common, defineCommand, defineGroup, WORKSPACE } from '../define-command.ts';
import { addConnectionPolicy } from './connection-policy.ts';

export function addConnections(program: Command, cli: Cli): void {
  const group = defineGroup(program, {
    name: 'connections',
    summary: 'The connected apps of a workspace: list (the default), policy',
    example: 'servicectl connections --workspace research',
  });
  defineCommand(group, {
    name: 'list',
    summary: 'List the connected apps of a workspace',
    example: 'servicectl connections list --workspace research',
    isDefault: true,
  })
    .option(...WORKSPACE)
    .action((options: Common & { workspace?: string }) => connections(cli, options));
  addConnectionPolicy(group, cli);
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
