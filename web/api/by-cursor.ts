// Cursor pagination: each response has the cursor of the next page.
const PAGE_SIZE = 50;

/** Spread into the options of an infinite query. */
export const byCursor = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last: { cursor?: string | undefined }) => last.cursor,
};

/** The query parameters of a page. */
export function pageAt(cursor: string | undefined): { limit: number; cursor?: string } {
  return { limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) };
}
