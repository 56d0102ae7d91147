import type { Queryable } from '../../store/database.ts';

/** The named token that the use of a token is counted for, and the models that it may be used for. */
export async function findSpendToken(
  db: Queryable,
  tokenId: string,
): Promise<{ spendTokenId: string; models: readonly string[] | undefined } | undefined> {
  const { rows } = await db.query<{ line_id: string | null; models: string[] | null }>(
    'select line_id, models from :schema.connect_token where id = $1 and name is not null',
    [tokenId],
  );
  const [row] = rows;
  return row && { spendTokenId: row.line_id ?? tokenId, models: row.models ?? undefined };
}
