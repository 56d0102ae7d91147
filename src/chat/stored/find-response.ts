// Reads or removes one stored response. The statement checks membership, workspace and user.
import type { Queryable } from '../../store/database.ts';
import { MAY_USE } from './look-up-references.ts';
import { COLUMNS, openRow, type SealedRow } from './read-stored.ts';
import type { StoredPlace, StoredResponse } from './stored-response.ts';

const OWN = `r.organization_id = $1 and r.workspace_id = $2 and r.user_id = $3 and r.id = $4 and r.kind = 'response' and r.created_at > now() - make_interval(days => $5) and ${MAY_USE}`;

export async function findResponse(
  { db, wrappingKey, days }: { readonly db: Queryable; readonly wrappingKey: Buffer; readonly days: number },
  place: StoredPlace,
  id: string,
): Promise<StoredResponse | undefined> {
  const { rows } = await db.query<SealedRow>(`select ${COLUMNS} from :schema.stored_response r where ${OWN}`, [
    place.organizationId,
    place.workspaceId,
    place.userId,
    id,
    days,
  ]);
  return rows[0] && openRow(wrappingKey, place, rows[0]);
}

/**
 * False if there is none. Responses that continue it stay, but can no longer be continued, because their conversation
 * is incomplete.
 */
export async function removeResponse(db: Queryable, place: StoredPlace, id: string, days: number): Promise<boolean> {
  const { rowCount } = await db.query(`delete from :schema.stored_response r where ${OWN}`, [
    place.organizationId,
    place.workspaceId,
    place.userId,
    id,
    days,
  ]);
  return rowCount > 0;
}
