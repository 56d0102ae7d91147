// Moves the secrets of environments from one encryption key to another.
import type { Database } from '../../store/database.ts';
import { rewrapInPages, type Rewrapped, type SealedTable, type WrappingKeys } from '../../store/rewrap-rows.ts';
import { secretContext } from './change-environment.ts';

interface Row extends Record<string, unknown> {
  environment_id: string;
  name: string;
  ciphertext: Buffer;
  iv: Buffer;
  auth_tag: Buffer;
}

const LIMIT = 500;

const SECRETS: SealedTable<Row> = {
  limit: LIMIT,
  read: `select environment_id, name, ciphertext, iv, auth_tag from :schema.environment_secret
          where (environment_id, name) > ($1, $2) order by environment_id, name limit ${LIMIT} for update`,
  keyOf: ({ environment_id: id, name }) => [id, name],
  valuesOf: ({ environment_id: id, name, ciphertext, iv, auth_tag: authTag }) => [
    { sealed: { ciphertext, iv, authTag }, context: secretContext(id, name) },
  ],
  write:
    'update :schema.environment_secret set ciphertext = $3, iv = $4, auth_tag = $5 where environment_id = $1 and name = $2',
};

export function rewrapEnvironments(db: Database, keys: WrappingKeys): Promise<Rewrapped> {
  return rewrapInPages(db, SECRETS, keys, ['', '']);
}
