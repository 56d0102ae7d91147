// Moves the secrets of subscriptions from one encryption key to another.
import type { Database } from '../store/database.ts';
import { rewrapInPages, type Rewrapped, type SealedTable, type WrappingKeys } from '../store/rewrap-rows.ts';
import { sealingContext } from './subscription.ts';

interface Row extends Record<string, unknown> {
  id: string;
  ciphertext: Buffer;
  iv: Buffer;
  auth_tag: Buffer;
}

const LIMIT = 500;

const SECRETS: SealedTable<Row> = {
  limit: LIMIT,
  read: `select id, ciphertext, iv, auth_tag from :schema.subscription where id > $1 order by id limit ${LIMIT} for update`,
  keyOf: ({ id }) => [id],
  valuesOf: ({ id, ciphertext, iv, auth_tag: authTag }) => [
    { sealed: { ciphertext, iv, authTag }, context: sealingContext(id) },
  ],
  write: 'update :schema.subscription set ciphertext = $2, iv = $3, auth_tag = $4 where id = $1',
};

export function rewrapSubscriptions(db: Database, keys: WrappingKeys): Promise<Rewrapped> {
  return rewrapInPages(db, SECRETS, keys, ['']);
}
