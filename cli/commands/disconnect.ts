import type { Command } from 'commander';
import { findAccount } from '../account.ts';
import { confirm, YES } from '../confirm.ts';
import { getConnection, inWorkspace, openConnect, selectorOf } from '../connections-api.ts';
import { type Cli, type Common, defineCommand, WORKSPACE } from '../define-command.ts';

interface Options extends Common {
  readonly workspace?: string;
  readonly yes?: boolean;
}

export function addDisconnect(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: 'disconnect <connection>',
    summary: 'Remove a connection, also at the integration provider',
    example: 'servicectl disconnect github:work --yes',
  })
    .option(...YES)
    .option(...WORKSPACE)
    .action((selector: string, options: Options) => disconnect(cli, selector, options));
}

async function disconnect(cli: Cli, selector: string, options: Options): Promise<void> {
  const { host, output } = cli;
  const connect = await openConnect(await findAccount(host, options));
  const connection = await getConnection(connect, selector, options.workspace);
  const name = selectorOf(connection);
  await confirm(cli, `Disconnect ${name}? This also deletes its policy.`, options);
  await connect.remove({ params: { id: connection.id }, query: inWorkspace(options.workspace) });
  if (options.json) return output.json({ disconnected: { id: connection.id, connection: name } });
  output.say(`Disconnected ${name}.`);
}
