// Plans are cached per connection. One that was made while a table was small would go on scanning it after it has grown,
// so these statements are planned with everything but index access turned off.
import type { Database, Transaction } from '../../store/database.ts';

const INDEXES_ONLY =
  "select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)";

export function throughIndexes<T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.query(INDEXES_ONLY);
    return work(tx);
  });
}
