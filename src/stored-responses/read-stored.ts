import type { Queryable } from '../store/database.ts';
import { openStored, type StoredBytes, unsealTurn } from './seal-response.ts';
import type { StoredKind, StoredOwner, StoredResponse } from './stored-response.ts';

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

/** The rows that can be opened, whole or only their output. One sealed under another key counts as deleted. */
export async function readStored(
  db: Queryable,
  wrappingKey: Buffer,
  owner: StoredOwner,
  { whole, outputs }: { readonly whole: readonly string[]; readonly outputs: readonly string[] },
): Promise<StoredBytes[]> {
  const found: StoredBytes[] = [];
  for (const [columns, ids] of [
    [COLUMNS, whole],
    [OUTPUT_COLUMNS, outputs],
  ] as const) {
    if (ids.length === 0) continue;
    const { rows } = await db.query<OutputRow & Partial<SealedRow>>(`select ${columns} ${NAMED}`, [
      owner.organizationId,
      owner.workspaceId,
      owner.userId,
      ids,
    ]);
    for (const { id, kind, previous_id: previousId = null, ciphertext, iv, auth_tag: authTag, ...output } of rows) {
      const turn = ciphertext && iv && authTag ? { ciphertext, iv, authTag } : undefined;
      const row = await openStored(wrappingKey, owner, { id, kind, previousId, turn, output: outputOf(output) });
      if (row) found.push(row);
    }
  }
  return found;
}

export function openRow(wrappingKey: Buffer, owner: StoredOwner, row: SealedRow): StoredResponse | undefined {
  const { id, kind, previous_id: previousId, ciphertext, iv, auth_tag: authTag } = row;
  return unsealTurn(wrappingKey, owner, {
    id,
    kind,
    previousId,
    turn: { ciphertext, iv, authTag },
    output: outputOf(row),
  });
}

function outputOf({
  output_ciphertext: ciphertext,
  output_iv: iv,
  output_auth_tag: authTag,
}: Pick<OutputRow, 'output_ciphertext' | 'output_iv' | 'output_auth_tag'>): {
  ciphertext: Buffer;
  iv: Buffer;
  authTag: Buffer;
} {
  return { ciphertext, iv, authTag };
}
