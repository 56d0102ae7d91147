// Loads the contents of a request's references, as far as the user may access them. An item is read once and counted at
// each position that refers to it, because that is what a provider would be sent.
import { AppError } from '../base/errors.ts';
import type { Database } from '../store/database.ts';
import { LARGE } from '../base/parse-json.ts';
import type { Found } from './expand-references.ts';
import type { References } from './find-references.ts';
import { lookUpReferences } from './look-up-references.ts';
import { readStored } from './read-stored.ts';
import { resolveReferences, rowsOf, type StoredParts } from './resolve-references.ts';
import { STORED_ID, STORED_LIMITS, type StoredOwner } from './stored-response.ts';

export interface LoadDeps {
  readonly db: Database;
  readonly wrappingKey: Buffer;
  readonly days: number;
  /** Leaves what is found to be read by a thread, however small. */
  readonly asBytes?: boolean;
}

export interface Loaded extends Found {
  readonly tooLong: boolean;
  readonly foreign: ReadonlySet<string>;
  /** What is inserted into the request, by position. */
  readonly bytes: number;
  /** If it is large, or was wanted so: what a thread finds the rest in. */
  readonly stored?: StoredParts;
}

/**
 * `take` is called with the number of bytes before any of them are read, and with those that positions repeat; an error
 * it throws is a refusal.
 */
export async function loadReferences(
  { db, wrappingKey, days, asBytes = false }: LoadDeps,
  owner: StoredOwner,
  { previousId, items }: References,
  take: (bytes: number) => void,
): Promise<Loaded> {
  if (items.size > STORED_LIMITS.references)
    throw new AppError('invalid_request', { input: `refers to more than ${STORED_LIMITS.references} items` });
  const itemIds = [...new Set(items.values())].filter((id) => STORED_ID.test(id));
  const { chain, holders, foreign, bytes, ...looked } = await lookUpReferences(
    db,
    owner,
    {
      kind: 'response',
      previousId: previousId !== undefined && STORED_ID.test(previousId) ? previousId : undefined,
      itemIds,
    },
    days,
  );
  if (looked.tooLong || bytes > STORED_LIMITS.conversationBytes)
    return { ...UNRESOLVED, tooLong: true, foreign, bytes };
  if (bytes > 0) take(bytes);

  const plan = { references: { previousId, items }, chain, holders };
  const rows = await readStored(db, wrappingKey, owner, rowsOf(plan));
  const found = asBytes || bytes > LARGE.bytes ? undefined : resolveReferences(plan, rows);
  const inserted = found?.bytes ?? bytes;
  const tooLong = inserted > STORED_LIMITS.conversationBytes;
  if (!tooLong && inserted > bytes) take(inserted - bytes);
  // A small item that is referred to many times is large too.
  if (found && (tooLong || inserted <= LARGE.bytes)) return { ...found, tooLong, foreign };
  return { ...UNRESOLVED, bytes: inserted, tooLong, foreign, stored: { plan, rows } };
}

const UNRESOLVED: Found = { conversation: undefined, items: new Map() };
