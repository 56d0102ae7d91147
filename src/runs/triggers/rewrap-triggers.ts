// Moves secrets of triggers and payloads that are kept from one encryption key to another, a page in a transaction of its
// own.
import type { Database } from '../../store/database.ts';
import { rewrapInPages, type Rewrapped, type SealedTable, type WrappingKeys } from '../../store/rewrap-rows.ts';
import { deliveryContext } from './deliveries.ts';
import { secretContext } from './trigger-secrets.ts';

interface Row extends Record<string, unknown> {
  id: string;
  trigger_id: string;
  ciphertext: Buffer;
  iv: Buffer;
  auth_tag: Buffer;
}

function sealedTable(
  table: 'trigger_secret' | 'trigger_delivery',
  limit: number,
  contextOf: (triggerId: string, id: string) => string[],
): SealedTable<Row> {
  return {
    limit,
    read: `select id, trigger_id, ciphertext, iv, auth_tag from :schema.${table}
            where id > $1 collate "C" and ciphertext is not null order by id limit ${limit} for update`,
    keyOf: ({ id }) => [id],
    valuesOf: ({ id, trigger_id: triggerId, ciphertext, iv, auth_tag: authTag }) => [
      { sealed: { ciphertext, iv, authTag }, context: contextOf(triggerId, id) },
    ],
    write: `update :schema.${table} set ciphertext = $2, iv = $3, auth_tag = $4 where id = $1`,
  };
}

const SECRETS = sealedTable('trigger_secret', 500, secretContext);
/** A payload may have a megabyte. */
const PAYLOADS = sealedTable('trigger_delivery', 20, deliveryContext);

export async function rewrapTriggers(
  db: Database,
  keys: WrappingKeys,
): Promise<Readonly<Record<'triggerSecrets' | 'triggerPayloads', Rewrapped>>> {
  return {
    triggerSecrets: await rewrapInPages(db, SECRETS, keys, ['']),
    triggerPayloads: await rewrapInPages(db, PAYLOADS, keys, ['']),
  };
}
