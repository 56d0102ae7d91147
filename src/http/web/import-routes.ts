// Imports over HTTP. Parts of a file and the report are plain routes: their bodies are not JSON.
import type { Context } from 'hono';
import { AppError } from '../../base/errors.ts';
import { id } from '../../contract/common.ts';
import type { ImportItem } from '../../contract/imports/imports.ts';
import type { Database } from '../../store/database.ts';
import { cutPage, readIdCursor, rowsToRead } from '../../tenancy/paging.ts';
import { itemsInOrder, listItems } from '../../threads/imports/import-items.ts';
import {
  cancelImport,
  createImport,
  getImport,
  type ImportBounds,
  listImports,
  listParts,
  putPart,
  startImport,
} from '../../threads/imports/imports.ts';
import type { Sender } from '../shell/admission/limits.ts';
import type { PlainRoutes } from '../shell/plain-routes.ts';
import { disposition } from './attachment-routes.ts';
import { decidedMembership, member, web } from './authorize.ts';
import { toCell } from './csv-pages.ts';

export function importRoutes({ db, bounds }: { readonly db: Database; readonly bounds: ImportBounds }) {
  return {
    imports: {
      list: member.imports.list.handler(async ({ context: { membership }, input }) => {
        const found = await listImports(db, {
          userId: membership.userId,
          organizationId: membership.organizationId,
          after: readIdCursor(input.cursor, 'imp'),
          limit: rowsToRead(input),
        });
        const { rows, ...more } = cutPage(found, input, ({ id: last }) => last);
        return { imports: [...rows], ...more };
      }),
      create: web.imports.create.handler(async ({ context, input: { name, size, workspace, projects = true } }) => {
        const { userId, organizationId, workspaceId } = decidedMembership(context);
        const place = { userId, organizationId, workspaceId, workspacePicked: workspace !== undefined };
        return { import: await createImport(db, { ...place, withProjects: projects, name, size }, bounds) };
      }),
      show: web.imports.show.handler(async ({ context, input }) => ({
        import: await getImport(db, context.user.id, input.import),
        parts: await listParts(db, input.import),
      })),
      start: web.imports.start.handler(async ({ context, input }) => ({
        import: await startImport(db, context.user.id, input.import),
      })),
      cancel: web.imports.cancel.handler(async ({ context, input }) => ({
        import: await cancelImport(db, context.user.id, input.import),
      })),
      items: web.imports.items.handler(async ({ context, input }) => {
        const found = await listItems(db, {
          userId: context.user.id,
          importId: input.import,
          outcome: input.outcome,
          after: readNumberCursor(input.cursor),
          limit: rowsToRead(input),
        });
        const { rows, ...more } = cutPage(found, input, ({ number }) => String(number));
        return { items: [...rows], ...more };
      }),
    },
  };
}

function readNumberCursor(cursor: string | undefined): number {
  if (cursor === undefined) return -1;
  if (!/^\d{1,7}$/.test(cursor)) throw new AppError('invalid_request', { cursor: 'is not a cursor of this list' });
  return Number(cursor);
}

export interface ImportFileDeps {
  readonly db: Database;
  readonly storageBytes: number;
  /** The user id of the session; throws without one, and for writes from other origins. */
  readonly authenticate: (request: Request) => Promise<string>;
}

export function mountImports(routes: PlainRoutes, { db, storageBytes, authenticate }: ImportFileDeps): void {
  const identify = async (c: Context): Promise<Sender> => ({ userId: await authenticate(c.req.raw) });
  routes.on({
    method: 'PUT',
    path: '/api/imports/:import/parts/:part',
    cost: 'database',
    body: 'import-part',
    identify,
    async handle(c, { userId }, content) {
      const part = c.req.param('part');
      if (!/^\d{1,6}$/.test(part)) throw new AppError('not_found');
      const sent = { userId, importId: readImport(c), position: Number(part), content };
      return Response.json({ import: await putPart(db, sent, { storageBytes }) });
    },
  });
  routes.on({
    method: 'GET',
    path: '/api/imports/:import/report',
    cost: 'database',
    identify,
    async handle(c, { userId }) {
      const found = await getImport(db, userId, readImport(c));
      const lines = writeReport(itemsInOrder(db, userId, found.id));
      return new Response(ReadableStream.from(lines).pipeThrough(new TextEncoderStream()), {
        headers: {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': disposition(`import-${found.createdAt.slice(0, 10)}.csv`),
          'cache-control': 'private, no-store',
        },
      });
    },
  });
}

function readImport(c: Context): string {
  const asked = id.safeParse(c.req.param('import'));
  if (!asked.success) throw new AppError('not_found');
  return asked.data;
}

async function* writeReport(pages: AsyncIterable<ImportItem[]>): AsyncGenerator<string> {
  yield 'number,kind,outcome,title,chat,messages,reason,not taken\r\n';
  for await (const items of pages) yield items.map(toLine).join('');
}

function toLine({ number, kind, outcome, title, thread = '', messages, reason, notes }: ImportItem): string {
  const left = Object.entries(notes).map(([note, times]) => `${note}: ${times}`);
  const cells = [number + 1, kind, outcome, title, thread, messages, reason ?? '', left.join('; ')];
  return `${cells.map(toCell).join(',')}\r\n`;
}
