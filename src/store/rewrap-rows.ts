// Moves what is encrypted in the rows of a table from one wrapping key to another, one page at a time in key order. What
// neither key opens is left alone and counted.
import { type Sealed, sealLarge, unsealLarge } from '../base/seal.ts';
import type { Database, Transaction } from './database.ts';

export interface Rewrapped {
  /** Now encrypted with the new key. */
  readonly moved: number;
  /** Already encrypted with the new key. */
  readonly kept: number;
  /** Open with neither key. */
  readonly lost: number;
}

export interface WrappingKeys {
  readonly from: Buffer;
  readonly to: Buffer;
}

/** One encrypted value of a row, and what it is bound to. */
export interface SealedValue {
  readonly sealed: Sealed;
  readonly context: readonly string[];
}

export interface SealedTable<Row extends Record<string, unknown>> {
  readonly limit: number;
  /** Rows after the key in `$1` and following, in key order, at most `limit`, locked for update. */
  readonly read: string;
  readonly keyOf: (row: Row) => readonly string[];
  readonly valuesOf: (row: Row) => readonly SealedValue[];
  /** Takes the key, then ciphertext, iv and tag of each value. */
  readonly write: string;
}

interface RewrappedPage {
  readonly counts: Rewrapped;
  /** The key after which the next page begins; undefined after the last one. */
  readonly next: readonly string[] | undefined;
}

async function rewrapPage<Row extends Record<string, unknown>>(
  tx: Transaction,
  table: SealedTable<Row>,
  keys: WrappingKeys,
  after: readonly string[],
): Promise<RewrappedPage> {
  const { rows } = await tx.query<Row>(table.read, [...after]);
  const counts = { moved: 0, kept: 0, lost: 0 };
  for (const row of rows) counts[await rewrapRow(tx, table, keys, row)]++;
  const last = rows.at(-1);
  return { counts, next: last === undefined || rows.length < table.limit ? undefined : table.keyOf(last) };
}

/** All in one transaction. */
export function rewrapAll<Row extends Record<string, unknown>>(
  tx: Transaction,
  table: SealedTable<Row>,
  keys: WrappingKeys,
  first: readonly string[],
): Promise<Rewrapped> {
  return addPages((at) => rewrapPage(tx, table, keys, at), first);
}

/** Each page in a transaction of its own. */
export function rewrapInPages<Row extends Record<string, unknown>>(
  db: Database,
  table: SealedTable<Row>,
  keys: WrappingKeys,
  first: readonly string[],
): Promise<Rewrapped> {
  return addPages((at) => db.transaction((tx) => rewrapPage(tx, table, keys, at)), first);
}

async function addPages(
  rewrap: (at: readonly string[]) => Promise<RewrappedPage>,
  first: readonly string[],
): Promise<Rewrapped> {
  const counts = { moved: 0, kept: 0, lost: 0 };
  for (let at: readonly string[] | undefined = first; at !== undefined;) {
    const page = await rewrap(at);
    for (const what of ['moved', 'kept', 'lost'] as const) counts[what] += page.counts[what];
    at = page.next;
  }
  return counts;
}

/** All values of a row move together. */
async function rewrapRow<Row extends Record<string, unknown>>(
  tx: Transaction,
  table: SealedTable<Row>,
  { from, to }: WrappingKeys,
  row: Row,
): Promise<keyof Rewrapped> {
  const values = table.valuesOf(row);
  const opened = async (key: Buffer): Promise<Buffer[] | undefined> => {
    const plain = await Promise.all(values.map(({ sealed, context }) => unsealLarge(key, sealed, context)));
    return plain.every((one) => one !== undefined) ? plain : undefined;
  };
  if (await opened(to)) return 'kept';
  const plain = await opened(from);
  if (plain === undefined) return 'lost';
  const resealed = await Promise.all(values.map(({ context }, at) => sealLarge(to, plain.slice(at, at + 1), context)));
  await tx.query(table.write, [
    ...table.keyOf(row),
    ...resealed.flatMap(({ ciphertext, iv, authTag }) => [ciphertext, iv, authTag]),
  ]);
  return 'moved';
}
