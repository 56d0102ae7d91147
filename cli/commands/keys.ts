import type { Command } from 'commander';
import { type Account, findAccount } from '../account.ts';
import type { WebClient } from '../api/typed-clients.ts';
import { runAdmin } from '../run-admin.ts';
import { type Cli, type Common, defineCommand, defineGroup } from '../define-command.ts';
import { Failure, usage } from '../failure.ts';
import type { KeyUse, UnusedReason } from '../../src/contract/key-use.ts';

interface Options extends Common {
  readonly workspace?: string;
  readonly keyFile?: string;
  readonly fromEnv?: string | true;
}

interface Rewrapped {
  readonly moved: number;
  readonly kept: number;
  readonly lost: number;
}

export const KEY_SCOPE = [
  '--workspace <workspace>',
  'workspace, by id or slug; global means the whole organization',
  'global',
] as const;
export const OLD_KEY = 'BYOK_ENCRYPTION_KEY_B64_OLD';

/** What to do about a key that no request uses. */
const NEXT_IF_UNUSED = {
  organization_has_no_key: (provider) =>
    `Save a key for the organization too: servicectl keys save ${provider} --workspace global`,
  provider_disabled: () => 'An owner or admin can allow the provider on the Models page of the organization settings.',
  provider_not_callable: () =>
    'Save a Models account that routes its models: servicectl models-account save <base-url>',
  undecryptable: (provider) => `Remove the key and save it again: servicectl keys remove ${provider}`,
} as const satisfies Record<UnusedReason, (provider: string) => string>;

export function addKeys(program: Command, cli: Cli): void {
  const keys = defineGroup(program, {
    name: 'keys',
    summary: 'Provider keys of your own: list (the default), save, remove, inherit; for operators: rewrap',
    example: 'servicectl keys --workspace default',
  });
  defineCommand(keys, {
    name: 'list',
    summary: 'Which providers have a key at a scope, and which requests use it',
    example: 'servicectl keys list --workspace default',
    isDefault: true,
  })
    .option(...KEY_SCOPE)
    .action((options: Options) => list(cli, options));
  defineCommand(keys, {
    name: 'save <provider>',
    summary:
      'Validate and store a key; it is read from standard input, a file or a hidden prompt, never from the command line',
    example: 'servicectl keys save openai < key.txt',
  })
    .option(...KEY_SCOPE)
    .option('--key-file <file>', 'file that holds the key (- for standard input)')
    .action((provider: string, options: Options) => save(cli, provider, options));
  defineCommand(keys, { name: 'remove <provider>', summary: 'Remove a key', example: 'servicectl keys remove openai' })
    .option(...KEY_SCOPE)
    .action((provider: string, options: Options) => remove(cli, provider, options));
  defineCommand(keys, {
    name: 'inherit [on-or-off]',
    summary: "Show or set whether workspaces without a key of their own use the organization's in chat",
    example: 'servicectl keys inherit on',
  }).action((value: string | undefined, options: Options) => inherit(cli, value, options));
  defineCommand(keys, {
    name: 'rewrap',
    summary: 'For operators, on the server: move every stored key to the new wrapping key, all or nothing',
    example: `${OLD_KEY}=<old> BYOK_ENCRYPTION_KEY_B64=<new> servicectl keys rewrap --from-env`,
    local: true,
  })
    .option(
      '--from-env [variable]',
      `the variable that holds the old wrapping key (default: ${OLD_KEY}); BYOK_ENCRYPTION_KEY_B64 holds the new one`,
    )
    .action((options: Options) => rewrap(cli, options));
}

async function scopeOf(
  { host }: Cli,
  options: Options,
): Promise<{ account: Account; place: { organization?: string; workspace: string } }> {
  const account = await findAccount(host, options);
  const organization = account.stored?.organization?.id;
  return {
    account,
    place: { ...(organization === undefined ? {} : { organization }), workspace: options.workspace ?? 'global' },
  };
}

async function list(cli: Cli, options: Options): Promise<void> {
  const { account, place } = await scopeOf(cli, options);
  const { webClient } = await import('../api/typed-clients.ts');
  const { providers } = await webClient(account).providerKeys.list(place);
  if (options.json) return cli.output.json({ workspace: place.workspace, providers });
  const { summarizeKeyUse } = await import('../../src/contract/key-use.ts');
  cli.output.table(
    ['PROVIDER', 'KEY', 'FINGERPRINT', 'UPDATED', 'USED BY'],
    providers.map(({ provider, configured, undecryptable, fingerprint, updatedAt, use }) => [
      provider,
      undecryptable ? 'undecryptable' : configured ? 'configured' : 'none',
      fingerprint ?? '-',
      updatedAt ?? '-',
      use ? summarizeKeyUse(use) : '-',
    ]),
  );
}

