import type { Command } from 'commander';
import { findAccount } from '../account.ts';
import { type Connection, type Connector, inWorkspace, matchesSelector, openConnect, selectorOf } from '../connections-api.ts';
import { type Cli, type Common, defineCommand, WORKSPACE } from '../define-command.ts';
import { Failure } from '../failure.ts';

interface Options extends Common {
  readonly workspace?: string;
  readonly all?: boolean;
}

export function addTools(program: Command, cli: Cli): void {
  defineCommand(program, { name: 'tools [connection]', summary: 'List the tools of your connections, or of one', example: 'servicectl tools github:work --json' })
    .option(...WORKSPACE)
    .option('--all', 'every connector of the catalogue, connected or not')
    .action((selector: string | undefined, options: Options) => tools(cli, selector, options));
}

async function tools({ host, output }: Cli, selector: string | undefined, options: Options): Promise<void> {
  const connect = await openConnect(await findAccount(host, options));
  const { connectors } = await connect.connectors(inWorkspace(options.workspace));
  const shown = options.all ? connectors.filter(({ id }) => selector === undefined || id === selector).map((connector) => ({ connection: connector.id, connector })) : await ofConnections(connectors, (await connect.list(inWorkspace(options.workspace))).connections, selector);
  if (options.json) return output.json({ tools: shown.flatMap(({ connection, connector }) => connector.tools.map((tool) => ({ connection, ...tool }))) });
  const discovered = shown.filter(({ connector }) => connector.surface === 'provider-mcp').map(({ connection }) => connection);
  if (discovered.length > 0) output.say(`The tools of ${discovered.join(', ')} are found at the app itself: call them by the names it gives.`);
  output.table(['CONNECTION', 'TOOL', 'ACCESS', 'ARGUMENTS', 'DESCRIPTION'], shown.flatMap(({ connection, connector }) => connector.tools.map((tool) => [connection, tool.name, tool.access, describeArguments(tool.inputSchema), tool.description])));
}

async function ofConnections(connectors: readonly Connector[], connections: readonly Connection[], selector: string | undefined): Promise<{ connection: string; connector: Connector }[]> {
  const chosen = selector === undefined ? connections : connections.filter((one) => matchesSelector(one, selector));
  if (selector !== undefined && chosen.length === 0) throw new Failure(`nothing is connected here as '${selector}'`, { next: 'Run: servicectl connections, or servicectl tools --all for the whole catalogue.' });
  return chosen.flatMap((connection) => {
    const connector = connectors.find(({ id }) => id === connection.provider);
    return connector ? [{ connection: selectorOf(connection), connector }] : [];
  });
}

/** Required ones plain, the others in brackets. */
function describeArguments(schema: unknown): string {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, unknown>; required?: readonly string[] };
  return Object.keys(properties).map((name) => (required.includes(name) ? name : `[${name}]`)).join(' ');
}
