import { withServed } from '../../src/contract/routes/with-served.ts';
import { type Command, Option } from 'commander';
import { findAccount } from '../account.ts';
import { type Cli, type Common, defineCommand } from '../define-command.ts';
import { usage as usageFailure } from '../failure.ts';
import { listAll } from '../list-all.ts';
import { organizationOf } from '../organization-of.ts';
import { send } from '../api/send.ts';
import type { SpendBy, SpendPage } from '../../src/contract/spend.ts';
import type { OrganizationUsage } from '../../src/contract/usage.ts';

interface Options extends Common {
  readonly days: string;
  readonly byDay?: boolean;
  readonly by?: SpendBy;
  readonly from?: string;
  readonly to?: string;
  readonly csv?: boolean;
  readonly mine?: boolean;
}

/** The same as in src/contract/spend.ts, which is loaded only on demand. */
export const BY = [
  'member',
  'workspace',
  'token',
  'model',
  'credential',
  'project',
  'day',
] as const satisfies readonly SpendBy[];

type Day = OrganizationUsage['days'][number];

export function addUsage(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: 'usage',
    summary: "Show your organization's usage: plan, seats, credit, and tokens and cost by model, or who spent what",
    example: 'servicectl usage --days 7 --by-day',
  })
    .option('--days <days>', 'number of days up to today, 1 to 366', '30')
    .option('--by-day', 'show a row per day, newest first')
    .addOption(new Option('--by <subject>', 'show who spent what, this month unless --from says otherwise').choices(BY))
    .option('--from <day>', 'with --by: the first day, such as 2026-03-01 (UTC)')
    .option('--to <day>', 'with --by: the last day')
    .option('--csv', 'with --by: print CSV')
    .option('--mine', 'show what you spent this month, and what is left under the caps that apply to you')
    .action((options: Options) =>
      options.mine ? mine(cli, options) : options.by ? spend(cli, options) : usage(cli, options),
    );
}

async function usage({ host, output }: Cli, options: Options): Promise<void> {
  const days = Number(options.days);
  if (!Number.isInteger(days) || days < 1 || days > 366) throw usageFailure('--days takes a number from 1 to 366');
  const account = await findAccount(host, options);
  const { webClient } = await import('../api/typed-clients.ts');
  const client = webClient(account);
  const found = await client.usage.show({ org: organizationOf(account), days });
  if (options.json) return output.json(found);
  const { plan, seats, signupCredit, seatBudget, storage, reserved, spent } = found;
  // In a pipe there is only one table, so that all lines have the same columns.
  if (output.watched) {
    output.table(
      ['', ''],
      [
        ['plan', plan],
        ['seats', `${seats.used} of ${seats.capacity}`],
        ['signup credit', `${dollars(signupCredit.remaining)} of ${dollars(signupCredit.granted)} left`],
        ['seat budget', `${dollars(seatBudget.remaining)} of ${dollars(seatBudget.monthly)} left this month`],
        ['spent', dollars(spent)],
        ['reserved', dollars(reserved)],
        ['storage', `${megabytes(storage.usedBytes)} of ${megabytes(storage.limitBytes)}`],
      ],
    );
    output.line('');
  }
  const rows = options.byDay ? found.days : byModel(found.days);
  if (rows.length === 0) output.say(`No usage in the last ${days === 1 ? 'day' : `${days} days`}.`);
  else
    output.table(
      [
        ...(options.byDay ? ['DAY'] : []),
        'MODEL',
        'PROVIDER',
        'PAID BY',
        'REQUESTS',
        'TOKENS IN',
        'TOKENS OUT',
        'CHARGED',
      ],
      rows.map((row) => [
        ...(options.byDay ? [row.date] : []),
        withServed(row.model, row.served),
        row.provider,
        row.credential,
        String(row.requests),
        String(row.inputTokens),
        String(row.outputTokens),
        dollars(row.cost),
      ]),
    );
}

