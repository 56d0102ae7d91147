// What an organization has saved and used, written and read straight in the tables where no rule is under test.
import { newId } from '../../src/base/ids.ts';
import { seal } from '../../src/base/seal.ts';
import type { ModelsAccountInput } from '../../src/contract/models-account.ts';
import { checkAccount } from '../../src/keys/check-account.ts';
import { modelsAccountContext, providerKeyContext } from '../../src/keys/sealed-secrets.ts';
import type { Database } from '../../src/store/database.ts';

export interface OrganizationRecords {
  saveKey(provider: string, workspaceId: string, key: string, wrappingKey?: Buffer): Promise<void>;
  saveAccount(
    workspaceId: string,
    baseUrl: string,
    key: string,
    models: string[],
    kind?: Partial<Pick<ModelsAccountInput, 'protocol' | 'auth'>>,
  ): Promise<void>;
  setPolicy(columns: Readonly<Record<string, unknown>>): Promise<void>;
  setCredit(micros: number): Promise<void>;
  budget(): Promise<{ spent: number; reserved: number }>;
  usage(): Promise<Record<string, unknown>[]>;
}

export function organizationRecords(db: Database, organizationId: string, wrappingKey: Buffer): OrganizationRecords {
  return {
    async saveKey(provider, workspaceId, key, sealedWith = wrappingKey) {
      const context = providerKeyContext({ organizationId, workspaceId, provider });
      const { ciphertext, iv, authTag } = seal(sealedWith, key, context);
      await db.query(
        "insert into :schema.org_provider_api_key (organization_id, workspace_id, provider, ciphertext, iv, auth_tag, key_version, fingerprint) values ($1, $2, $3, $4, $5, $6, 1, '-')",
        [organizationId, workspaceId, provider, ciphertext, iv, authTag],
      );
    },
    async saveAccount(workspaceId, given, secret, models, { protocol = 'chat', auth = 'bearer' } = {}) {
      const { baseUrl, key } = checkAccount({ protocol, auth, baseUrl: given, key: secret }, true);
      const id = newId('mac');
      const context = modelsAccountContext({ organizationId, workspaceId, id });
      const { ciphertext, iv, authTag } = seal(wrappingKey, key, context);
      await db.query(
        "insert into :schema.models_account (organization_id, workspace_id, id, place, protocol, auth, base_url, models, ciphertext, iv, auth_tag, key_version, fingerprint) values ($1, $2, $3, 1, $9, $10, $4, $5, $6, $7, $8, 1, '-')",
        [organizationId, workspaceId, id, baseUrl, models, ciphertext, iv, authTag, protocol, auth],
      );
    },
    async setPolicy(columns) {
      await db.query('insert into :schema.org_policy (organization_id) values ($1) on conflict do nothing', [
        organizationId,
      ]);
      for (const [column, value] of Object.entries(columns))
        await db.query(`update :schema.org_policy set ${column} = $2 where organization_id = $1`, [
          organizationId,
          value,
        ]);
    },
    async setCredit(micros) {
      await db.query('update :schema.organization set signup_credit_micros = $2 where id = $1', [
        organizationId,
        micros,
      ]);
    },
    async budget() {
      const { rows } = await db.query<{ spent: number; reserved: number }>(
        'select credit_spent + seat_spent as spent, credit_reserved + seat_reserved as reserved from :schema.org_budget where organization_id = $1',
        [organizationId],
      );
      return rows[0] ?? { spent: 0, reserved: 0 };
    },
    async usage() {
      const { rows } = await db.query(
        "select model, nullif(served, '') as served, provider, credential, requests, input_tokens, output_tokens, cost_micros from :schema.usage_day where organization_id = $1 order by model, provider, credential",
        [organizationId],
      );
      return rows;
    },
  };
}
