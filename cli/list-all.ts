interface Page {
  readonly cursor?: string | undefined;
}

/** Reads every page of a list. */
export async function listAll<T, P extends Page>(
  read: (cursor: { cursor?: string }) => Promise<P>,
  rowsOf: (page: P) => readonly T[],
): Promise<T[]> {
  const rows: T[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await read(cursor === undefined ? {} : { cursor });
    rows.push(...rowsOf(page));
    cursor = page.cursor;
    if (cursor === undefined) return rows;
  }
}
