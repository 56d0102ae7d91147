// The key of the digests by which the rows of a provider's connection are found. It is derived from the first encryption
// key and never changes: the digest is all that is left of a removed connection. Once the encryption key has been replaced
// it is stored, encrypted with the current one.
import { hkdfSync } from 'node:crypto';
import { AppError } from '../base/errors.ts';
import { seal, unseal } from '../base/seal.ts';
import type { Database, Queryable, Transaction } from '../store/database.ts';
import type { WrappingKeys } from '../store/rewrap-rows.ts';

const KEY_VERSION = 1;
const CONTEXT = ['connection_digest_key'];

interface Row extends Record<string, unknown> {
  ciphertext: Buffer;
  iv: Buffer;
  auth_tag: Buffer;
}

/** It never changes, so a process reads it once. */
const known = new WeakMap<Database, { readonly wrappingKey: Buffer; readonly key: Buffer }>();

/** `on` is the transaction to read it in, where there is one. */
export async function findDigestKey(db: Database, wrappingKey: Buffer, on: Queryable = db): Promise<Buffer> {
  const cached = known.get(db);
  if (cached?.wrappingKey.equals(wrappingKey)) return cached.key;
  const key = await readDigestKey(on, wrappingKey);
  if (key === undefined) throw new AppError('connection_undecryptable');
  known.set(db, { wrappingKey, key });
  return key;
}

/** Stores the key so that the new wrapping key opens it. Whether it was, or already is, so. */
export async function rewrapDigestKey(tx: Transaction, { from, to }: WrappingKeys): Promise<boolean> {
  if (await isStored(tx)) if (await readDigestKey(tx, to)) return true;
  const key = await readDigestKey(tx, from);
  if (key === undefined) return false;
  const { ciphertext, iv, authTag } = seal(to, key.toString('base64'), CONTEXT);
  await tx.query(
    `insert into :schema.connection_digest_key (ciphertext, iv, auth_tag, key_version) values ($1, $2, $3, $4)
     on conflict (single) do update set ciphertext = excluded.ciphertext, iv = excluded.iv, auth_tag = excluded.auth_tag`,
    [ciphertext, iv, authTag, KEY_VERSION],
  );
  return true;
}

async function isStored(on: Queryable): Promise<boolean> {
  return (await on.query('select 1 from :schema.connection_digest_key')).rows.length > 0;
}

/** Undefined if it is stored and this wrapping key does not open it. */
async function readDigestKey(on: Queryable, wrappingKey: Buffer): Promise<Buffer | undefined> {
  const { rows } = await on.query<Row>('select ciphertext, iv, auth_tag from :schema.connection_digest_key');
  const [row] = rows;
  if (!row) return Buffer.from(hkdfSync('sha256', wrappingKey, '', 'connection reference digest', 32));
  const text = unseal(wrappingKey, { ciphertext: row.ciphertext, iv: row.iv, authTag: row.auth_tag }, CONTEXT);
  return text === undefined ? undefined : Buffer.from(text, 'base64');
}
