// Spending as CSV: all pages of the JSON route in one file, with the same authority and the same figures.
import type { SpendPage } from '../../contract/spend.ts';

const PATH = /^\/api\/organizations\/[^/]+\/spend\/?$/;
const COLUMNS = ['key', 'name', 'requests', 'inputTokens', 'outputTokens', 'cost', 'unpriced', 'served'] as const;
const PAGE_ROWS = 200;

export function wantsSpendCsv(request: Request): boolean {
  return (
    request.method === 'GET' &&
    PATH.test(new URL(request.url).pathname) &&
    (request.headers.get('accept') ?? '').toLowerCase().includes('text/csv')
  );
}

/** A refusal is passed on as it is. The last line has the totals. */
export async function answerSpendCsv(
  request: Request,
  ask: (request: Request) => Promise<Response | undefined>,
): Promise<Response | undefined> {
  const lines = [COLUMNS.join(',')];
  const url = new URL(request.url);
  url.searchParams.set('limit', String(PAGE_ROWS));
  for (;;) {
    const response = await ask(new Request(url, { headers: request.headers, signal: request.signal }));
    if (!response?.ok) return response;
    const { rows, totals, from, to, cursor } = (await response.json()) as SpendPage;
    for (const row of rows) lines.push(COLUMNS.map((column) => toCell(row[column] ?? '')).join(','));
    if (cursor !== undefined) {
      url.searchParams.set('cursor', cursor);
      continue;
    }
    const { requests, inputTokens, outputTokens, cost, unpriced } = totals;
    lines.push(['', 'Total', requests, inputTokens, outputTokens, cost, unpriced, ''].map(toCell).join(','));
    const name = `spend-at-list-price-by-${url.searchParams.get('by') ?? ''}-${from}-to-${to}.csv`;
    return new Response(`${lines.join('\r\n')}\r\n`, {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'no-store',
      },
    });
  }
}

/** Text that a spreadsheet would take for a formula is marked as text. */
export function toCell(value: string | number): string {
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : value.toFixed(6);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
