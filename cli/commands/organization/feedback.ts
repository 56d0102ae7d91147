import { type Command, Option } from 'commander';
import { findAccount } from '../../account.ts';
import { send } from '../../api/send.ts';
import { type Cli, type Common, defineCommand } from '../../define-command.ts';
import { listAll } from '../../list-all.ts';
import { organizationOf } from '../../organization-of.ts';
import type { Rating } from '../../../src/contract/feedback/feedback.ts';
import { withServed } from '../../../src/contract/routes/with-served.ts';

interface Options extends Common {
  readonly rating?: Rating;
  readonly model?: string;
  readonly project?: string;
  readonly from?: string;
  readonly to?: string;
  readonly csv?: boolean;
}

export function addFeedback(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: 'feedback',
    summary: "Export how your organization's members rated answers, latest first (owners and admins)",
    example: 'servicectl feedback --rating down --from 2026-03-01 --csv > feedback.csv',
  })
    .addOption(new Option('--rating <rating>', 'only these').choices(['up', 'down'] satisfies Rating[]))
    .option('--model <model>', 'only answers of this model')
    .option('--project <project>', 'only answers in this project')
    .option('--from <day>', 'the first day, such as 2026-03-01 (UTC)')
    .option('--to <day>', 'the last day')
    .option('--csv', 'print CSV')
    .action((options: Options) => exportFeedback(cli, options));
}

async function exportFeedback(
  { host, output }: Cli,
  { rating, model, project, from, to, csv, ...options }: Options,
): Promise<void> {
  const account = await findAccount(host, options);
  const org = organizationOf(account);
  const filters = {
    ...(rating === undefined ? {} : { rating }),
    ...(model === undefined ? {} : { model }),
    ...(project === undefined ? {} : { project }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
  if (csv) {
    for (let cursor: string | null | undefined; cursor !== null;) {
      const query = new URLSearchParams({ ...filters, ...(cursor === undefined ? {} : { cursor }) });
      const response = await send(account.url, `/api/organizations/${encodeURIComponent(org)}/feedback?${query}`, {
        ...(account.session === undefined ? {} : { bearer: account.session }),
        accept: 'text/csv',
      });
      const text = (await response.text()).trimEnd();
      // Only the first file keeps the names of the columns.
      const rest = cursor === undefined ? text : text.slice(text.indexOf('\r\n') + 2);
      output.line(rest);
      cursor = response.headers.get('x-next-cursor');
    }
    return;
  }
  const { webClient } = await import('../../api/typed-clients.ts');
  const client = webClient(account);
  const found = await listAll(
    (cursor) => client.feedback.list({ org, limit: 200, ...filters, ...cursor }),
    (page) => page.feedback,
  );
  if (options.json) return output.json({ feedback: found });
  if (found.length === 0) return output.say('No ratings match.');
  output.table(
    ['AT', 'RATING', 'MODEL', 'PROJECT', 'MEMBER', 'REASON'],
    found.map((entry) => [
      entry.createdAt,
      entry.rating,
      entry.model === '' ? '-' : withServed(entry.model, entry.served),
      entry.project ?? '-',
      entry.member,
      entry.reason === '' ? '-' : entry.reason,
    ]),
  );
}
