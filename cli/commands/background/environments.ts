import type { Command } from 'commander';
import type { EnvironmentContent, EnvironmentOnWire } from '../../../src/contract/environments/environments.ts';
import { findAccount, requireToken } from '../../account.ts';
import type { RuntimeClient } from '../../api/typed-clients.ts';
import { confirm, YES } from '../../confirm.ts';
import { inWorkspace } from '../../connections-api.ts';
import { type Cli, type Common, defineCommand, defineGroup, WORKSPACE } from '../../define-command.ts';
import { Failure, usage } from '../../failure.ts';

interface Placed extends Common {
  readonly workspace?: string;
}
interface ListOptions extends Placed {
  readonly limit: string;
  readonly cursor?: string;
}

const PAGE_MAX = 200;

export function addEnvironments(program: Command, cli: Cli): void {
  const group = defineGroup(program, {
    name: 'environments',
    summary: 'What runs of a workspace work in: list (the default), show, set, secret, setup, rebuild, delete',
    example: 'servicectl environments set node environment.json',
  });
  defineCommand(group, {
    name: 'list',
    summary: 'List the environments of your workspaces, by name',
    example: 'servicectl environments list --workspace research',
    isDefault: true,
  })
    .option('--workspace <workspace>', 'only those of this workspace, by ID or slug')
    .option('--limit <count>', `how many to show, at most ${PAGE_MAX}`, '50')
    .option('--cursor <cursor>', 'continue from the previous page')
    .action((options: ListOptions) => list(cli, options));
  defineCommand(group, {
    name: 'show <environment>',
    summary: 'Print an environment as a file that set takes; of secrets, the names',
    example: 'servicectl environments show node > environment.json',
  })
    .option(...WORKSPACE)
    .action((name: string, options: Placed) => show(cli, name, options));
  defineCommand(group, {
    name: 'set <environment> <file>',
    summary:
      'Make or replace an environment from a JSON file (- reads standard input); secrets that it leaves out stay',
    example: 'servicectl environments set node environment.json',
  })
    .option(...WORKSPACE)
    .action((name: string, file: string, options: Placed) => set(cli, { name, file }, options));
  defineCommand(group, {
    name: 'secret <environment> <name>',
    summary: 'Set a secret of an environment: asks for it, or reads standard input',
    example: 'servicectl environments secret node NPM_TOKEN < token.txt',
  })
    .option('--remove', 'remove it instead')
    .option(...WORKSPACE)
    .action((name: string, secret: string, options: Placed & { remove?: true }) =>
      setSecret(cli, { name, secret }, options),
    );
  defineCommand(group, {
    name: 'setup <environment>',
    summary: 'Print what the setup script of an environment printed when it was last run',
    example: 'servicectl environments setup node',
  })
    .option(...WORKSPACE)
    .action((name: string, options: Placed) => showSetup(cli, name, options));
  defineCommand(group, {
    name: 'rebuild <environment>',
    summary: 'Run the setup script again, before the next run that needs it',
    example: 'servicectl environments rebuild node',
  })
    .option(...WORKSPACE)
    .action((name: string, options: Placed) => rebuild(cli, name, options));
  defineCommand(group, {
    name: 'delete <environment>',
    summary: 'Delete an environment, with its secrets',
    example: 'servicectl environments delete node --yes',
  })
    .option(...WORKSPACE)
    .option(...YES)
    .action((name: string, options: Placed & { yes?: boolean }) => remove(cli, name, options));
}

async function open({ host }: Cli, options: Common): Promise<RuntimeClient['environments']> {
  const account = await findAccount(host, options);
  requireToken(account);
  const { runtimeClient } = await import('../../api/typed-clients.ts');
  return runtimeClient(account).environments;
}

async function list(cli: Cli, options: ListOptions): Promise<void> {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_MAX)
    throw usage(`--limit takes a whole number from 1 to ${PAGE_MAX}`);
  const client = await open(cli, options);
  const found = await client.list({
    limit,
    ...inWorkspace(options.workspace),
    ...(options.cursor === undefined ? {} : { cursor: options.cursor }),
  });
  if (options.json) return cli.output.json(found);
  if (found.environments.length === 0)
    cli.output.say('There are no environments. To make one: servicectl environments set <name> <file>');
  cli.output.table(
    ['NAME', 'WORKSPACE', 'VARIABLES', 'SECRETS', 'HOSTS'],
    found.environments.map((one) => [
      one.name,
      one.workspace,
      Object.keys(one.variables).join(' ') || '-',
      one.secrets.join(' ') || '-',
      [...new Set([...one.hosts, ...one.writableHosts])].join(' ') || '-',
    ]),
  );
  if (found.cursor !== undefined) cli.output.say(`To see more: servicectl environments list --cursor ${found.cursor}`);
}

