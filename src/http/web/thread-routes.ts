import { AppError } from '../../base/errors.ts';
import { PAGE_BYTES } from '../../base/page-bytes.ts';
import { removeVersion, switchVersion } from '../../threads/change-versions.ts';
import { copyThread } from '../../threads/copy-thread.ts';
import { findFeedback } from '../../threads/feedback.ts';
import { findEnd, listMessages } from '../../threads/messages.ts';
import { searchMessages } from '../../threads/search-messages.ts';
import { findShare, openShare, removeShare, saveShare } from '../../threads/shares.ts';
import { stopAnswer } from '../../threads/stop-answer.ts';
import { closeIfDead, findStream, STOP_TOPIC } from '../../threads/streams.ts';
import { showRuns } from '../../threads/show-runs.ts';
import { findVersions } from '../../threads/versions.ts';
import { changeThread, getThread, listThreads, removeThread, removeThreads } from '../../threads/threads.ts';
import { readShownRuns } from '../../runs/reading/read-shown-runs.ts';
import type { Database } from '../../store/database.ts';
import { type Listener, notify } from '../../store/listen.ts';
import { cutPage, readIdCursor, rowsToRead } from '../../tenancy/paging.ts';
import { decidedMembership, member, web } from './authorize.ts';
import { presentShared, presentThread } from './present-thread.ts';

const MESSAGES = 50;
const FOUND = 20;

interface ThreadRouteDeps {
  readonly db: Database;
  readonly listener: Listener | undefined;
  readonly storageBytes: number;
}

export function threadRoutes({ db, listener, storageBytes }: ThreadRouteDeps) {
  return {
    threads: {
      search: searchThreads(db),
      list: member.threads.list.handler(async ({ context: { membership }, input }) => {
        const found = await listThreads(db, {
          userId: membership.userId,
          organizationId: membership.organizationId,
          workspace: input.workspace,
          search: input.search,
          show: input.show ?? 'active',
          project: input.project,
          after: readCursor(input.cursor),
          limit: rowsToRead(input),
        });
        const { rows, ...more } = cutPage(found, input, ({ pinned, updatedAt, id }) =>
          Buffer.from(`${pinned ? 'pinned|' : ''}${updatedAt}|${id}`).toString('base64url'),
        );
        return { threads: rows.map(presentThread), ...more };
      }),
      show: web.threads.show.handler(async ({ context, input: { thread: id, limit = MESSAGES, ...at } }) => {
        let thread = await getThread(db, context.user.id, id);
        let stream = await findStream(db, id);
        if (stream?.dead) {
          // Its process is gone: what it had written is the answer, and the reader can try again.
          await closeIfDead(db, id);
          thread = await getThread(db, context.user.id, id);
          stream = await findStream(db, id);
        }
        const reader = { userId: context.user.id, organizationId: thread.organizationId };
        const messages = await showRuns(await listMessages(db, id, { ...at, limit }), (ids) =>
          readShownRuns(db, reader, ids, charactersOfRun(ids.length)),
        );
        const versions = await findVersions(db, id, messages);
        const rated = await findFeedback(db, id, messages);
        const first = messages[0]?.position ?? 0;
        const last = messages.at(-1)?.position;
        // Only a page that was asked for by its place may end before the latest message.
        const end = Object.values(at).some((place) => place !== undefined) ? await findEnd(db, id) : last;
        return {
          thread: {
            ...presentThread(thread),
            organization: thread.organizationId,
            messages: messages.map(({ position: _position, ...message }) => {
              const [known, feedback] = [versions.get(message.id), rated.get(message.id)];
              return { ...message, ...(known && { versions: known }), ...(feedback && { feedback }) };
            }),
          },
          streaming: stream !== undefined,
          ...(first > 0 ? { before: first } : {}),
          ...(last !== undefined && end !== undefined && last < end ? { after: last } : {}),
        };
      }),
      update: web.threads.update.handler(async ({ context, input: { thread, ...change } }) => ({
        thread: presentThread(await changeThread(db, context.user.id, thread, change)),
      })),
      remove: web.threads.remove.handler(async ({ context, input }) => {
        await removeThread(db, context.user.id, input.thread);
        // Stops an answer that is still being written.
        await notify(db, db, STOP_TOPIC, input.thread);
        return { ok: true as const };
      }),
      ...versionRoutes({ db, listener, storageBytes }),
      removeMany: web.threads.removeMany.handler(async ({ context, input }) => {
        const deleted = await removeThreads(db, decidedMembership(context), input.threads);
        for (const id of deleted) await notify(db, db, STOP_TOPIC, id);
        return { deleted };
      }),
      share: shareRoutes(db),
    },
    shares: { show: showShare(db) },
    chat: {
      stop: web.chat.stop.handler(async ({ context, input }) => ({
        ok: true as const,
        stopped: await stopAnswer({ db, listener }, context.user.id, input.thread),
      })),
    },
  };
}

