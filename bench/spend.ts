// Spending of a large organization: ten million requests of a thousand people in one month, rolled up, and how long the
// month's view takes. The requests are made up in the database and grouped as settlement groups them.
import { readSpend } from '../src/enforcement/read-spend.ts';
import { keepSpendRecords } from '../src/enforcement/read-requests.ts';
import type { Database } from '../src/store/database.ts';
import type { Membership } from '../src/tenancy/members/membership.ts';
import { median } from './support/median.ts';
import { startPostgres } from './support/postgres.ts';

const REQUESTS = 10_000_000;
const PEOPLE = 1_000;
const DAYS = 25;
const ROUNDS = 21;
const TARGET_MS = 50;
const OWNER = { organizationId: 'org_bench', userId: 'usr_1', organizationRole: 'owner' } as Membership;

export async function bench(report: (line: string) => void): Promise<void> {
  const postgres = await startPostgres();
  try {
    const db = await postgres.openMigrated({ schema: 'bench_spend', poolMax: 2 });
    const month = lastMonth();
    await fill(db, month.from);
    const started = performance.now();
    await keepSpendRecords(db, 93);
    const { rows } = await db.query<{ days: number; months: number; bytes: number }>(
      `select (select count(*) from :schema.spend_day) as days, (select count(*) from :schema.spend_month) as months,
              pg_total_relation_size(':schema.spend_month') as bytes`,
    );
    const [sizes] = rows;
    report(
      `${REQUESTS} requests: ${sizes?.days} rows by day, rolled up in ${Math.round(performance.now() - started)} ms`,
    );
    report(
      `${sizes?.months} rows for the month, ${((sizes?.bytes ?? 0) / 1e6).toFixed(1)} MB: ${(((sizes?.bytes ?? 0) * 12) / 1e6).toFixed(0)} MB a year`,
    );
    await db.query('vacuum analyze :schema.spend_month');
    await db.query('vacuum analyze :schema.spend_day');
    for (const by of ['member', 'workspace', 'token', 'model', 'credential', 'day'] as const) {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const begun = performance.now();
        await readSpend(db, OWNER, { by, ...month });
        times.push(performance.now() - begun);
      }
      const ms = median(times);
      report(`the month by ${by}: ${ms.toFixed(1)} ms (target ${TARGET_MS}${ms <= TARGET_MS ? '' : ', missed'})`);
    }
    await db.close();
  } finally {
    await postgres.stop();
  }
}

/** Everyone works in two workspaces with two of six models, from the app and with one token. */
async function fill(db: Database, from: string): Promise<void> {
  await db.query('update :schema.spend_rolled set through = $1::date - 1', [from]);
  for (let day = 0; day < DAYS; day++)
    await db.query(
      `insert into :schema.spend_day
         select 'org_bench', $1::date + $2::int, 'usr_' || person, 'ws_' || (person % 40 + n % 2), case when n % 4 < 2 then '' else 'tok_' || person end,
                'model_' || (person % 3 + n / 7 % 2), 'openai', case when person % 5 = 0 then 'own-key' else 'platform' end, case when n % 4 < 2 then 'chat' else '/v1' end,
                count(*), sum(1000), sum(300), sum(n % 5000)
           from (select n, (n::bigint * 7919) % ${PEOPLE} as person from generate_series(1, ${REQUESTS / DAYS}) n) r
          group by 3, 4, 5, 6, 8, 9`,
      [from, day],
    );
}

function lastMonth(): { from: string; to: string } {
  const now = new Date();
  const day = (month: number, date: number): string =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month, date)).toISOString().slice(0, 10);
  return { from: day(-1, 1), to: day(0, 0) };
}
