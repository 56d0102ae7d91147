// A thread as a file. A plain route: the answer is written while the conversation is read, and is not always JSON.
import type { Context } from 'hono';
import { AppError } from '../../base/errors.ts';
import { type ExportFormat, exportThread } from '../../chat/threads/export-thread.ts';
import { showRuns } from '../../chat/threads/show-runs.ts';
import { getThread } from '../../chat/threads/threads.ts';
import { id } from '../../contract/common.ts';
import { readShownRuns } from '../../runs/reading/read-shown-runs.ts';
import type { Database } from '../../store/database.ts';
import type { Sender } from '../shell/admission/limits.ts';
import type { PlainRoutes } from '../shell/plain-routes.ts';
import { disposition } from './attachment-routes.ts';
import { presentThread } from './present-thread.ts';

const FILES = {
  markdown: { type: 'text/markdown; charset=utf-8', ending: '.md' },
  json: { type: 'application/json', ending: '.json' },
} as const satisfies Record<ExportFormat, { type: string; ending: string }>;

export function mountExport(
  routes: PlainRoutes,
  { db, authenticate }: { db: Database; authenticate: (request: Request) => Promise<string> },
): void {
  const handle = async (c: Context, { userId }: Sender): Promise<Response> => {
    const asked = id.safeParse(c.req.param('thread'));
    if (!asked.success) throw new AppError('not_found');
    const format = readFormat(c.req.query('format'), c.req.header('accept') ?? '');
    const stored = await getThread(db, userId, asked.data);
    const thread = presentThread(stored);
    const reader = { userId, organizationId: stored.organizationId };
    const text = exportThread(db, {
      thread,
      organization: stored.organizationId,
      format,
      complete: (messages) => showRuns(messages, (ids) => readShownRuns(db, reader, ids)),
    });
    return new Response(ReadableStream.from(text).pipeThrough(new TextEncoderStream()), {
      headers: {
        'content-type': FILES[format].type,
        'content-disposition': disposition(`${fileName(thread.title)}${FILES[format].ending}`),
        'cache-control': 'private, no-store',
      },
    });
  };
  routes.on({
    method: 'GET',
    path: '/api/threads/:thread/export',
    cost: 'database',
    identify: async (c) => ({ userId: await authenticate(c.req.raw) }),
    handle,
  });
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
