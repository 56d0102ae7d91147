import type { Command } from 'commander';
import { type Account, findAccount } from '../../account.ts';
import type { WebClient } from '../../api/typed-clients.ts';
import { runAdmin } from '../../run-admin.ts';
import { type Cli, type Common, defineCommand, defineGroup } from '../../define-command.ts';
import { Failure, usage } from '../../failure.ts';
import { organizationOf } from '../../organization-of.ts';
import type { KeyUse, UnusedReason } from '../../../src/contract/key-use.ts';
import type { OrganizationPolicy } from '../../../src/contract/policy.ts';

interface Options extends Common {
  readonly workspace?: string;
  readonly keyFile?: string;
  readonly fromEnv?: string | true;
  readonly connections?: true;
}

type PolicySwitch = 'inheritOrganizationKeys' | 'allowUnlistedModels';

interface Rewrapped {
  readonly moved: number;
  readonly kept: number;
  readonly lost: number;
}

export const KEY_SCOPE = [
  '--workspace <workspace>',
  'workspace, by ID or slug; global means the whole organization',
  'global',
] as const;
/** What each of the two wrapping keys encrypts. */
const WRAPPED = {
  keys: 'BYOK_ENCRYPTION_KEY_B64',
  connections: 'SERVICE_CONNECTION_ENCRYPTION_KEY_B64',
} as const;
const OLD_KEY = `${WRAPPED.keys}_OLD`;

/** Advice for a key that no request uses. */
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
    summary: 'Your own provider keys: list (the default), save, remove, inherit, unlisted; for operators: rewrap',
    example: 'servicectl keys --workspace default',
  });
  defineCommand(keys, {
    name: 'list',
    summary: 'List the providers with a key for a workspace or the organization, and the requests that use it',
    example: 'servicectl keys list --workspace default',
    isDefault: true,
  })
    .option(...KEY_SCOPE)
    .action((options: Options) => list(cli, options));
  defineCommand(keys, {
    name: 'save <provider>',
    summary: 'Validate and store a key, read from standard input, a file or a hidden prompt',
    example: 'servicectl keys save openai < key.txt',
  })
    .option(...KEY_SCOPE)
    .option('--key-file <file>', 'file with the key (- for standard input)')
    .action((provider: string, options: Options) => save(cli, provider, options));
  defineCommand(keys, { name: 'remove <provider>', summary: 'Remove a key', example: 'servicectl keys remove openai' })
    .option(...KEY_SCOPE)
    .action((provider: string, options: Options) => remove(cli, provider, options));
  defineCommand(keys, {
    name: 'inherit [on-or-off]',
    summary: "Show or set whether workspaces without their own key use the organization's in chat",
    example: 'servicectl keys inherit on',
  }).action((value: string | undefined, options: Options) => inherit(cli, value, options));
  defineCommand(keys, {
    name: 'unlisted [on-or-off]',
    summary: 'Show or set whether own keys serve models of their provider that the catalogue does not list',
    example: 'servicectl keys unlisted on',
  }).action((value: string | undefined, options: Options) => unlisted(cli, value, options));
  defineCommand(keys, {
    name: 'rewrap',
    summary:
      'For operators, on the server: re-encrypt what is stored with a new wrapping key: provider keys, or connections and responses',
    example: `${OLD_KEY}=<old> BYOK_ENCRYPTION_KEY_B64=<new> servicectl keys rewrap --from-env`,
    local: true,
  })
    .option(
      '--from-env [variable]',
      `variable with the old wrapping key (default: ${OLD_KEY}); BYOK_ENCRYPTION_KEY_B64 has the new one`,
    )
    .option('--connections', `the key of connections and stored responses instead: ${WRAPPED.connections}, and _OLD`)
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
  const { webClient } = await import('../../api/typed-clients.ts');
  const { providers } = await webClient(account).providerKeys.list(place);
  if (options.json) return cli.output.json({ workspace: place.workspace, providers });
  const { summarizeKeyUse } = await import('../../../src/contract/key-use.ts');
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
  const { webClient } = await import('../../api/typed-clients.ts');
  const client = webClient(account);
  await requireProvider(client, provider, place);
  const key = await readKey(cli, provider, options);
  const answer = await client.providerKeys.save({ provider, ...place, key });
  if (options.json) return cli.output.json(answer);
  cli.output.say(answer.message);
  await sayUse(cli, provider, answer.use);
}

/** A key may have been typed instead of a provider, so an unknown name is neither sent nor repeated. */
async function requireProvider(
  client: WebClient,
  provider: string,
  place: { organization?: string; workspace: string },
): Promise<void> {
  const { providers } = await client.providerKeys.list(place);
  if (providers.some((one) => one.provider === provider)) return;
  throw new Failure('there is no provider with this name', {
    error: 'provider_not_found',
    next: `Choose one of: ${providers.map((one) => one.provider).join(', ')}. Pipe the key in, or type it when prompted.`,
  });
}

