import type { Command } from 'commander';
import { type Account, findAccount } from '../account.ts';
import {
  type ListedConnection,
  type ListedConnector,
  discoverTools,
  inWorkspace,
  matchesSelector,
  openConnect,
  selectorOf,
  type ListedTool,
} from '../connections-api.ts';
import { type Cli, type Common, defineCommand, WORKSPACE } from '../define-command.ts';
import { Failure } from '../failure.ts';

interface Options extends Common {
  readonly workspace?: string;
  readonly all?: boolean;
}

interface Shown {
  readonly connection: string;
  readonly tools: readonly ListedTool[];
  /** Why the list may be incomplete. */
  readonly note?: string;
}

export function addTools(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: 'tools [connection]',
    summary: 'List the tools of your connections, or of one',
    example: 'servicectl tools github:work --json',
  })
    .option(...WORKSPACE)
    .option('--all', 'all apps of the catalogue, connected or not')
    .action((selector: string | undefined, options: Options) => tools(cli, selector, options));
}

async function tools({ host, output }: Cli, selector: string | undefined, options: Options): Promise<void> {
  const account = await findAccount(host, options);
  const connect = await openConnect(account);
  const { connectors } = await connect.connectors(inWorkspace(options.workspace));
  const shown = options.all
    ? catalogue(connectors, selector)
    : await ofConnections(
        account,
        connectors,
        (await connect.list(inWorkspace(options.workspace))).connections,
        selector,
      );
  if (options.json)
    output.json({ tools: shown.flatMap(({ connection, tools: own }) => own.map((tool) => ({ connection, ...tool }))) });
  else
    output.table(
      ['CONNECTION', 'TOOL', 'ACCESS', 'ARGUMENTS', 'DESCRIPTION'],
      shown.flatMap(({ connection, tools: own }) =>
        own.map((tool) => [connection, tool.name, tool.access, describeArguments(tool.inputSchema), tool.description]),
      ),
    );
  if (shown.length === 0)
    output.say(
      'No apps are connected in this workspace. Connect one with: servicectl connect <provider>, or list the catalogue with: servicectl tools --all',
    );
  for (const { connection, note } of shown) if (note !== undefined) output.say(`The tools of ${connection} ${note}`);
}

function catalogue(connectors: readonly ListedConnector[], selector: string | undefined): Shown[] {
  const chosen = connectors.filter(({ id }) => selector === undefined || id === selector);
  if (chosen.length === 0)
    throw new Failure(`the catalogue has no app '${selector}'`, {
      error: 'connector_not_found',
      next: 'Run: servicectl tools --all',
    });
  return chosen.map(({ id, tools: own, surface }) => ({
    connection: id,
    tools: own,
    ...(surface === 'provider-mcp' ? { note: 'are listed by the app itself once it is connected.' } : {}),
  }));
}

async function ofConnections(
  account: Account,
  connectors: readonly ListedConnector[],
  connections: readonly ListedConnection[],
  selector: string | undefined,
): Promise<Shown[]> {
  const chosen = selector === undefined ? connections : connections.filter((one) => matchesSelector(one, selector));
  if (selector !== undefined && chosen.length === 0)
    throw new Failure(`there is no connection '${selector}' in this workspace`, {
      next: 'Run: servicectl connections, or servicectl tools --all for the whole catalogue.',
    });
  const found = await Promise.all(
    chosen.map(async (connection): Promise<Shown | undefined> => {
      const connector = connectors.find(({ id }) => id === connection.provider);
      if (!connector) return undefined;
      const named = { connection: selectorOf(connection) };
      if (connector.surface !== 'provider-mcp') return { ...named, tools: connector.tools };
      try {
        return { ...named, tools: await discoverTools(account, connection) };
      } catch (error) {
        // One unreachable app must not hide the tools of the others.
        if (selector !== undefined || !(error instanceof Failure)) throw error;
        return { ...named, tools: [], note: `could not be listed: ${error.message}` };
      }
    }),
  );
  return found.filter((one) => one !== undefined);
}

/** Optional ones in brackets. */
function describeArguments(schema: unknown): string {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, unknown>;
    required?: readonly string[];
  };
  return Object.keys(properties)
    .map((name) => (required.includes(name) ? name : `[${name}]`))
    .join(' ');
}
