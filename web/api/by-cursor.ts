// Lists that are read page by page: each answer says where the next page begins.
const PAGE_SIZE = 50;

/** Spread into the options of an infinite query. */
export const byCursor = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last: { cursor?: string | undefined }) => last.cursor,
};

/** Which page to ask for. */
export function pageAt(cursor: string | undefined): { limit: number; cursor?: string } {
  return { limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) };
}
