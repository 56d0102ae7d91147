// Lists as CSV: the pages of a JSON route in one file, with the same authority and the same figures.
import type { FeedbackEntry } from '../../contract/feedback/feedback.ts';
import { FEEDBACK_LIMITS } from '../../contract/feedback/feedback-limits.ts';
import type { SpendPage } from '../../contract/spend.ts';

type Cell = string | number | undefined;

interface CsvPage {
  readonly rows: readonly (readonly Cell[])[];
  readonly cursor?: string | undefined;
}

export interface CsvList {
  readonly path: RegExp;
  readonly columns: readonly string[];
  /** A file ends with the page that reaches it; the rest has a cursor. */
  readonly most: number;
  read(body: unknown): CsvPage;
  fileName(body: unknown, asked: URLSearchParams): string;
}

const SPEND = ['key', 'name', 'requests', 'inputTokens', 'outputTokens', 'cost', 'unpriced', 'served'] as const;
const FEEDBACK = [
  'id',
  'createdAt',
  'rating',
  'reason',
  'model',
  'served',
  'project',
  'workspace',
  'thread',
  'message',
  'member',
  'question',
  'answer',
] as const;

const LISTS: readonly CsvList[] = [
  {
    path: /^\/api\/organizations\/[^/]+\/spend\/?$/,
    columns: SPEND,
    most: Infinity,
    read(body) {
      const { rows, cursor } = body as SpendPage;
      return { rows: rows.map((row) => SPEND.map((column) => row[column])), cursor };
    },
    fileName(body, asked) {
      const { from, to } = body as SpendPage;
      return `spend-at-list-price-by-${asked.get('by') ?? ''}-${from}-to-${to}.csv`;
    },
  },
  {
    path: /^\/api\/organizations\/[^/]+\/feedback\/?$/,
    columns: FEEDBACK,
    most: FEEDBACK_LIMITS.rows,
    read(body) {
      const { feedback, cursor } = body as { feedback: FeedbackEntry[]; cursor?: string };
      return { rows: feedback.map((entry) => FEEDBACK.map((column) => entry[column])), cursor };
    },
    fileName: () => 'feedback.csv',
  },
];

const PAGE_ROWS = 200;
/** Of a file; the rest has a cursor, like that of one with too many rows. */
const MOST_CHARACTERS = 16_000_000;

export function findCsv(request: Request): CsvList | undefined {
  if (request.method !== 'GET' || !(request.headers.get('accept') ?? '').toLowerCase().includes('text/csv'))
    return undefined;
  const { pathname } = new URL(request.url);
  return LISTS.find(({ path }) => path.test(pathname));
}

/** A refusal is passed on as it is. There is no line of totals: the sum of a column would count everything twice. */
export async function answerCsv(
  list: CsvList,
  request: Request,
  ask: (request: Request) => Promise<Response | undefined>,
): Promise<Response | undefined> {
  const lines = [list.columns.join(',')];
  let characters = 0;
  const url = new URL(request.url);
  url.searchParams.set('limit', String(PAGE_ROWS));
  for (;;) {
    const response = await ask(new Request(url, { headers: request.headers, signal: request.signal }));
    if (!response?.ok) return response;
    const body: unknown = await response.json();
    const { rows, cursor } = list.read(body);
    for (const row of rows) {
      const line = row.map(toCell).join(',');
      lines.push(line);
      characters += line.length;
    }
    if (cursor !== undefined && lines.length <= list.most && characters < MOST_CHARACTERS) {
      url.searchParams.set('cursor', cursor);
      continue;
    }
    return new Response(`${lines.join('\r\n')}\r\n`, {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${list.fileName(body, url.searchParams)}"`,
        'cache-control': 'no-store',
        ...(cursor === undefined ? {} : { 'x-next-cursor': cursor }),
      },
    });
  }
}

/** Text that a spreadsheet would take for a formula is marked as text. */
export function toCell(value: Cell): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : value.toFixed(6);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
