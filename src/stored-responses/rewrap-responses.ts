// Moves stored responses from one encryption key to another. There may be gigabytes of them, so each page is a
// transaction of its own; after an interruption the same command goes on, because what has moved is found to be so.
import type { Database } from '../store/database.ts';
import { rewrapInPages, type Rewrapped, type SealedTable, type WrappingKeys } from '../store/rewrap-rows.ts';
import { outputContext, turnContext } from './seal-response.ts';
import type { StoredKind } from './stored-response.ts';

interface Row extends Record<string, unknown> {
  organization_id: string;
  id: string;
  workspace_id: string;
  user_id: string;
  kind: StoredKind;
  ciphertext: Buffer;
  iv: Buffer;
  auth_tag: Buffer;
  output_ciphertext: Buffer;
  output_iv: Buffer;
  output_auth_tag: Buffer;
}

/** A response may have megabytes. */
const PAGE = 20;

const TABLE: SealedTable<Row> = {
  limit: PAGE,
  // One that was deleted has nothing encrypted in it.
  read: `select organization_id, id, workspace_id, user_id, kind, ciphertext, iv, auth_tag, output_ciphertext, output_iv, output_auth_tag
           from :schema.stored_response where (organization_id, id, workspace_id, user_id) > ($1, $2, $3, $4) and kind <> 'deleted'
          order by organization_id, id, workspace_id, user_id limit ${PAGE} for update`,
  write: `update :schema.stored_response set ciphertext = $5, iv = $6, auth_tag = $7, output_ciphertext = $8, output_iv = $9, output_auth_tag = $10
           where organization_id = $1 and id = $2 and workspace_id = $3 and user_id = $4`,
  keyOf: (row) => [row.organization_id, row.id, row.workspace_id, row.user_id],
  valuesOf: (row) => {
    const owner = { organizationId: row.organization_id, workspaceId: row.workspace_id, userId: row.user_id };
    return [
      {
        sealed: { ciphertext: row.ciphertext, iv: row.iv, authTag: row.auth_tag },
        context: turnContext(owner, row),
      },
      {
        sealed: { ciphertext: row.output_ciphertext, iv: row.output_iv, authTag: row.output_auth_tag },
        context: outputContext(owner, row),
      },
    ];
  },
};

export function rewrapResponses(db: Database, keys: WrappingKeys): Promise<Rewrapped> {
  return rewrapInPages(db, TABLE, keys, ['', '', '', '']);
}