async function spend({ host, output }: Cli, { by, from, to, csv, ...options }: Options): Promise<void> {
  const account = await findAccount(host, options);
  const org = organizationOf(account);
  const range = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  if (csv) {
    const query = new URLSearchParams({ by: by ?? 'member', ...range });
    const bearer = account.session;
    const response = await send(account.url, `/api/organizations/${encodeURIComponent(org)}/spend?${query}`, {
      ...(bearer === undefined ? {} : { bearer }),
      accept: 'text/csv',
    });
    return output.line((await response.text()).trimEnd());
  }
  const { webClient } = await import('../api/typed-clients.ts');
  const client = webClient(account);
  const pages: SpendPage[] = [];
  const rows = await listAll(
    async (cursor) => {
      const page = await client.spend.show({ org, by: by ?? 'member', ...range, ...cursor });
      pages.push(page);
      return page;
    },
    (page) => page.rows,
  );
  const [first] = pages;
  if (options.json)
    return output.json({ from: first?.from, to: first?.to, rows, total: first?.total, totals: first?.totals });
  if (rows.length === 0) return output.say(`No usage from ${first?.from} to ${first?.to}.`);
  output.table(
    ['NAME', 'REQUESTS', 'TOKENS IN', 'TOKENS OUT', 'AT LIST PRICE', 'ID'],
    rows.map((row) => [
      withServed(row.name, row.served),
      String(row.requests),
      String(row.inputTokens),
      String(row.outputTokens),
      costOf(row),
      row.key,
    ]),
  );
  output.say(
    `${first ? costOf(first.totals) : dollars(0)} at list price from ${first?.from} to ${first?.to} (UTC). Requests on own keys are billed by their provider.`,
  );
}

async function mine({ host, output }: Cli, options: Options): Promise<void> {
  const account = await findAccount(host, options);
  const { webClient } = await import('../api/typed-clients.ts');
  const found = await webClient(account).spend.mine({ organization: organizationOf(account) });
  if (options.json) return output.json(found);
  const spent = found.cost === 0 && found.unpriced > 0 ? 'an unknown amount' : costOf(found);
  output.say(`You spent ${spent} in ${found.month} (UTC), on own keys at list price.`);
  if (found.caps.length === 0) return output.say('No cap applies to you.');
  output.table(
    ['CAP ON', 'NAME', 'LEFT', 'OF', 'RESETS'],
    found.caps.map(({ subject, name, limit, remaining, resetsAt }) => [
      subject.kind,
      name,
      dollars(remaining),
      dollars(limit),
      resetsAt.slice(0, 10),
    ]),
  );
}

/** Sums the days per model, provider and payer, the most expensive first. */
function byModel(days: readonly Day[]): Day[] {
  const sums = new Map<string, Day>();
  for (const day of days) {
    const key = [day.model, day.served, day.provider, day.credential].join('\n');
    const sum = sums.get(key);
    sums.set(
      key,
      sum
        ? {
            ...sum,
            requests: sum.requests + day.requests,
            inputTokens: sum.inputTokens + day.inputTokens,
            outputTokens: sum.outputTokens + day.outputTokens,
            cost: sum.cost + day.cost,
          }
        : day,
    );
  }
  return [...sums.values()].sort((a, b) => b.cost - a.cost || b.requests - a.requests);
}

/** Requests whose price is unknown are counted beside the cost of the others, which is never zero. */
function costOf({ cost, unpriced }: Pick<SpendPage['totals'], 'cost' | 'unpriced'>): string {
  if (unpriced === 0) return dollars(cost);
  return cost === 0 ? 'unknown' : `${dollars(cost)} + ${unpriced} unknown`;
}

export function dollars(amount: number): string {
  return `$${amount.toFixed(amount !== 0 && Math.abs(amount) < 1 ? 4 : 2)}`;
}

function megabytes(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