async function show(cli: Cli, name: string, options: Placed): Promise<void> {
  const { environment } = await (await open(cli, options)).get({ name, ...inWorkspace(options.workspace) });
  if (options.json) return cli.output.json({ environment });
  cli.output.line(JSON.stringify(contentOf(environment), undefined, 2));
  if (environment.secrets.length > 0) cli.output.say(`Its secrets: ${environment.secrets.join(', ')}`);
}

/** Without its secrets: what is left out of them stays. */
function contentOf({ setup, variables, secretVariables, hosts, writableHosts, repository, limits }: EnvironmentOnWire) {
  return {
    ...(setup === undefined ? {} : { setup }),
    variables,
    secretVariables,
    hosts,
    writableHosts,
    ...(repository === undefined ? {} : { repository }),
    limits,
  };
}

async function set(
  cli: Cli,
  { name, file }: { readonly name: string; readonly file: string },
  options: Placed,
): Promise<void> {
  const { readNamed } = await import('../../read-input.ts');
  const body = readContent(await readNamed(cli.host, file), file);
  await put(cli, name, body, options);
}

function readContent(text: string, file: string): EnvironmentContent {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // The text may hold secrets: it is not repeated.
  }
  throw new Failure(`${file} is not a JSON object`, {
    next: 'It has setup, variables, secrets, secretVariables, hosts, writableHosts, repository and limits, all optional.',
  });
}

async function put(cli: Cli, name: string, body: EnvironmentContent, options: Placed): Promise<void> {
  const client = await open(cli, options);
  const { environment } = await client.put({ params: { name }, query: inWorkspace(options.workspace), body });
  if (options.json) return cli.output.json({ environment });
  cli.output.say(`Saved the environment ${name}. To use it: servicectl run "…" --environment ${name}`);
}

async function setSecret(
  cli: Cli,
  { name, secret }: { readonly name: string; readonly secret: string },
  options: Placed & { readonly remove?: true },
): Promise<void> {
  const client = await open(cli, options);
  const { environment } = await client.get({ name, ...inWorkspace(options.workspace) });
  const value = options.remove ? null : await readSecret(cli, secret);
  const content = contentOf(environment);
  const secretVariables = options.remove
    ? content.secretVariables.filter((one) => one !== secret)
    : content.secretVariables;
  await put(cli, name, { ...content, secretVariables, secrets: { [secret]: value } }, options);
}

async function showSetup(cli: Cli, name: string, options: Placed): Promise<void> {
  const { setups } = await (await open(cli, options)).setup({ name, ...inWorkspace(options.workspace) });
  if (options.json) return cli.output.json({ setups });
  const [last] = setups;
  if (!last) return cli.output.say('The setup script has not run yet: the next run in this environment runs it.');
  cli.output.say(`${last.state} since ${last.endedAt ?? last.startedAt}`);
  cli.output.line(last.log.trimEnd());
}

async function rebuild(cli: Cli, name: string, options: Placed): Promise<void> {
  const client = await open(cli, options);
  await client.rebuild({ params: { name }, query: inWorkspace(options.workspace) });
  if (options.json) return cli.output.json({ rebuilt: name });
  cli.output.say(`The next run in ${name} runs its setup script again.`);
}

async function readSecret({ host, output }: Cli, name: string): Promise<string> {
  if (output.interactive) return (await import('../../ask.ts')).askHidden(host, `${name} (hidden): `);
  return (await (await import('../../read-input.ts')).readStdin(host)).trim();
}

async function remove(cli: Cli, name: string, options: Placed & { readonly yes?: boolean }): Promise<void> {
  const client = await open(cli, options);
  await confirm(cli, `Delete the environment ${name} with its secrets?`, options);
  await client.remove({ params: { name }, query: inWorkspace(options.workspace) });
  if (options.json) return cli.output.json({ deleted: name });
  cli.output.say(`Deleted the environment ${name}.`);
}
