// The secrets of environments, opened for runs that work in them.
import { AppError } from '../../base/errors.ts';
import { unseal } from '../../base/seal.ts';
import type { Queryable } from '../../store/database.ts';
import { secretContext } from './change-environment.ts';
import type { RunEnvironment } from './environment.ts';

interface SecretRow extends Record<string, unknown> {
  name: string;
  ciphertext: Buffer;
  iv: Buffer;
  auth_tag: Buffer;
}

/** By name. A run does not begin without one of them: it would fail later, where nobody knows why. */
export async function openSecrets(
  on: Queryable,
  key: Buffer | undefined,
  { id, name }: Pick<RunEnvironment, 'id' | 'name'>,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await on.query<SecretRow>(
    'select name, ciphertext, iv, auth_tag from :schema.environment_secret where environment_id = $1 order by name',
    [id],
  );
  return new Map(
    rows.map((row) => {
      const value = openSecret(key, id, row);
      if (value === undefined) throw new AppError('environment_secret_lost', { environment: name, secret: row.name });
      return [row.name, value];
    }),
  );
}

const SAMPLED = 1_000;

/** How many of a sample do not open with this key. */
export async function countUnopened(on: Queryable, key: Buffer | undefined): Promise<number> {
  const { rows } = await on.query<SecretRow & { environment_id: string }>(
    `select environment_id, name, ciphertext, iv, auth_tag from :schema.environment_secret limit ${SAMPLED}`,
  );
  return rows.filter((row) => openSecret(key, row.environment_id, row) === undefined).length;
}

function openSecret(
  key: Buffer | undefined,
  environmentId: string,
  { name, ciphertext, iv, auth_tag: authTag }: SecretRow,
): string | undefined {
  return key && unseal(key, { ciphertext, iv, authTag }, secretContext(environmentId, name));
}
