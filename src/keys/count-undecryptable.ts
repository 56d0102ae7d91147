// Reported at startup: how many stored secrets the current wrapping key cannot open. Only a sample is tried: it shows
// whether the wrapping key was changed, and a large deployment starts as fast as a small one.
import { unseal } from '../base/seal.ts';
import type { Log } from '../telemetry/log.ts';
import type { Queryable } from '../store/database.ts';
import { modelsAccountContext, providerKeyContext } from './sealed-secrets.ts';

interface SecretRow extends Record<string, unknown> {
  organization_id: string;
  workspace_id: string;
  provider: string | null;
  id: string;
  ciphertext: Buffer;
  iv: Buffer;
  auth_tag: Buffer;
}

const MOST = 1_000;

export async function countUndecryptable(db: Queryable, wrappingKey: Buffer | undefined): Promise<number> {
  const { rows } = await db.query<SecretRow>(
    `(select organization_id, workspace_id, provider, '' as id, ciphertext, iv, auth_tag from :schema.org_provider_api_key limit ${MOST})
     union all (select organization_id, workspace_id, null, id, ciphertext, iv, auth_tag from :schema.models_account limit ${MOST})`,
  );
  return rows.filter((row) => {
    const place = { organizationId: row.organization_id, workspaceId: row.workspace_id };
    const context =
      row.provider === null
        ? modelsAccountContext({ ...place, id: row.id })
        : providerKeyContext({ ...place, provider: row.provider });
    return (
      !wrappingKey ||
      unseal(wrappingKey, { ciphertext: row.ciphertext, iv: row.iv, authTag: row.auth_tag }, context) === undefined
    );
  }).length;
}

export async function warnOfUndecryptable(db: Queryable, wrappingKey: Buffer | undefined, log: Log): Promise<void> {
  const count = await countUndecryptable(db, wrappingKey);
  if (count === 0) return;
  log.warn(
    { count },
    'stored provider keys cannot be decrypted: BYOK_ENCRYPTION_KEY_B64 is not the key they were saved with; restore the old value, run servicectl keys rewrap, or have each organization enter its keys again',
  );
}
