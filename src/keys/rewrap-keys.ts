// Moves every stored provider key and Models account from one wrapping key to another, all or nothing. Secrets that
// neither key opens are left alone and counted; their owners have to enter them again.
import type { Database } from '../store/database.ts';
import { rewrapAll, type Rewrapped, type SealedTable, type WrappingKeys } from '../store/rewrap-rows.ts';
import { modelsAccountContext, providerKeyContext } from './sealed-secrets.ts';

interface SecretRow extends Record<string, unknown> {
  organization_id: string;
  workspace_id: string;
  /** The provider of a key, the id of an account. */
  name: string;
  ciphertext: Buffer;
  iv: Buffer;
  auth_tag: Buffer;
}

const PAGE = 500;
const FIRST = ['', '', ''];

type ContextOf = (row: { organizationId: string; workspaceId: string; name: string }) => readonly string[];

function secretTable(table: string, column: string, contextOf: ContextOf): SealedTable<SecretRow> {
  return {
    limit: PAGE,
    read: `select organization_id, workspace_id, ${column} as name, ciphertext, iv, auth_tag from ${table}
            where (organization_id, workspace_id, ${column}) > ($1, $2, $3) order by organization_id, workspace_id, ${column} limit ${PAGE} for update`,
    write: `update ${table} set ciphertext = $4, iv = $5, auth_tag = $6 where organization_id = $1 and workspace_id = $2 and ${column} = $3`,
    keyOf: (row) => [row.organization_id, row.workspace_id, row.name],
    valuesOf: (row) => [
      {
        sealed: { ciphertext: row.ciphertext, iv: row.iv, authTag: row.auth_tag },
        context: contextOf({ organizationId: row.organization_id, workspaceId: row.workspace_id, name: row.name }),
      },
    ],
  };
}

const TABLES = {
  providerKeys: secretTable(':schema.org_provider_api_key', 'provider', ({ name, ...place }) =>
    providerKeyContext({ ...place, provider: name }),
  ),
  modelsAccounts: secretTable(':schema.models_account', 'id', ({ name, ...place }) =>
    modelsAccountContext({ ...place, id: name }),
  ),
} as const satisfies Record<string, SealedTable<SecretRow>>;

export function rewrapKeys(db: Database, keys: WrappingKeys): Promise<Record<keyof typeof TABLES, Rewrapped>> {
  return db.transaction(async (tx) => {
    // Otherwise a secret saved concurrently by a process with the old key would be missed.
    await tx.query('lock table :schema.org_provider_api_key, :schema.models_account in share row exclusive mode');
    return {
      providerKeys: await rewrapAll(tx, TABLES.providerKeys, keys, FIRST),
      modelsAccounts: await rewrapAll(tx, TABLES.modelsAccounts, keys, FIRST),
    };
  });
}
