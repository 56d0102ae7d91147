// Moves stored connections from one encryption key to another, all or nothing. One that neither key opens is left alone
// and counted: its app has to be connected again.
import type { Database } from '../store/database.ts';
import { rewrapAll, type Rewrapped, type SealedTable, type WrappingKeys } from '../store/rewrap-rows.ts';
import { rewrapDigestKey } from './digest-key.ts';
import { referenceContext } from './stored-reference.ts';

interface Row extends Record<string, unknown> {
  id: string;
  organization_id: string;
  workspace_id: string;
  provider: string;
  name: string;
  ciphertext: Buffer;
  iv: Buffer;
  auth_tag: Buffer;
}

const PAGE = 500;

const TABLE: SealedTable<Row> = {
  limit: PAGE,
  read: `select id, organization_id, workspace_id, provider, name, ciphertext, iv, auth_tag from :schema.org_connection_secret
          where id > $1 order by id limit ${PAGE} for update`,
  write: 'update :schema.org_connection_secret set ciphertext = $2, iv = $3, auth_tag = $4 where id = $1',
  keyOf: ({ id }) => [id],
  valuesOf: (row) => [
    {
      sealed: { ciphertext: row.ciphertext, iv: row.iv, authTag: row.auth_tag },
      context: referenceContext({
        organizationId: row.organization_id,
        workspaceId: row.workspace_id,
        provider: row.provider,
        name: row.name,
      }),
    },
  ],
};

/** Undefined if the digests of connections belong to neither key; then nothing was changed. */
export function rewrapConnections(db: Database, keys: WrappingKeys): Promise<Rewrapped | undefined> {
  return db.transaction(async (tx) => {
    // Otherwise a connection stored concurrently by a process with the old key would be missed.
    await tx.query(
      'lock table :schema.org_connection_secret, :schema.connection_digest_key in share row exclusive mode',
    );
    if (!(await rewrapDigestKey(tx, keys))) return undefined;
    return rewrapAll(tx, TABLE, keys, ['']);
  });
}
