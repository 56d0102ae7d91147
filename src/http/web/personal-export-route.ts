// GET /api/me/export: everything of the person as one archive, written as fast as the client reads it. It asks for a fresh
// proof, a person has one at a time, and it ends with the session: of an account that is deleted meanwhile, nothing more
// leaves. With `check` it only says whether it could begin.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Clock, systemClock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { requireProof } from '../../identity/sessions/require-proof.ts';
import { type ExportDeps, exportPerson } from '../../leaving/export/export-person.ts';
import { writeZip } from '../../leaving/export/write-zip.ts';
import type { Log } from '../../telemetry/log.ts';
import { noteRequest } from '../../telemetry/request-scope.ts';
import { PERSONAL_EXPORTS } from '../shell/admission/limits.ts';
import { createShares } from '../shell/admission/shares.ts';
import type { RawRoute } from '../shell/raw-route.ts';
import { requireUrlText } from '../shell/require-url-text.ts';
import type { OpenStreams } from '../shell/streams/open-streams.ts';
import { refuseRaw } from '../shell/write-error.ts';
import { getSession, type SessionDeps } from './raw-session.ts';
import { securityHeaders } from './security-headers.ts';

export interface PersonalExportDeps extends SessionDeps, Omit<ExportDeps, 'db' | 'clock'> {
  readonly log: Log;
  readonly streams: OpenStreams;
}

const PATH = '/api/me/export';
const RETRY_AFTER_SECONDS = 60;

export function personalExportRoute(deps: PersonalExportDeps): RawRoute {
  const headers = Object.entries(securityHeaders(deps.settings.publicUrl));
  const shares = createShares(PERSONAL_EXPORTS);
  const running = new Set<string>();
  const clock = deps.clock ?? systemClock;

  async function serveExport(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { sessionId, user, ...session } = await getSession(deps, request);
    requireUrlText(request.url ?? '/');
    requireProof(session, clock());
    if (running.has(user.id)) throw new AppError('export_in_progress');
    if (!shares.take({ userId: user.id }))
      throw new AppError('rate_limited', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    running.add(user.id);
    try {
      if (new URL(request.url ?? '/', 'http://localhost').searchParams.has('check'))
        response.writeHead(204, { 'cache-control': 'no-store' }).end();
      else await send(deps, clock, { userId: user.id, sessionId, response });
    } finally {
      running.delete(user.id);
      shares.give({ userId: user.id });
    }
  }

  return {
    cost: 'stream',
    matches: (method, path) => method === 'GET' && path === PATH,
    handle(request, response) {
      for (const [name, value] of headers) response.setHeader(name, value);
      noteRequest({ route: PATH });
      serveExport(request, response).catch((error: unknown) => refuseRaw(deps.log, request, response, error));
    },
  };
}

async function send(
  deps: PersonalExportDeps,
  clock: Clock,
  { userId, sessionId, response }: { userId: string; sessionId: string; response: ServerResponse },
): Promise<void> {
  const seat = deps.streams.open('personal-export', { userId, sessionId }, response);
  response.writeHead(200, {
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename="my-data-${clock().toISOString().slice(0, 10)}.zip"`,
    'cache-control': 'private, no-store',
  });
  const archive = writeZip(exportPerson({ ...deps, clock }, userId));
  await pipeline(Readable.from(archive, { objectMode: false }), response, { signal: seat.signal }).catch(
    (error: unknown) => {
      // A client that left, or an account that was shut: the archive is cut off, so that it cannot be taken for whole.
      if (!seat.signal.aborted) throw error;
      response.destroy();
    },
  );
}