async function save(cli: Cli, provider: string, options: Options): Promise<void> {
  const { account, place } = await scopeOf(cli, options);
  const { webClient } = await import('../api/typed-clients.ts');
  const client = webClient(account);
  await requireProvider(client, provider, place);
  const key = await readKey(cli, provider, options);
  const answer = await client.providerKeys.save({ provider, ...place, key });
  if (options.json) return cli.output.json(answer);
  cli.output.say(answer.message);
  await sayUse(cli, provider, answer.use);
}

/** What was typed for a provider may be the key: a name that the service does not know is neither sent nor repeated. */
async function requireProvider(
  client: WebClient,
  provider: string,
  place: { organization?: string; workspace: string },
): Promise<void> {
  const { providers } = await client.providerKeys.list(place);
  if (providers.some((one) => one.provider === provider)) return;
  throw new Failure('the service knows no provider of that name', {
    error: 'provider_not_found',
    next: `It knows: ${providers.map((one) => one.provider).join(', ')}. The key itself is piped in, or asked for.`,
  });
}

/** Which requests the key serves, and what would make it serve more. */
async function sayUse({ output }: Cli, provider: string, use: KeyUse): Promise<void> {
  const { describeKeyUse, leavesOutChat } = await import('../../src/contract/key-use.ts');
  output.say(describeKeyUse(use));
  const next = leavesOutChat(use)
    ? 'To let every workspace without a key of its own use it, run: servicectl keys inherit on'
    : use.unused && NEXT_IF_UNUSED[use.unused](provider);
  if (next !== undefined) output.say(`  → ${next}`);
}

async function inherit(cli: Cli, value: string | undefined, options: Options): Promise<void> {
  if (value !== undefined && value !== 'on' && value !== 'off')
    throw usage('keys inherit takes on or off', 'For example: servicectl keys inherit on');
  const { account, place } = await scopeOf(cli, options);
  const { webClient } = await import('../api/typed-clients.ts');
  const { policy } = webClient(account);
  const org = place.organization;
  if (org === undefined)
    throw new Failure('this sign-in names no organization', {
      next: 'Run: servicectl login --organization <organization>',
    });
  const { inheritOrganizationKeys, providerKeySummary } =
    value === undefined
      ? await policy.show({ org })
      : await policy.update({ org, inheritOrganizationKeys: value === 'on' });
  if (options.json) return cli.output.json({ inheritOrganizationKeys, providerKeySummary });
  if (value === undefined) return cli.output.line(inheritOrganizationKeys ? 'on' : 'off');
  cli.output.say(
    inheritOrganizationKeys
      ? "Workspaces without a key of their own use the organization's keys."
      : "Workspaces no longer use the organization's keys.",
  );
  const hasKey = providerKeySummary !== null && Object.values(providerKeySummary).includes(true);
  if (inheritOrganizationKeys && !hasKey)
    cli.output.say('  → The organization has no key yet. Save one with: servicectl keys save openai');
}

/** From standard input, a file or a hidden prompt, never from the command line. */
export async function readKey(
  { host, output }: Cli,
  what: string,
  { keyFile }: Pick<Options, 'keyFile'>,
): Promise<string> {
  const { readNamed } = await import('../read-input.ts');
  if (keyFile !== undefined) return (await readNamed(host, keyFile)).trim();
  if (!host.stdin.isTTY) return (await readNamed(host, '-')).trim();
  if (!output.interactive)
    throw usage(
      'the key cannot be asked for here: this is not a terminal',
      'Name a file with --key-file, or pipe the key in.',
    );
  const { askHidden } = await import('../ask.ts');
  return askHidden(host, `Key for ${what} (it is not shown): `);
}

async function remove(cli: Cli, provider: string, options: Options): Promise<void> {
  const { account, place } = await scopeOf(cli, options);
  const { webClient } = await import('../api/typed-clients.ts');
  const client = webClient(account);
  await requireProvider(client, provider, place);
  const answer = await client.providerKeys.remove({ params: { provider }, query: place });
  if (options.json) cli.output.json(answer);
  else cli.output.say(answer.message);
}

async function rewrap(cli: Cli, { fromEnv, json }: Options): Promise<void> {
  if (fromEnv === undefined)
    throw usage(
      'keys rewrap needs --from-env',
      `Put the old wrapping key into ${OLD_KEY} and the new one into BYOK_ENCRYPTION_KEY_B64.`,
    );
  const counts = await runAdmin<Record<string, Rewrapped>>(cli, 'rewrap-keys', {
    from: fromEnv === true ? OLD_KEY : fromEnv,
  });
  if (json) return cli.output.json(counts);
  cli.output.table(
    ['SECRETS', 'MOVED', 'ALREADY THERE', 'LOST'],
    Object.entries(counts).map(([name, { moved, kept, lost }]) => [name, String(moved), String(kept), String(lost)]),
  );
  if (Object.values(counts).some(({ lost }) => lost > 0))
    cli.output.say('Lost ones open under neither key: their owners have to enter them again.');
}
