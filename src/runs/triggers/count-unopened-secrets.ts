import type { Queryable } from '../../store/database.ts';
import { unseal } from '../../base/seal.ts';
import { secretContext } from './trigger-secrets.ts';

const MOST = 1_000;

/** Secrets that do not open with this key: what is signed with them is refused. */
export async function countUnopenedSecrets(on: Queryable, key: Buffer | undefined): Promise<number> {
  const { rows } = await on.query<{ id: string; trigger_id: string; ciphertext: Buffer; iv: Buffer; auth_tag: Buffer }>(
    `select id, trigger_id, ciphertext, iv, auth_tag from :schema.trigger_secret where ends_at is null order by id desc limit ${MOST}`,
  );
  return rows.filter(
    ({ id, trigger_id: triggerId, ciphertext, iv, auth_tag: authTag }) =>
      !key || unseal(key, { ciphertext, iv, authTag }, secretContext(triggerId, id)) === undefined,
  ).length;
}
