import type { Command } from 'commander';
import { findAccount, requireToken } from '../account.ts';
import { sendForJson } from '../api/send.ts';
import { parseArguments, readArguments } from '../call/read-arguments.ts';
import { inWorkspace, matchesSelector, openConnect, type ListedTool } from '../connections-api.ts';
import { type Cli, type Common, defineCommand, WORKSPACE } from '../define-command.ts';
import { Failure, usage } from '../failure.ts';

interface Options extends Omit<Common, 'json'> {
  readonly arg: string[];
  readonly json?: string | true;
  readonly workspace?: string;
}

interface Answer {
  readonly ok: boolean;
  readonly status: number;
  readonly error?: string;
  readonly data?: unknown;
  readonly receipt?: { readonly stream: string; readonly index: number; readonly hash: string } | null;
}

const NOT_FOUND = 'integration action not found or disabled';
const CALL_TIMEOUT_MS = 45_000;

export function addCall(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: 'call <connection> <tool>',
    summary: 'Call a tool of a connected app; the arguments are checked before anything is sent',
    example: 'servicectl call github get-repository --arg owner=acme --arg repo=site',
    ownJson: true,
  })
    .option('--arg <name=value>', 'an argument; repeatable', (pair: string, before: string[]) => [...before, pair], [])
    .option(
      '--json [arguments]',
      'print the whole response as JSON; with a value, also read the arguments from it: a JSON object, @file, or - for standard input',
    )
    .option(...WORKSPACE)
    .action((connection: string, tool: string, options: Options) => call(cli, connection, tool, options));
}

async function call(cli: Cli, connection: string, tool: string, options: Options): Promise<void> {
  const { host, output } = cli;
  const account = await findAccount(host, options);
  const bearer = requireToken(account);
  if (typeof options.json === 'string' && options.arg.length > 0)
    throw usage('use either --arg or --json for the arguments, not both');
  const { tool: known, next } = await findTool(cli, connection, tool, options);
  const given =
    typeof options.json === 'string'
      ? parseArguments(await readJson(cli, options.json))
      : readArguments(options.arg, known?.inputSchema as Record<string, unknown> | undefined);
  if (known) (await import('../call/check-arguments.ts')).checkArguments(tool, known.inputSchema as object, given);
  const answer = await sendForJson<Answer>(account.url, '/connect/call', {
    bearer,
    body: { connection, tool, arguments: given, ...inWorkspace(options.workspace) },
    timeoutMs: CALL_TIMEOUT_MS,
  }).catch((error: unknown) => {
    throw error instanceof Failure && error.error === NOT_FOUND && next !== undefined
      ? new Failure(error.message, { exit: error.exit, error: NOT_FOUND, next })
      : error;
  });
  if (options.json !== undefined) output.json(answer);
  else {
    output.line(JSON.stringify(answer.data ?? null, undefined, 2));
    if (answer.receipt)
      output.say(`status ${answer.status}, receipt ${answer.receipt.index} of ${answer.receipt.stream}`);
  }
  if (answer.ok) return;
  if (answer.error === 'reconnect_required')
    throw new Failure('the app no longer accepts this connection', {
      error: answer.error,
      next: `Run: servicectl connect ${connection}`,
    });
  throw new Failure(`the app returned status ${answer.status}`, {
    error: answer.error ?? `status ${answer.status}`,
    next: 'Its response, above, says why.',
  });
}

/** The tool from the catalogue; if it is not there, advice in case the service does not know it either. */
async function findTool(
  { host }: Cli,
  selector: string,
  name: string,
  options: Options,
): Promise<{ tool?: ListedTool; next?: string }> {
  const connect = await openConnect(await findAccount(host, { url: options.url }));
  const place = inWorkspace(options.workspace);
  const { connectors } = await connect.connectors(place);
  const byName = connectors.find(({ id }) => id === selector.split(':')[0]?.trim());
  const connector = byName ?? (await byId());
  if (!connector)
    throw new Failure(`there is no connection '${selector}' in this workspace`, {
      next: 'Run: servicectl connections',
    });
  const tool = connector.tools.find((one) => one.name === name);
  if (tool) return { tool };
  if (connector.surface === 'provider-mcp')
    return { next: `Run: servicectl tools ${selector}, or ask an owner or admin to enable it.` };
  const names = connector.tools.map((one) => one.name).join(', ');
  return {
    next:
      names === ''
        ? `${connector.name} has no tools: background runs use it through its own command-line client.`
        : `${connector.name} has: ${names}`,
  };

  async function byId(): Promise<(typeof connectors)[number] | undefined> {
    const { connections } = await connect.list(place);
    const found = connections.find((one) => matchesSelector(one, selector));
    return connectors.find(({ id }) => id === found?.provider);
  }
}

async function readJson({ host }: Cli, value: string): Promise<string> {
  if (value === '-' || value.startsWith('@'))
    return (await import('../read-input.ts')).readNamed(host, value.replace(/^@/, ''));
  return value;
}
