import type { CopiedMessage } from '../../threads/shares.ts';
import type { StoredThread } from '../../threads/threads.ts';
import type { SharedMessage } from '../../contract/shares.ts';
import type { Thread } from '../../contract/threads.ts';

export function presentThread(thread: StoredThread): Thread {
  const { organizationId: _organization, wantsTitle: _wants, messages: _count, ...shown } = thread;
  return shown;
}

/** Of what is known about an answer, a link shows only the model. */
export function presentShared({
  position: _position,
  metadata: { model, served },
  ...message
}: CopiedMessage): SharedMessage {
  return { ...message, ...(model === undefined ? {} : { model }), ...(served === undefined ? {} : { served }) };
}
