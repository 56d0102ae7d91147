// A thread as a file, and single messages that are too large for a page. Plain routes: the answer is written piece by
// piece, as fast as the client reads.
import type { ServerResponse } from 'node:http';
import type { Context } from 'hono';
import { AppError } from '../../base/errors.ts';
import { jsonPieces } from '../../base/json-pieces.ts';
import { type ExportFormat, exportThread } from '../../threads/export-thread.ts';
import { findMessage, type StoredMessage } from '../../threads/messages.ts';
import { findSharedMessage } from '../../threads/shares.ts';
import { showRuns } from '../../threads/show-runs.ts';
import { getThread } from '../../threads/threads.ts';
import { id } from '../../contract/common.ts';
import type { Message } from '../../contract/threads.ts';
import { readShownRuns } from '../../runs/reading/read-shown-runs.ts';
import type { Database } from '../../store/database.ts';
import { EXPORTS, type Sender } from '../shell/admission/limits.ts';
import { createShares } from '../shell/admission/shares.ts';
import type { PlainRoutes } from '../shell/plain-routes.ts';
import { disposition } from './attachment-routes.ts';
import { presentShared, presentThread } from './present-thread.ts';

const FILES = {
  markdown: { type: 'text/markdown; charset=utf-8', ending: '.md' },
  json: { type: 'application/json', ending: '.json' },
} as const satisfies Record<ExportFormat, { type: string; ending: string }>;

export function mountExport(
  routes: PlainRoutes,
  { db, authenticate }: { db: Database; authenticate: (request: Request) => Promise<string> },
): void {
  const exporting = createShares(EXPORTS);
  const handle = async (c: Context, sender: Sender): Promise<Response> => {
    const { userId } = sender;
    const format = readFormat(c.req.query('format'), c.req.header('accept') ?? '');
    const stored = await getThread(db, userId, readId(c, 'thread'));
    const thread = presentThread(stored);
    const reader = { userId, organizationId: stored.organizationId };
    if (!exporting.take(sender)) throw new AppError('rate_limited', { retryAfterSeconds: 5 });
    const giveBack = (): void => exporting.give(sender);
    // Closed in any case, also if nothing of it is read.
    const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse };
    if (outgoing?.destroyed) giveBack();
    else outgoing?.once('close', giveBack);
    const text = exportThread(db, {
      thread,
      organization: stored.organizationId,
      format,
      complete: (messages) => showRuns(messages, (ids) => readShownRuns(db, reader, ids)),
    });
    return inPieces(outgoing ? text : endingWith(giveBack, text), {
      'content-type': FILES[format].type,
      'content-disposition': disposition(`${fileName(thread.title)}${FILES[format].ending}`),
    });
  };
  const showRun = async <M extends StoredMessage>(
    reader: { userId: string; organizationId: string },
    message: M,
  ): Promise<M> => (await showRuns([message], (ids) => readShownRuns(db, reader, ids)))[0] ?? message;
  const identify = async (c: Context): Promise<Sender> => ({ userId: await authenticate(c.req.raw) });
  routes.on({ method: 'GET', path: '/api/threads/:thread/export', cost: 'database', identify, handle });
  routes.on({
    method: 'GET',
    path: '/api/threads/:thread/messages/:message',
    cost: 'database',
    identify,
    async handle(c, { userId }) {
      const { id: thread, organizationId } = await getThread(db, userId, readId(c, 'thread'));
      const found = await findMessage(db, thread, readId(c, 'message'));
      return wholeMessage(found && (await showRun({ userId, organizationId }, found)));
    },
  });
  routes.on({
    method: 'GET',
    path: '/api/shares/:share/messages/:message',
    cost: 'database',
    identify,
    async handle(c, { userId }) {
      const found = await findSharedMessage(db, userId, {
        shareId: readId(c, 'share'),
        messageId: readId(c, 'message'),
      });
      if (!found) throw new AppError('not_found');
      const { message, organizationId } = found;
      return wholeMessage(presentShared(await showRun({ userId, organizationId }, message)));
    },
  });
}

function wholeMessage(found: (Omit<Message, 'metadata'> & { readonly position?: number }) | undefined): Response {
  if (!found) throw new AppError('not_found');
  const { position: _position, ...message } = found;
  return inPieces(jsonPieces({ message }), { 'content-type': 'application/json' });
}

function inPieces(
  pieces: Iterable<string> | AsyncIterable<string>,
  headers: Readonly<Record<string, string>>,
): Response {
  return new Response(ReadableStream.from(pieces).pipeThrough(new TextEncoderStream()), {
    headers: { ...headers, 'cache-control': 'private, no-store' },
  });
}

function readId(c: Context, name: string): string {
  const asked = id.safeParse(c.req.param(name));
  if (!asked.success) throw new AppError('not_found');
  return asked.data;
}

/** For a request without a connection. */
async function* endingWith(done: () => void, text: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    yield* text;
  } finally {
    done();
  }
}

function readFormat(asked: string | undefined, accept: string): ExportFormat {
  if (asked === undefined) return accept.startsWith('application/json') ? 'json' : 'markdown';
  if (asked !== 'markdown' && asked !== 'json')
    throw new AppError('invalid_request', { format: 'must be markdown or json' });
  return asked;
}

function fileName(title: string): string {
  const plain = title
    .replaceAll(/[^\p{L}\p{N} ._-]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return plain.replace(/^\.+/, '').slice(0, 80).toWellFormed() || 'chat';
}
