import type { ReceiptFilter } from './queries.ts';
import { shownKinds } from './strings.ts';

/** As in the address. Days are those of the reader's clock. */
export interface ReceiptSearch {
  readonly person?: string | undefined;
  readonly app?: string | undefined;
  readonly tool?: string | undefined;
  readonly kind?: string | undefined;
  /** A workspace by slug. */
  readonly in?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

const OUTCOMES = ['tool.observed', 'tool.failed', 'job.queued', 'job.completed', 'job.failed', 'job.aborted'] as const;

/** What the server is asked for. A call of a run is one of its steps, so steps are included when a tool is looked for. */
export function toFilter(search: ReceiptSearch, workspace: string | undefined): ReceiptFilter {
  const { person, app, tool, kind = '' } = search;
  const outcomes = [...OUTCOMES, ...(app === undefined && tool === undefined ? [] : ['job.progress'])].join(',');
  return {
    person,
    app,
    tool,
    kind: kind === 'all' ? undefined : isKind(kind) && kind !== '' ? kind : outcomes,
    workspace,
    since: startOf(search.since, 0),
    until: startOf(search.until, 1),
  };
}

const isKind = (kind: string): boolean => Object.hasOwn(shownKinds, kind);

/** The start of a day, or of one after it, as a moment. */
function startOf(day: string | undefined, later: number): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '') ?? [];
  if (year === undefined) return undefined;
  return new Date(Number(year), Number(month) - 1, Number(date) + later).toISOString();
}
