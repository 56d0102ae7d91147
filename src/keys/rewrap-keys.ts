// Moves every stored secret from one wrapping key to another, all or nothing. Secrets that neither key opens are left
// alone and counted; their owners have to enter them again.
import { type Sealed, seal, unseal } from '../base/seal.ts';
import type { Database, Transaction } from '../store/database.ts';
import { modelsAccountContext, providerKeyContext } from './sealed-secrets.ts';

export interface Rewrapped {
  /** Now sealed under the new key. */
  moved: number;
  /** Already sealed under the new key. */
  kept: number;
  /** Open under neither key. */
  lost: number;
}

interface SecretRow extends Record<string, unknown> {
  organization_id: string;
  workspace_id: string;
  /** The provider of a key, the id of an account. */
  name: string;
  ciphertext: Buffer;
  iv: Buffer;
  auth_tag: Buffer;
}

interface SecretTable {
  readonly read: string;
  readonly write: string;
  readonly context: (row: { organizationId: string; workspaceId: string; name: string }) => readonly string[];
}

const PAGE = 500;

/** Each table is walked in key order, one page at a time. */
const TABLES = {
  providerKeys: {
    read: `select organization_id, workspace_id, provider as name, ciphertext, iv, auth_tag from :schema.org_provider_api_key
            where (organization_id, workspace_id, provider) > ($1, $2, $3) order by organization_id, workspace_id, provider limit ${PAGE}`,
    write:
      'update :schema.org_provider_api_key set ciphertext = $4, iv = $5, auth_tag = $6 where organization_id = $1 and workspace_id = $2 and provider = $3',
    context: ({ name, ...place }) => providerKeyContext({ ...place, provider: name }),
  },
  modelsAccounts: {
    read: `select organization_id, workspace_id, id as name, ciphertext, iv, auth_tag from :schema.models_account
            where (organization_id, workspace_id, id) > ($1, $2, $3) order by organization_id, workspace_id, id limit ${PAGE}`,
    write:
      'update :schema.models_account set ciphertext = $4, iv = $5, auth_tag = $6 where organization_id = $1 and workspace_id = $2 and id = $3',
    context: ({ name, ...place }) => modelsAccountContext({ ...place, id: name }),
  },
} as const satisfies Record<string, SecretTable>;

export function rewrapKeys(db: Database, from: Buffer, to: Buffer): Promise<Record<keyof typeof TABLES, Rewrapped>> {
  return db.transaction(async (tx) => {
    // Otherwise a secret saved concurrently by a process with the old key would be missed.
    await tx.query('lock table :schema.org_provider_api_key, :schema.models_account in share row exclusive mode');
    return {
      providerKeys: await rewrapTable(tx, TABLES.providerKeys, { from, to }),
      modelsAccounts: await rewrapTable(tx, TABLES.modelsAccounts, { from, to }),
    };
  });
}

interface WrappingKeys {
  readonly from: Buffer;
  readonly to: Buffer;
}

async function rewrapTable(tx: Transaction, table: SecretTable, keys: WrappingKeys): Promise<Rewrapped> {
  const counts: Rewrapped = { moved: 0, kept: 0, lost: 0 };
  for (let last: readonly string[] = ['', '', '']; ;) {
    const { rows } = await tx.query<SecretRow>(table.read, last);
    for (const row of rows) counts[await rewrapRow(tx, table, row, keys)]++;
    const end = rows.at(-1);
    if (!end || rows.length < PAGE) return counts;
    last = [end.organization_id, end.workspace_id, end.name];
  }
}

async function rewrapRow(
  tx: Transaction,
  table: SecretTable,
  row: SecretRow,
  { from, to }: WrappingKeys,
): Promise<keyof Rewrapped> {
  const context = table.context({
    organizationId: row.organization_id,
    workspaceId: row.workspace_id,
    name: row.name,
  });
  const sealed: Sealed = { ciphertext: row.ciphertext, iv: row.iv, authTag: row.auth_tag };
  if (unseal(to, sealed, context) !== undefined) return 'kept';
  const secret = unseal(from, sealed, context);
  if (secret === undefined) return 'lost';
  const resealed = seal(to, secret, context);
  await tx.query(table.write, [
    row.organization_id,
    row.workspace_id,
    row.name,
    resealed.ciphertext,
    resealed.iv,
    resealed.authTag,
  ]);
  return 'moved';
}
