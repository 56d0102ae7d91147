// Moves mail that waits from one encryption key to another, a page in a transaction of its own.
import type { Database } from '../store/database.ts';
import { rewrapInPages, type Rewrapped, type SealedTable, type WrappingKeys } from '../store/rewrap-rows.ts';
import { sealingContext } from './create-mailer.ts';

interface Row extends Record<string, unknown> {
  id: string;
  recipient: string;
  ciphertext: Buffer;
  iv: Buffer;
  auth_tag: Buffer;
}

const LIMIT = 500;

const MAIL: SealedTable<Row> = {
  limit: LIMIT,
  read: `select id, recipient, ciphertext, iv, auth_tag from :schema.mail
          where id > $1 and ciphertext is not null order by id limit ${LIMIT} for update`,
  keyOf: ({ id }) => [id],
  valuesOf: ({ id, recipient, ciphertext, iv, auth_tag: authTag }) => [
    { sealed: { ciphertext, iv, authTag }, context: sealingContext(id, recipient) },
  ],
  write: 'update :schema.mail set ciphertext = $2, iv = $3, auth_tag = $4 where id = $1',
};

export function rewrapMail(db: Database, keys: WrappingKeys): Promise<Rewrapped> {
  return rewrapInPages(db, MAIL, keys, ['']);
}
