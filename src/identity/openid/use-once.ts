import type { Queryable } from '../../store/database.ts';
import { digestSecret } from '../secret-digests.ts';

/** Whether it is used for the first time. `until` is when it expires by itself. */
export async function useOnce(
  db: Queryable,
  kind: 'state' | 'logout',
  { id, until }: { readonly id: string; readonly until: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    'insert into :schema.openid_used (digest, expires_at) values ($1, $2) on conflict (digest) do nothing',
    [digestSecret(`${kind}\0${id}`), until],
  );
  return rowCount > 0;
}