/** Of the result of each run on a page: the whole is on the run's own page. */
function charactersOfRun(runs: number): number {
  return Math.floor(PAGE_BYTES / Math.max(16, runs));
}

function searchThreads(db: Database) {
  return member.threads.search.handler(async ({ context: { membership }, input: { limit = FOUND, ...input } }) => {
    const { hits, cursor } = await searchMessages(db, {
      userId: membership.userId,
      organizationId: membership.organizationId,
      workspace: input.workspace,
      text: input.q,
      after: readIdCursor(input.cursor, 'msg') || undefined,
      limit,
    });
    return {
      results: hits.map((hit) => ({ ...hit, thread: presentThread(hit.thread) })),
      ...(cursor === undefined ? {} : { cursor }),
    };
  });
}

/** Other versions of a message, and a thread that continues from one. */
function versionRoutes({ db, listener, storageBytes }: ThreadRouteDeps) {
  return {
    switchVersion: web.threads.switchVersion.handler(async ({ context, input: { thread, message } }) => {
      await switchVersion(db, { userId: context.user.id, threadId: thread, messageId: message });
      return { ok: true as const };
    }),
    removeVersion: web.threads.removeVersion.handler(async ({ context, input: { thread, message } }) => {
      await removeVersion({ db, listener }, { userId: context.user.id, threadId: thread, messageId: message });
      return { ok: true as const };
    }),
    copy: web.threads.copy.handler(async ({ context, input: { thread, message } }) => ({
      thread: presentThread(
        await copyThread(db, { userId: context.user.id, threadId: thread, messageId: message, storageBytes }),
      ),
    })),
  };
}

/** What a link shows to a member of its workspace. */
function showShare(db: Database) {
  return web.shares.show.handler(async ({ context, input: { share, before, limit = MESSAGES } }) => {
    const { messages, ...shared } = await openShare(db, context.user.id, { shareId: share, before, limit });
    const reader = { userId: context.user.id, organizationId: shared.organization };
    const shown = await showRuns(messages, (ids) => readShownRuns(db, reader, ids, charactersOfRun(ids.length)));
    const first = shown[0]?.position ?? 0;
    return {
      share: {
        ...shared,
        messages: shown.map(presentShared),
      },
      ...(first > 0 ? { before: first } : {}),
    };
  });
}

function shareRoutes(db: Database) {
  const { share } = web.threads;
  return {
    show: share.show.handler(async ({ context, input: { thread } }) => {
      const { share: found, blocked } = await findShare(db, context.user.id, thread);
      return { ...(found ? { share: found } : {}), ...(blocked ? { blocked } : {}) };
    }),
    save: share.save.handler(async ({ context, input: { thread } }) => ({
      share: await saveShare(db, context.user, thread),
    })),
    remove: share.remove.handler(async ({ context, input: { thread } }) => {
      await removeShare(db, context.user.id, thread);
      return { ok: true as const };
    }),
  };
}

function readCursor(cursor: string | undefined): { pinned: boolean; updatedAt: string; id: string } | undefined {
  if (cursor === undefined) return undefined;
  const [, pinned, updatedAt, id] =
    /^(pinned\|)?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\|([\w-]+)$/.exec(
      Buffer.from(cursor, 'base64url').toString(),
    ) ?? [];
  if (updatedAt === undefined || id === undefined || Number.isNaN(Date.parse(updatedAt)))
    throw new AppError('invalid_request', { cursor: 'is not a cursor of this list' });
  return { pinned: pinned !== undefined, updatedAt, id };
}