/** Says which requests use the key, and how to make more of them use it. */
async function sayUse({ output }: Cli, provider: string, use: KeyUse): Promise<void> {
  const { describeKeyUse, leavesOutChat } = await import('../../../src/contract/key-use.ts');
  output.say(describeKeyUse(use));
  const next = leavesOutChat(use)
    ? 'To let every workspace without its own key use this one, run: servicectl keys inherit on'
    : use.unused && NEXT_IF_UNUSED[use.unused](provider);
  if (next !== undefined) output.say(`  → ${next}`);
}

/** Shows or sets a switch of the organization's policy; returns the policy if there is something to say about it. */
async function switchPolicy(
  cli: Cli,
  { command, field, alsoShow }: { command: string; field: PolicySwitch; alsoShow?: 'providerKeySummary' },
  value: string | undefined,
  options: Options,
): Promise<OrganizationPolicy | undefined> {
  if (value !== undefined && value !== 'on' && value !== 'off')
    throw usage(`keys ${command} takes on or off`, `For example: servicectl keys ${command} on`);
  const account = await findAccount(cli.host, options);
  const { webClient } = await import('../../api/typed-clients.ts');
  const { policy } = webClient(account);
  const org = organizationOf(account);
  const now = value === undefined ? await policy.show({ org }) : await policy.update({ org, [field]: value === 'on' });
  if (options.json) cli.output.json({ [field]: now[field], ...(alsoShow ? { [alsoShow]: now[alsoShow] } : {}) });
  else if (value === undefined) cli.output.line(now[field] ? 'on' : 'off');
  else return now;
  return undefined;
}

async function inherit(cli: Cli, value: string | undefined, options: Options): Promise<void> {
  const shown = { command: 'inherit', field: 'inheritOrganizationKeys', alsoShow: 'providerKeySummary' } as const;
  const policy = await switchPolicy(cli, shown, value, options);
  if (!policy) return;
  const { inheritOrganizationKeys, providerKeySummary } = policy;
  cli.output.say(
    inheritOrganizationKeys
      ? "Workspaces without their own key now use the organization's keys."
      : "Workspaces no longer use the organization's keys.",
  );
  const hasKey = providerKeySummary !== null && Object.values(providerKeySummary).includes(true);
  if (inheritOrganizationKeys && !hasKey)
    cli.output.say('  → The organization has no key yet. Save one with: servicectl keys save openai');
}

async function unlisted(cli: Cli, value: string | undefined, options: Options): Promise<void> {
  const policy = await switchPolicy(cli, { command: 'unlisted', field: 'allowUnlistedModels' }, value, options);
  if (policy)
    cli.output.say(
      policy.allowUnlistedModels
        ? 'Own keys now serve models of their provider that the catalogue does not list. Their cost is unknown.'
        : 'Own keys now serve only models that the catalogue lists.',
    );
}

/** Reads a key from standard input, a file or a hidden prompt, never from the command line. */
export async function readKey(
  { host, output }: Cli,
  what: string,
  { keyFile }: Pick<Options, 'keyFile'>,
): Promise<string> {
  const { readNamed } = await import('../../read-input.ts');
  if (keyFile !== undefined) return (await readNamed(host, keyFile)).trim();
  if (!host.stdin.isTTY) return (await readNamed(host, '-')).trim();
  if (!output.interactive)
    throw usage('cannot prompt for the key: this is not a terminal', 'Pipe the key in, or use --key-file.');
  const { askHidden } = await import('../../ask.ts');
  return askHidden(host, `Key for ${what} (hidden): `);
}

async function remove(cli: Cli, provider: string, options: Options): Promise<void> {
  const { account, place } = await scopeOf(cli, options);
  const { webClient } = await import('../../api/typed-clients.ts');
  const client = webClient(account);
  await requireProvider(client, provider, place);
  const answer = await client.providerKeys.remove({ params: { provider }, query: place });
  if (options.json) cli.output.json(answer);
  else cli.output.say(answer.message);
}

async function rewrap(cli: Cli, { fromEnv, connections, json }: Options): Promise<void> {
  const what = connections === true ? 'connections' : 'keys';
  const [variable, old] = [WRAPPED[what], `${WRAPPED[what]}_OLD`];
  if (fromEnv === undefined)
    throw usage('keys rewrap needs --from-env', `Set ${old} to the old wrapping key and ${variable} to the new one.`);
  const counts = await runAdmin<Record<string, Rewrapped>>(cli, 'rewrap-keys', {
    from: fromEnv === true ? old : fromEnv,
    what,
  });
  if (json) return cli.output.json(counts);
  cli.output.table(
    ['SECRETS', 'REWRAPPED', 'UP TO DATE', 'LOST'],
    Object.entries(counts).map(([name, { moved, kept, lost }]) => [name, String(moved), String(kept), String(lost)]),
  );
  if (Object.values(counts).some(({ lost }) => lost > 0))
    cli.output.say(
      connections === true
        ? 'What is lost cannot be decrypted with either key: apps have to be connected again, conversations sent again.'
        : 'Lost secrets cannot be decrypted with either key: their owners have to save them again.',
    );
}
