import { type Command, Option } from 'commander';
import { findAccount } from '../account.ts';
import { getConnection, inWorkspace, openConnect, selectorOf } from '../connections-api.ts';
import { type Cli, type Common, defineCommand, WORKSPACE } from '../define-command.ts';
import { usage } from '../failure.ts';

interface Options extends Common {
  readonly workspace?: string;
  readonly enable?: string[];
  readonly disable?: string[];
  readonly repository?: string[];
  readonly anyRepository?: boolean;
  readonly push?: 'off' | 'branches';
}

const REPOSITORY = /^[^/\s]+(?:\/[^/\s]+)+$/;

export function addConnectionPolicy(connections: Command, cli: Cli): void {
  defineCommand(connections, {
    name: 'policy <connection>',
    summary: 'Show or change what a connection may be used for',
    example: 'servicectl connections policy github --enable create-issue',
  })
    .option('--enable <tool...>', 'tools to allow')
    .option('--disable <tool...>', 'tools to deny')
    .option('--repository <owner/name...>', 'restrict tools to these repositories; replaces the previous list')
    .option('--any-repository', 'allow every repository that the account can access')
    .addOption(
      new Option('--push <right>', 'whether runs may have branches pushed, each to one of its own').choices([
        'off',
        'branches',
      ]),
    )
    .option(...WORKSPACE)
    .action((selector: string, options: Options) => policy(cli, selector, options));
}

async function policy({ host, output }: Cli, selector: string, options: Options): Promise<void> {
  const { enable = [], disable = [], repository, anyRepository, push, workspace } = options;
  const both = enable.find((tool) => disable.includes(tool));
  if (both !== undefined) throw usage(`${both} is both enabled and disabled`);
  if (repository && anyRepository) throw usage('use either --repository or --any-repository');
  if (repository?.some((name) => !REPOSITORY.test(name)))
    throw usage('--repository takes owner/name', 'For example: --repository acme/site');
  const connect = await openConnect(await findAccount(host, options));
  const connection = await getConnection(connect, selector, workspace);
  const place = { params: { id: connection.id }, query: inWorkspace(workspace) };
  const before = await connect.readPolicy(place);
  const changes =
    enable.length + disable.length > 0 || repository !== undefined || anyRepository === true || push !== undefined;
  requireTools([...enable, ...disable], Object.keys(before.actions), selector);
  const now = changes
    ? await connect.writePolicy({
        ...place,
        body: {
          ...(enable.length + disable.length === 0
            ? {}
            : {
                actions: {
                  ...before.actions,
                  ...Object.fromEntries([
                    ...enable.map((tool) => [tool, true]),
                    ...disable.map((tool) => [tool, false]),
                  ]),
                },
              }),
          ...(repository
            ? { repositories: { enforce: true, selected: repository } }
            : anyRepository
              ? { repositories: { ...before.repositories, enforce: false } }
              : {}),
          ...(push === undefined ? {} : { push }),
        },
      })
    : before;
  if (options.json) return output.json({ connection: selectorOf(connection), ...now });
  output.table(
    ['TOOL', 'ALLOWED'],
    Object.entries(now.actions).map(([tool, allowed]) => [tool, allowed ? 'yes' : 'no']),
  );
  output.say(
    now.repositories.enforce
      ? `Repositories: only ${now.repositories.selected.join(', ') || 'none'}.`
      : 'Repositories: all that the account can access.',
  );
  if (now.push === 'branches') output.say('Push: each run may have a branch of its own pushed.');
}

/** The service would store an unknown name without an error. */
function requireTools(named: readonly string[], known: readonly string[], selector: string): void {
  const unknown = named.find((tool) => !known.includes(tool));
  // For an app that lists its own tools, the policy does not name them all.
  if (unknown === undefined || known.length === 0) return;
  throw usage(`${selector} has no tool '${unknown}'`, `It has: ${known.join(', ')}`);
}
