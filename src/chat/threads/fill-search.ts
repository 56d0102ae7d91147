// Makes messages from before there was a search findable. Each statement adds a few rows and locks no others, so it runs
// beside everything else; processes that do it at once do not disturb each other.
import type { Log } from '../../base/log.ts';
import type { Database } from '../../store/database.ts';
import { every } from '../../timing/every.ts';

const EVERY_MS = 1_000;
const BATCHES = 20;
const BATCH = 100;

export interface FillingSearch {
  close(): Promise<void>;
}

export function startFillingSearch({ db, log }: { db: Database; log: Log }): FillingSearch {
  let after: string | undefined = '';
  const filling = every({
    everyMs: EVERY_MS,
    task: 'add older messages to the search',
    log,
    async run(stopping) {
      for (let batch = 0; batch < BATCHES && after !== undefined && !stopping.aborted; batch++)
        after = await fillSearch(db, after, BATCH);
      // Not awaited: it waits for this run.
      if (after === undefined) void filling.stop();
    },
  });
  return { close: () => filling.stop() };
}

/** Looks at the next messages after an id, and returns the last of them; undefined at the end. */
export async function fillSearch(db: Database, after: string, most: number): Promise<string | undefined> {
  const { rows } = await db.query<{ last: string | null }>('select :schema.chat_search_fill($1, $2) as last', [
    after,
    most,
  ]);
  return rows[0]?.last ?? undefined;
}
