// Reads or removes one stored response. The statement checks membership, workspace and user. `take` is called with its
// size before it is read; an error it throws is a refusal.
import type { Queryable } from '../store/database.ts';
import { MAY_USE } from './look-up-references.ts';
import { LARGE } from '../base/parse-json.ts';
import { COLUMNS, openRow, readStored, type SealedRow } from './read-stored.ts';
import type { StoredBytes } from './seal-response.ts';
import type { StoredOwner, StoredResponse } from './stored-response.ts';

const OWN = `r.organization_id = $1 and r.workspace_id = $2 and r.user_id = $3 and r.id = $4 and r.kind = 'response' and r.created_at > now() - make_interval(days => $5) and ${MAY_USE}`;

/** As bytes, for a thread to read, if it is large. */
export async function findResponse(
  { db, wrappingKey, days }: { readonly db: Queryable; readonly wrappingKey: Buffer; readonly days: number },
  owner: StoredOwner,
  id: string,
  take: (bytes: number) => void,
): Promise<StoredResponse | StoredBytes | undefined> {
  const own = [owner.organizationId, owner.workspaceId, owner.userId, id, days];
  const { rows: sizes } = await db.query<{ bytes: number }>(
    `select r.bytes from :schema.stored_response r where ${OWN}`,
    own,
  );
  if (!sizes[0]) return undefined;
  take(sizes[0].bytes);
  if (sizes[0].bytes > LARGE.bytes) return (await readStored(db, wrappingKey, owner, { whole: [id], outputs: [] }))[0];
  const { rows } = await db.query<SealedRow>(`select ${COLUMNS} from :schema.stored_response r where ${OWN}`, own);
  return rows[0] && openRow(wrappingKey, owner, rows[0]);
}

const EMPTY = `kind = 'deleted', previous_id = null, bytes = 0, output_bytes = 0, ciphertext = '', output_ciphertext = ''`;

/**
 * False if there is none. Responses that continue it stay, but can no longer be continued, because their conversation
 * is incomplete.
 */
export async function removeResponse(db: Queryable, owner: StoredOwner, id: string, days: number): Promise<boolean> {
  const { rowCount } = await db.query(`update :schema.stored_response r set ${EMPTY} where ${OWN}`, [
    owner.organizationId,
    owner.workspaceId,
    owner.userId,
    id,
    days,
  ]);
  return rowCount > 0;
}
