import type { Queryable } from '../../store/database.ts';
import { unsealResponse } from './seal-response.ts';
import type { StoredKind, StoredPlace, StoredResponse } from './stored-response.ts';

export interface SealedRow extends Record<string, unknown> {
  id: string;
  kind: StoredKind;
  previous_id: string | null;
  ciphertext: Buffer;
  iv: Buffer;
  auth_tag: Buffer;
}

/** What opens of the rows, by id. One that does not was sealed under another key, and is as good as gone. */
export async function readStored(db: Queryable, wrappingKey: Buffer, place: StoredPlace, ids: readonly string[]): Promise<ReadonlyMap<string, StoredResponse>> {
  const { rows } = await db.query<SealedRow>(
    'select id, kind, previous_id, ciphertext, iv, auth_tag from :schema.stored_response where organization_id = $1 and workspace_id = $2 and user_id = $3 and id = any($4::text[])',
    [place.organizationId, place.workspaceId, place.userId, ids],
  );
  return new Map(rows.flatMap((row) => {
    const stored = openRow(wrappingKey, place, row);
    return stored ? [[stored.id, stored] as const] : [];
  }));
}

export function openRow(wrappingKey: Buffer, place: StoredPlace, { id, kind, previous_id: previousId, ciphertext, iv, auth_tag: authTag }: SealedRow): StoredResponse | undefined {
  return unsealResponse(wrappingKey, place, { id, kind, previousId, sealed: { ciphertext, iv, authTag } });
}
