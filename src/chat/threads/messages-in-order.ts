// A whole conversation from its first message on, a page at a time, so that a long one never is in memory as a whole.
import type { Queryable } from '../../store/database.ts';
import { listMessages, type StoredMessage } from './messages.ts';

const PAGE = 50;

/** As it was at the beginning: messages that are added meanwhile are left out. */
export async function* messagesInOrder(db: Queryable, threadId: string): AsyncGenerator<StoredMessage[]> {
  const ends: number[] = [];
  // Pages are read from the end, so the first time only to learn where they begin.
  for (let before: number | undefined; ;) {
    const page = await listMessages(db, threadId, { before, limit: PAGE });
    const last = page.at(-1);
    if (last) ends.push(before ?? last.position + 1);
    before = page[0]?.position;
    if (page.length < PAGE || before === undefined) break;
  }
  for (const before of ends.toReversed()) yield listMessages(db, threadId, { before, limit: PAGE });
}
