import type { Command } from 'commander';
import { type Account, findAccount, requireToken } from '../account.ts';
import { sendForJson } from '../api/send.ts';
import { type Cli, type Common, defineCommand, WORKSPACE } from '../define-command.ts';
import type { ListedModel } from '../../src/contract/models.ts';

interface Options extends Common {
  readonly workspace?: string;
  readonly all?: boolean;
  readonly prices?: boolean;
}

interface ShownModel {
  readonly id: string;
  readonly name: string;
  readonly providers: readonly string[];
  readonly allowed: boolean;
  readonly denials: readonly string[];
  readonly price: ListedModel['price'];
  readonly prices?: ListedModel['prices'] | undefined;
}

export function addModels(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: 'models',
    summary: 'List the models that you can use',
    example: 'servicectl models --all',
  })
    .option(...WORKSPACE)
    .option('--all', 'also list models that the policy denies, with the reasons (needs a sign-in, not just a token)')
    .option('--prices', 'show every price with its source and date (needs a sign-in, not just a token)')
    .action((options: Options) => models(cli, options));
}

async function models({ host, output }: Cli, options: Options): Promise<void> {
  const account = await findAccount(host, options);
  const found = await listModels(account, options);
  const shown = options.all ? found : found.filter(({ allowed }) => allowed);
  if (options.json) return output.json({ models: shown });
  if (options.prices)
    return output.table(
      ['MODEL', 'PROVIDER', 'INPUT ABOVE', 'USD PER 1M IN', 'OUT', 'CACHE READ', 'CACHE WRITE', 'DATE', 'SOURCE'],
      shown.flatMap(({ id, prices = [] }) =>
        prices.flatMap(({ longInput, ...price }) =>
          [{ ...price, aboveTokens: undefined }, ...(longInput ? [{ ...price, ...longInput }] : [])].map((row) => [
            id,
            row.provider,
            row.aboveTokens === undefined ? '-' : String(row.aboveTokens),
            String(row.input),
            String(row.output),
            String(row.cacheRead),
            String(row.cacheWrite),
            row.date ?? '-',
            row.source,
          ]),
        ),
      ),
    );
  output.table(
    ['MODEL', 'NAME', 'PROVIDERS', 'USD IN/OUT PER 1M TOKENS', ...(options.all ? ['POLICY'] : [])],
    shown.map(({ id, name, providers, price, allowed, denials }) => [
      id,
      name,
      providers.join(','),
      price ? describePrice(price) : '-',
      ...(options.all ? [allowed ? 'allowed' : denials.join(',')] : []),
    ]),
  );
}

function describePrice({ input, output, longInput }: NonNullable<ListedModel['price']>): string {
  const long = longInput && `; input above ${longInput.aboveTokens}: ${longInput.input}/${longInput.output}`;
  return `${input}/${output}${long ?? ''}`;
}

interface V1Price {
  readonly input: number;
  readonly output: number;
  readonly long_input?: { readonly above_tokens: number; readonly input: number; readonly output: number };
}

interface V1Model {
  readonly id: string;
  readonly display_name?: string;
  readonly owned_by: string;
  readonly providers?: readonly string[];
  readonly price?: V1Price | null;
}

function readPrice({ input, output, long_input: long }: V1Price): NonNullable<ListedModel['price']> {
  if (!long) return { input, output };
  return { input, output, longInput: { aboveTokens: long.above_tokens, input: long.input, output: long.output } };
}

/** With a session this includes denied models and every price; with a token only the models it may use. */
async function listModels(account: Account, { workspace, all, prices: withPrices }: Options): Promise<ShownModel[]> {
  if (account.session === undefined && !all && !withPrices) {
    const { data } = await sendForJson<{ data: V1Model[] }>(account.url, '/v1/models', {
      bearer: requireToken(account),
      ...(workspace === undefined ? {} : { headers: { 'x-service-workspace': workspace } }),
    });
    return data.map(({ id, display_name: name, owned_by: owner, providers = [owner], price }) => ({
      id,
      name: name ?? id,
      providers,
      allowed: true,
      denials: [],
      price: price ? readPrice(price) : null,
    }));
  }
  const { webClient } = await import('../api/typed-clients.ts');
  const organization = account.stored?.organization?.id;
  const { models: listed } = await webClient(account).models.list(
    workspace !== undefined ? { workspace } : organization !== undefined ? { organization } : {},
  );
  return listed.map(({ id, name, providers, allowed, denials, price, prices }) => ({
    id,
    name,
    providers,
    allowed,
    denials,
    price,
    prices,
  }));
}
