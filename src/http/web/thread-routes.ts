import { AppError } from '../../base/errors.ts';
import { removeVersion, switchVersion } from '../../chat/threads/change-versions.ts';
import { copyThread } from '../../chat/threads/copy-thread.ts';
import { listMessages } from '../../chat/threads/messages.ts';
import { stopAnswer } from '../../chat/threads/stop-answer.ts';
import { closeIfDead, findStream, STOP_TOPIC } from '../../chat/threads/streams.ts';
import { showRuns } from '../../chat/threads/show-runs.ts';
import { getThread, listThreads, removeThread, renameThread, type StoredThread } from '../../chat/threads/threads.ts';
import { findVersions } from '../../chat/threads/versions.ts';
import type { Thread } from '../../contract/threads.ts';
import { readShownRuns } from '../../runs/reading/read-shown-runs.ts';
import type { Database } from '../../store/database.ts';
import { type Listener, notify } from '../../store/listen.ts';
import { cutPage, rowsToRead } from '../../tenancy/paging.ts';
import { member, web } from './authorize.ts';

const MESSAGES = 50;

interface ThreadRouteDeps {
  readonly db: Database;
  readonly listener: Listener | undefined;
  readonly storageBytes: number;
}

export function threadRoutes({ db, listener, storageBytes }: ThreadRouteDeps) {
  return {
    threads: {
      list: member.threads.list.handler(async ({ context: { membership }, input }) => {
        const found = await listThreads(db, {
          userId: membership.userId,
          organizationId: membership.organizationId,
          workspace: input.workspace,
          search: input.search,
          after: readCursor(input.cursor),
          limit: rowsToRead(input),
        });
        const { rows, ...more } = cutPage(found, input, ({ updatedAt, id }) =>
          Buffer.from(`${updatedAt}|${id}`).toString('base64url'),
        );
        return { threads: rows.map(present), ...more };
      }),
      show: web.threads.show.handler(async ({ context, input: { thread: id, before, limit = MESSAGES } }) => {
        let thread = await getThread(db, context.user.id, id);
        let stream = await findStream(db, id);
        if (stream?.dead) {
          // Its process is gone: what it had written is the answer, and the reader can try again.
          await closeIfDead(db, id);
          thread = await getThread(db, context.user.id, id);
          stream = await findStream(db, id);
        }
        const reader = { userId: context.user.id, organizationId: thread.organizationId };
        const messages = await showRuns(await listMessages(db, id, { before, limit }), (ids) =>
          readShownRuns(db, reader, ids),
        );
        const versions = await findVersions(db, id, messages);
        const first = messages[0]?.position ?? 0;
        return {
          thread: {
            ...present(thread),
            organization: thread.organizationId,
            messages: messages.map(({ position: _position, ...message }) => {
              const known = versions.get(message.id);
              return known === undefined ? message : { ...message, versions: known };
            }),
          },
          streaming: stream !== undefined,
          ...(first > 0 ? { before: first } : {}),
        };
      }),
      update: web.threads.update.handler(async ({ context, input }) => ({
        thread: present(await renameThread(db, context.user.id, input.thread, input.title)),
      })),
      remove: web.threads.remove.handler(async ({ context, input }) => {
        await removeThread(db, context.user.id, input.thread);
        // Stops an answer that is still being written.
        await notify(db, db, STOP_TOPIC, input.thread);
        return { ok: true as const };
      }),
      switchVersion: web.threads.switchVersion.handler(async ({ context, input: { thread, message } }) => {
        await switchVersion(db, { userId: context.user.id, threadId: thread, messageId: message });
        return { ok: true as const };
      }),
      removeVersion: web.threads.removeVersion.handler(async ({ context, input: { thread, message } }) => {
        await removeVersion({ db, listener }, { userId: context.user.id, threadId: thread, messageId: message });
        return { ok: true as const };
      }),
      copy: web.threads.copy.handler(async ({ context, input: { thread, message } }) => ({
        thread: present(
          await copyThread(db, { userId: context.user.id, threadId: thread, messageId: message, storageBytes }),
        ),
      })),
    },
    chat: {
      stop: web.chat.stop.handler(async ({ context, input }) => ({
        ok: true as const,
        stopped: await stopAnswer({ db, listener }, context.user.id, input.thread),
      })),
    },
  };
}

function present({ id, title, workspace, createdAt, updatedAt }: StoredThread): Thread {
  return { id, title, workspace, createdAt, updatedAt };
}

function readCursor(cursor: string | undefined): { updatedAt: string; id: string } | undefined {
  if (cursor === undefined) return undefined;
  const [, updatedAt, id] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\|([\w-]+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (updatedAt === undefined || id === undefined || Number.isNaN(Date.parse(updatedAt)))
    throw new AppError('invalid_request', { cursor: 'is not a cursor of this list' });
  return { updatedAt, id };
}
