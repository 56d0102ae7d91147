// servicectl receipts with a filter: receipts of all streams, newest first.
import type { Account } from '../account.ts';
import { usage } from '../failure.ts';
import type { Output } from '../output.ts';

export interface ReceiptFilters {
  readonly person?: string;
  readonly app?: string;
  readonly tool?: string;
  readonly kind?: string;
  readonly since?: string;
  readonly until?: string;
}

const NAMES = ['person', 'app', 'tool', 'kind', 'since', 'until'] as const;
const PAGE = 200;

export function hasFilter(filters: ReceiptFilters): boolean {
  return NAMES.some((name) => filters[name] !== undefined);
}

export async function searchReceipts(
  account: Account,
  output: Output,
  { json, limit, ...filters }: ReceiptFilters & { json: boolean; limit: number },
): Promise<void> {
  const query = toQuery(filters);
  const { runtimeClient } = await import('../api/typed-clients.ts');
  const client = runtimeClient(account);
  const found: Awaited<ReturnType<typeof client.receipts.search>>['receipts'] = [];
  let cursor: string | undefined;
  do {
    const page = await client.receipts.search({
      ...query,
      limit: Math.min(limit - found.length, PAGE),
      ...(cursor === undefined ? {} : { cursor }),
    });
    found.push(...page.receipts);
    cursor = page.cursor;
  } while (cursor !== undefined && found.length < limit);
  if (json) return output.json({ receipts: found });
  if (found.length === 0) output.say('No receipts match.');
  output.table(
    ['AT', 'KIND', 'PERSON', 'APP', 'TOOL', 'STREAM', 'INDEX'],
    found.map(({ at, kind, person = '', app = '', tool = '', stream, index }) => [
      at,
      kind,
      person,
      app,
      tool,
      stream,
      String(index),
    ]),
  );
  if (cursor !== undefined)
    output.say(`There are more. To see them, raise --limit or set --until ${found.at(-1)?.at}.`);
}

function toQuery(filters: ReceiptFilters): ReceiptFilters {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = filters[name];
      if (value === undefined) return [];
      return [[name, name === 'since' || name === 'until' ? readMoment(`--${name}`, value) : value]];
    }),
  );
}

function readMoment(flag: string, text: string): string {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime()))
    throw usage(`${flag} takes a date or time, such as 2026-03-04 or 2026-03-04T12:00Z`);
  return moment.toISOString();
}
