import type { Command } from 'commander';
import { findAccount } from '../account.ts';
import { getConnection, inWorkspace, openConnect, selectorOf } from '../connections-api.ts';
import { type Cli, type Common, defineCommand, WORKSPACE } from '../define-command.ts';
import { Failure, usage } from '../failure.ts';

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
    .option('--yes', 'do not ask for confirmation')
    .option(...WORKSPACE)
    .action((selector: string, options: Options) => disconnect(cli, selector, options));
}

async function disconnect({ host, output }: Cli, selector: string, options: Options): Promise<void> {
  const connect = await openConnect(await findAccount(host, options));
  const connection = await getConnection(connect, selector, options.workspace);
  const name = selectorOf(connection);
  if (!options.yes) {
    if (!output.interactive || options.json) throw usage('this needs --yes when it cannot ask for confirmation');
    const { ask } = await import('../ask.ts');
    const answer = await ask(host, `Disconnect ${name}? This also deletes its policy. (y/N) `);
    if (!/^y(?:es)?$/i.test(answer))
      throw new Failure(`${name} is still connected`, { error: 'not_confirmed', next: 'Nothing was changed.' });
  }
  await connect.remove({ params: { id: connection.id }, query: inWorkspace(options.workspace) });
  if (options.json) return output.json({ disconnected: { id: connection.id, connection: name } });
  output.say(`Disconnected ${name}.`);
}
