import type { Command } from 'commander';
import { matchesSearch } from '../../src/contract/connectors/matches-search.ts';
import { findAccount } from '../account.ts';
import { inWorkspace, openConnect, selectorOf } from '../connections-api.ts';
import { type Cli, type Common, defineCommand, WORKSPACE } from '../define-command.ts';

interface Options extends Common {
  readonly workspace?: string;
}

export function addApps(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: 'apps [search]',
    summary:
      'List the apps that can be connected and their connections; optionally those that match a word: a name, a category, a purpose',
    example: 'servicectl apps mail',
  })
    .option(...WORKSPACE)
    .action((search: string | undefined, options: Options) => apps(cli, search, options));
}

async function apps({ host, output }: Cli, search: string | undefined, options: Options): Promise<void> {
  const connect = await openConnect(await findAccount(host, options));
  const place = inWorkspace(options.workspace);
  const [{ connectors, configured }, { connections }] = await Promise.all([
    connect.connectors(place),
    connect.list(place),
  ]);
  const found = connectors
    .filter((connector) => matchesSearch(connector, search ?? ''))
    .map(({ id, name, category, auth, surface, tools }) => ({
      id,
      name,
      category,
      auth,
      surface,
      tools: tools.length,
      connections: connections.filter(({ provider }) => provider === id).map(selectorOf),
    }));
  if (options.json) return output.json({ apps: found });
  output.table(
    ['APP', 'NAME', 'CATEGORY', 'TOOLS', 'CONNECTED AS'],
    found.map(({ id, name, category, surface, tools, connections: own }) => [
      id,
      name,
      category,
      surface === 'provider-mcp' ? 'from app' : String(tools),
      own.length === 0 ? '-' : own.join(' '),
    ]),
  );
  if (found.length === 0) output.say('No app matches. Run: servicectl apps');
  if (!configured)
    output.say('Apps cannot be connected: the operator of the service has not set up the integration provider.');
}
