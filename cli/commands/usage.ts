import type { Command } from 'commander';
import { findAccount } from '../account.ts';
import { type Cli, type Common, defineCommand } from '../define-command.ts';
import { usage as usageFailure } from '../failure.ts';
import { organizationOf } from '../organization-of.ts';
import type { OrganizationUsage } from '../../src/contract/usage.ts';

interface Options extends Common {
  readonly days: string;
  readonly byDay?: boolean;
}

type Day = OrganizationUsage['days'][number];

export function addUsage(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: 'usage',
    summary: "Show your organization's usage: plan, seats, credit, and tokens and cost by model",
    example: 'servicectl usage --days 7 --by-day',
  })
    .option('--days <days>', 'number of days up to today, 1 to 366', '30')
    .option('--by-day', 'show a row per day, newest first')
    .action((options: Options) => usage(cli, options));
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
        'COST',
      ],
      rows.map((row) => [
        ...(options.byDay ? [row.date] : []),
        row.model,
        row.provider,
        row.credential,
        String(row.requests),
        String(row.inputTokens),
        String(row.outputTokens),
        dollars(row.cost),
      ]),
    );
}

/** Sums the days per model, provider and payer, the most expensive first. */
function byModel(days: readonly Day[]): Day[] {
  const sums = new Map<string, Day>();
  for (const day of days) {
    const key = [day.model, day.provider, day.credential].join('\n');
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

function dollars(amount: number): string {
  return `$${amount.toFixed(amount !== 0 && Math.abs(amount) < 1 ? 4 : 2)}`;
}

function megabytes(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
