import type { StoredThread } from '../../chat/threads/threads.ts';
import type { Thread } from '../../contract/threads.ts';

export function presentThread(thread: StoredThread): Thread {
  const { organizationId: _organization, wantsTitle: _wants, messages: _count, ...shown } = thread;
  return shown;
}
