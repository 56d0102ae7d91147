// The secrets of an environment, opened for a run that works in it.
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
      const { ciphertext, iv, auth_tag: authTag } = row;
      const value = key && unseal(key, { ciphertext, iv, authTag }, secretContext(id, row.name));
      if (value === undefined) throw new AppError('environment_secret_lost', { environment: name, secret: row.name });
      return [row.name, value];
    }),
  );
}
