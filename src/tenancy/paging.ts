// Lists are read one row past the page, to know whether there is more. One with long texts is also cut by size.
import { AppError } from '../base/errors.ts';
import { PAGE_BYTES } from '../base/page-bytes.ts';

export interface PageRequest {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

const DEFAULT_LIMIT = 100;

export function rowsToRead({ limit = DEFAULT_LIMIT }: PageRequest): number {
  return limit + 1;
}

export function cutPage<R>(
  rows: readonly R[],
  { limit = DEFAULT_LIMIT }: PageRequest,
  cursorOf: (row: R) => string,
  found = rows.length,
): { rows: readonly R[]; cursor?: string } {
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  return found > kept.length && last !== undefined ? { rows: kept, cursor: cursorOf(last) } : { rows: kept };
}

/**
 * The rows of a statement that fit a page by size, and at least one, each with `found`: how many there are without that.
 * The size of a text column, `octet_length`, is known without reading it.
 */
export function withinBytes(
  statement: string,
  { order, bytes }: { readonly order: string; readonly bytes: string },
): string {
  return `
select * from (
  select q.*, count(*) over ()::int as found, row_number() over page as page_number, sum(${bytes}) over page as page_bytes
    from (${statement}) q window page as (order by ${order})) p
 where p.page_number = 1 or p.page_bytes <= ${PAGE_BYTES} order by p.page_number`;
}

/** Members are listed by seniority: the cursor is the moment of joining, as PostgreSQL prints it, and the user. */
export function joinCursor(joinedAt: string, userId: string): string {
  return Buffer.from(`${joinedAt}|${userId}`).toString('base64url');
}

export function readJoinCursor(cursor: string | undefined): { joinedAt: string; userId: string } {
  if (cursor === undefined) return { joinedAt: '-infinity', userId: '' };
  const [, joinedAt, userId] =
    /^(\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d(?::\d\d)?)\|([^\0]+)$/.exec(
      Buffer.from(cursor, 'base64url').toString(),
    ) ?? [];
  if (joinedAt === undefined || userId === undefined || Number.isNaN(Date.parse(joinedAt)))
    throw new AppError('invalid_request', { cursor: 'is not a cursor of this list' });
  return { joinedAt, userId };
}

/** Other lists are ordered by id, which sorts by time of creation; `prefix` is the prefix of their ids. */
export function readIdCursor(cursor: string | undefined, prefix: string): string {
  if (cursor === undefined) return '';
  const [, found, rest] = /^([a-z]+)_([0-9a-z]{1,60})$/.exec(cursor) ?? [];
  if (found !== prefix || rest === undefined)
    throw new AppError('invalid_request', { cursor: 'is not a cursor of this list' });
  return cursor;
}
