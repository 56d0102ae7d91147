import type { Loose } from '../../model-providers/codecs/read-fields.ts';
import type { Queryable } from '../../store/database.ts';
import { unsealOutput, unsealTurn } from './seal-response.ts';
import type { StoredKind, StoredPlace, StoredResponse } from './stored-response.ts';

interface OutputRow extends Record<string, unknown> {
  id: string;
  kind: StoredKind;
  output_ciphertext: Buffer;
  output_iv: Buffer;
  output_auth_tag: Buffer;
}

export interface SealedRow extends OutputRow {
  previous_id: string | null;
  ciphertext: Buffer;
  iv: Buffer;
  auth_tag: Buffer;
}

const OUTPUT_COLUMNS = 'r.id, r.kind, r.output_ciphertext, r.output_iv, r.output_auth_tag';
export const COLUMNS = `${OUTPUT_COLUMNS}, r.previous_id, r.ciphertext, r.iv, r.auth_tag`;
const NAMED =
  'from :schema.stored_response r where r.organization_id = $1 and r.workspace_id = $2 and r.user_id = $3 and r.id = any($4::text[])';

/** The rows that can be opened, by id. One sealed under another key counts as deleted. */
export async function readStored(
  db: Queryable,
  wrappingKey: Buffer,
  place: StoredPlace,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredResponse>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.query<SealedRow>(`select ${COLUMNS} ${NAMED}`, [
    place.organizationId,
    place.workspaceId,
    place.userId,
    ids,
  ]);
  return new Map(
    rows.flatMap((row) => {
      const stored = openRow(wrappingKey, place, row);
      return stored ? [[stored.id, stored] as const] : [];
    }),
  );
}

/** The output items of the rows, without their inputs. */
export async function readOutputs(
  db: Queryable,
  wrappingKey: Buffer,
  place: StoredPlace,
  ids: readonly string[],
): Promise<readonly Loose[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.query<OutputRow>(`select ${OUTPUT_COLUMNS} ${NAMED}`, [
    place.organizationId,
    place.workspaceId,
    place.userId,
    ids,
  ]);
  return rows.flatMap(
    (row) => unsealOutput(wrappingKey, place, { id: row.id, kind: row.kind, output: outputOf(row) }) ?? [],
  );
}

export function openRow(wrappingKey: Buffer, place: StoredPlace, row: SealedRow): StoredResponse | undefined {
  const { id, kind, previous_id: previousId, ciphertext, iv, auth_tag: authTag } = row;
  return unsealTurn(wrappingKey, place, {
    id,
    kind,
    previousId,
    turn: { ciphertext, iv, authTag },
    output: outputOf(row),
  });
}

function outputOf({ output_ciphertext: ciphertext, output_iv: iv, output_auth_tag: authTag }: OutputRow): {
  ciphertext: Buffer;
  iv: Buffer;
  authTag: Buffer;
} {
  return { ciphertext, iv, authTag };
}
