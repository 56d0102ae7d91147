// Files for conversations. They are stored for their owner and served as downloads: an uploaded file is never shown as
// a page of ours. Images that cannot carry a script are also served for the pages of the app to show.
import type { Context } from 'hono';
import { AppError } from '../../base/errors.ts';
import { getAttachment, getImage } from '../../documents/attachments/attachments.ts';
import { storeAttachment } from '../../documents/attachments/store-attachment.ts';
import { id } from '../../contract/common.ts';
import type { Session } from '../../identity/sessions/find-session.ts';
import type { Database } from '../../store/database.ts';
import { type FormPart, parseMultipart } from './parse-multipart.ts';
import type { Sender } from '../shell/admission/limits.ts';
import { requireSecondFactorIn } from './require-second-factor.ts';
import { requireText } from '../../base/parse-json.ts';
import type { PlainRoutes } from '../shell/plain-routes.ts';

export interface AttachmentRouteDeps {
  readonly db: Database;
  readonly storageBytes: number;
  /** Throws without a session, and for writes from other origins. */
  readonly getSession: (request: Request) => Promise<Session>;
}

export function mountAttachments(routes: PlainRoutes, { db, storageBytes, getSession }: AttachmentRouteDeps): void {
  const identify = async (c: Context): Promise<Sender & { session: Session }> => {
    const session = await getSession(c.req.raw);
    return { userId: session.user.id, session };
  };

  const store = async (
    c: Context,
    { userId, session }: Sender & { session: Session },
    body: Buffer,
  ): Promise<Response> => {
    const { organization, name, content } = readForm(body, c.req.header('content-type'));
    await requireSecondFactorIn(db, session, organization);
    const attachment = await storeAttachment(
      db,
      { userId, organization, name, content, storageBytes },
      c.req.raw.signal,
    );
    return Response.json(attachment, { status: 201, headers: { 'cache-control': 'no-store' } });
  };

  const download = async (c: Context, { userId }: Sender): Promise<Response> => {
    const file = await getAttachment(db, userId, readId(c));
    return answerWithFile(file, {
      'content-disposition': disposition(file.name),
      'cache-control': 'private, no-store',
    });
  };

  // An image never changes under its id. The browser may keep it, but asks whether it may still show it.
  const show = async (c: Context, { userId }: Sender): Promise<Response> => {
    const file = await getImage(db, userId, readId(c));
    const headers = { etag: `"${file.id}"`, 'cache-control': 'private, no-cache', 'content-disposition': 'inline' };
    return c.req.header('if-none-match') === headers.etag
      ? new Response(null, { status: 304, headers })
      : answerWithFile(file, headers);
  };

  routes.on({ method: 'POST', path: '/api/attachments', cost: 'cpu', body: 'attachment', identify, handle: store });
  routes.on({ method: 'GET', path: '/api/attachments/:id', cost: 'database', identify, handle: download });
  routes.on({ method: 'GET', path: '/api/attachments/:id/image', cost: 'database', identify, handle: show });
}

function readId(c: Context): string {
  const asked = id.safeParse(c.req.param('id'));
  if (!asked.success) throw new AppError('not_found');
  return asked.data;
}

export function answerWithFile(
  { type, size, content }: { readonly type: string; readonly size: number; readonly content: Buffer },
  headers: Readonly<Record<string, string>>,
): Response {
  return new Response(new Uint8Array(content), {
    headers: {
      'content-type': type,
      'content-length': String(size),
      'content-security-policy': "default-src 'none'; sandbox",
      ...headers,
    },
  });
}

interface Uploaded {
  readonly name: string;
  readonly content: Buffer;
  readonly organization: string;
}

export function readParts(body: Buffer, contentType = ''): readonly FormPart[] {
  if (!/^multipart\/form-data\b/i.test(contentType))
    throw new AppError('invalid_request', { body: 'must be multipart/form-data' });
  const parts = parseMultipart(body, contentType);
  if (!parts) throw new AppError('invalid_request', { body: 'must be valid multipart/form-data' });
  requireText(
    Object.fromEntries(parts.map(({ name, filename, content }) => [name, filename ?? content.toString('utf8')])),
  );
  return parts;
}

function readForm(body: Buffer, contentType: string | undefined): Uploaded {
  const parts = readParts(body, contentType);
  const file = parts.find(({ name }) => name === 'file');
  const organization = id.safeParse(
    parts.find(({ name, filename }) => name === 'organization' && filename === undefined)?.content.toString('utf8'),
  );
  const isFile = file?.filename !== undefined;
  const faults = {
    ...(isFile ? {} : { file: 'must be a file' }),
    ...(organization.success ? {} : { organization: 'is required' }),
  };
  if (file?.filename === undefined || !organization.success) throw new AppError('invalid_request', faults);
  return { name: file.filename, content: file.content, organization: organization.data };
}

/** RFC 6266: an ASCII name for old clients, the full one for the others. */
export function disposition(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%;]/g, '_');
  const whole = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}
