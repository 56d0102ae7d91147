// Stored responses of one web process: what requests refer to, what answers leave behind, and the end of both.
import type { Log } from '../../base/log.ts';
import type { Database } from '../../store/database.ts';
import { dropOldResponses } from './drop-old-responses.ts';
import type { References } from './find-references.ts';
import { findResponse, removeResponse } from './find-response.ts';
import { keepResponse, type NewTurn } from './keep-response.ts';
import { type Loaded, loadReferences } from './load-references.ts';
import { lookUpReferences } from './look-up-references.ts';
import { readStored } from './read-stored.ts';
import type { StoredKind, StoredPlace, StoredResponse } from './stored-response.ts';

/** Takes room in memory for so many bytes; throws when there is none. */
export type TakeBytes = (bytes: number) => void;

/** What a deployment that stores nothing has none of. */
export interface ResponseStore {
  load(place: StoredPlace, references: References, take: TakeBytes): Promise<Loaded>;
  /** Never rejects. A client waits for it, but not for long. */
  keep(place: StoredPlace, kind: StoredKind, turn: NewTurn): Promise<void>;
  find(place: StoredPlace, id: string): Promise<StoredResponse | undefined>;
  findConversation(place: StoredPlace, kind: StoredKind, id: string, take: TakeBytes): Promise<FoundConversation>;
  remove(place: StoredPlace, id: string): Promise<boolean>;
}

export interface FoundConversation {
  /** From the first turn to the one that is named; undefined when it is not there as a whole. */
  readonly turns: readonly StoredResponse[] | undefined;
  readonly tooLong: boolean;
  /** Whether it is another person's, or of another workspace. */
  readonly isForeign: boolean;
  readonly bytes: number;
}

export interface StoredResponses {
  readonly store: ResponseStore | undefined;
  close(): void;
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
  const upkeep = setInterval(
    () =>
      void dropOldResponses(db, days).catch((error: unknown) =>
        log.warn({ err: error }, 'old stored responses could not be removed; trying again'),
      ),
    UPKEEP_EVERY_MS,
  );
  return {
    store: wrappingKey === undefined || days === 0 ? undefined : createStore({ db, log, wrappingKey, days }),
    close: () => clearInterval(upkeep),
  };
}

function createStore(deps: StoredResponsesDeps & { readonly wrappingKey: Buffer }): ResponseStore {
  const { db, log, wrappingKey, days } = deps;
  return {
    load: (place, references, take) => loadReferences(deps, place, references, take),
    async keep(place, kind, turn) {
      const kept = keepResponse(deps, place, kind, turn).catch((error: unknown) =>
        log.warn({ err: error, id: turn.response['id'] }, 'an answer could not be stored; it cannot be referred to'),
      );
      await Promise.race([kept, elapsed(KEEP_WITHIN_MS)]);
    },
    find: (place, id) => findResponse(deps, place, id),
    async findConversation(place, kind, id, take) {
      const {
        chain = [],
        tooLong,
        foreign,
        bytes,
      } = await lookUpReferences(db, place, { kind, previousId: id, itemIds: [] }, days);
      const found = { tooLong, isForeign: foreign.has(id), bytes };
      if (chain.length === 0) return { ...found, turns: undefined };
      take(bytes);
      const stored = await readStored(db, wrappingKey, place, chain);
      const turns = chain.flatMap((one) => stored.get(one) ?? []);
      return { ...found, turns: turns.length === chain.length ? turns : undefined };
    },
    remove: (place, id) => removeResponse(db, place, id, days),
  };
}

function elapsed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
