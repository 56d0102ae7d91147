// Stored responses of one web process: resolving references, storing answers, and retention.
import type { Log } from '../telemetry/log.ts';
import type { Database } from '../store/database.ts';
import { every } from '../timing/every.ts';
import { LARGE } from '../base/parse-json.ts';
import type { StoredParts } from './resolve-references.ts';
import { dropOldResponses } from './drop-old-responses.ts';
import type { References } from './find-references.ts';
import { findResponse, removeResponse } from './find-response.ts';
import { keepResponse, type NewTurn } from './keep-response.ts';
import { type LoadDeps, type Loaded, loadReferences } from './load-references.ts';
import { lookUpReferences } from './look-up-references.ts';
import { readStored } from './read-stored.ts';
import { parseStored, type StoredBytes } from './seal-response.ts';
import { isResponseBytes, type StoredKind, type StoredOwner, type StoredResponse } from './stored-response.ts';

/** Reserves this many bytes of memory; throws if they are not available. */
export type TakeBytes = (bytes: number) => void;

/** Absent in a deployment that stores no responses. */
export interface ResponseStore {
  load(owner: StoredOwner, references: References, take: TakeBytes): Promise<Loaded>;
  /** Never rejects. A client waits for it, but not for long. */
  keep(owner: StoredOwner, kind: StoredKind, turn: NewTurn): Promise<void>;
  /** As bytes, for a thread to read, if it is large. */
  find(owner: StoredOwner, id: string, take: TakeBytes): Promise<StoredResponse | StoredBytes | undefined>;
  findConversation(owner: StoredOwner, kind: StoredKind, id: string, take: TakeBytes): Promise<FoundConversation>;
  /** The same, but what is found is left to be read by a thread, however small. */
  readonly asBytes: Pick<ResponseStore, 'load' | 'findConversation'>;
  remove(owner: StoredOwner, id: string): Promise<boolean>;
}

export interface FoundConversation {
  /** From the first turn to the named one; undefined if any of it is missing. */
  readonly turns: readonly StoredResponse[] | undefined;
  readonly tooLong: boolean;
  /** Whether it belongs to another user or another workspace. */
  readonly isForeign: boolean;
  readonly bytes: number;
  /** Instead of the turns, if they are large or were wanted so. */
  readonly stored?: StoredParts;
}

export interface StoredResponses {
  readonly store: ResponseStore | undefined;
  close(): Promise<void>;
}

export interface StoredResponsesDeps {
  readonly db: Database;
  readonly log: Log;
  readonly wrappingKey: Buffer | undefined;
  /** `SERVICE_RESPONSES_RETENTION_DAYS`; 0 stores none. */
  readonly days: number;
}

const UPKEEP_EVERY_MS = 60_000;
const KEEP_WITHIN_MS = 15_000;

export function createStoredResponses({ db, log, wrappingKey, days }: StoredResponsesDeps): StoredResponses {
  const upkeep = every({
    everyMs: UPKEEP_EVERY_MS,
    task: 'remove old stored responses',
    log,
    run: () => dropOldResponses(db, days),
  });
  return {
    store: wrappingKey === undefined || days === 0 ? undefined : createStore({ db, log, wrappingKey, days }),
    close: () => upkeep.stop(),
  };
}

function createStore(deps: StoredResponsesDeps & { readonly wrappingKey: Buffer }): ResponseStore {
  const { db, log, days } = deps;
  return {
    ...createReaders(deps),
    asBytes: createReaders({ ...deps, asBytes: true }),
    async keep(owner, kind, turn) {
      const kept = keepResponse(deps, owner, kind, turn).catch((error: unknown) =>
        log.warn({ err: error, id: idOf(turn) }, 'could not store answer; later requests cannot refer to it'),
      );
      await Promise.race([kept, elapsed(KEEP_WITHIN_MS)]);
    },
    find: (owner, id, take) => findResponse(deps, owner, id, take),
    remove: (owner, id) => removeResponse(db, owner, id, days),
  };
}

function createReaders({
  db,
  wrappingKey,
  days,
  asBytes = false,
}: LoadDeps): Pick<ResponseStore, 'load' | 'findConversation'> {
  return {
    load: (owner, references, take) => loadReferences({ db, wrappingKey, days, asBytes }, owner, references, take),
    async findConversation(owner, kind, id, take) {
      const {
        chain = [],
        tooLong,
        foreign,
        bytes,
      } = await lookUpReferences(db, owner, { kind, previousId: id, itemIds: [] }, days);
      const found = { tooLong, isForeign: foreign.has(id), bytes };
      if (chain.length === 0) return { ...found, turns: undefined };
      take(bytes);
      const stored = new Map(
        (await readStored(db, wrappingKey, owner, { whole: chain, outputs: [] })).map((row) => [row.id, row] as const),
      );
      const rows = chain.flatMap((one) => stored.get(one) ?? []);
      if (asBytes || bytes > LARGE.bytes)
        return rows.length === chain.length
          ? { ...found, turns: [], stored: { rows } }
          : { ...found, turns: undefined };
      const turns = rows.flatMap((row) => parseStored(row) ?? []);
      return { ...found, turns: turns.length === chain.length ? turns : undefined };
    },
  };
}

function idOf({ response }: NewTurn): unknown {
  return (isResponseBytes(response) ? response.head : response)['id'];
}

function elapsed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
