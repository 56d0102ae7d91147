import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../../base/errors.ts';
import { isObject, type Loose } from '../../model-providers/codecs/read-fields.ts';
import { createJsonScanner, JSON_LIMITS, type JsonLimits } from '../../base/json-scanner.ts';
import { parseMeasured } from '../../base/parse-json.ts';
import { type BodyKind, LARGE, type ReadBody } from '../../chat/bodies/body-job.ts';
import { createLargeBody, type LargeBody } from '../../chat/bodies/large-body.ts';
import { encodingOf } from './decode-body.ts';
import { readIncoming } from './read-body.ts';

/** Room for a long context with images in it. */
export const BODY_LIMIT_BYTES = 32 * 1024 * 1024;

/** A body of `/v1`. */
export interface SentBody {
  /** If it is large, its large fields are empty here. */
  readonly body: Loose;
  readonly bytes: number;
  /** Hands the body over to threads; called once. */
  readonly asLarge: () => LargeBody;
  /** What a thread has read of it, if it is large. */
  readonly read?: ReadBody | undefined;
}

/** Nothing is kept of a body beyond the limit. `hold` is called for every decompressed piece. */
export async function readSentBody(
  request: IncomingMessage,
  response: ServerResponse,
  kind: BodyKind,
  hold?: (bytes: number) => void,
): Promise<SentBody> {
  const { content, values } = await readMeasured(request, hold);
  const bytes = content.length;
  const asLarge = (): LargeBody => createLargeBody(content, kind, leavingOf(response));
  if (bytes <= LARGE.bytes && values <= LARGE.values) return { body: parseObject(content), bytes, asLarge };
  const large = asLarge();
  const read = await large.read();
  return { body: read.head, bytes, asLarge: () => large, read };
}

/** A question has few fields, whatever is in them. */
const QUESTION_LIMITS: JsonLimits = { ...JSON_LIMITS, values: 1_000 };

/** The body of a question of the web app. */
export async function readJsonBody(request: IncomingMessage): Promise<{ body: Loose }> {
  const { content } = await readMeasured(request, undefined, QUESTION_LIMITS);
  if (content.length <= LARGE.bytes) return { body: parseObject(content) };
  return { body: (await createLargeBody(content, 'question', undefined).read()).head };
}

async function readMeasured(
  request: IncomingMessage,
  hold: ((bytes: number) => void) | undefined,
  limits?: JsonLimits,
): Promise<{ content: Buffer; values: number }> {
  const encoding = encodingOf(request);
  const content =
    encoding === undefined
      ? await readIncoming(request, BODY_LIMIT_BYTES)
      : await readIncoming(request, BODY_LIMIT_BYTES, { encoding, hold });
  const scanner = createJsonScanner(limits);
  const fault = scanner.take(content);
  if (fault) throw new AppError('invalid_request', { body: fault });
  return { content, values: scanner.values };
}

function parseObject(content: Buffer): Loose {
  const body = parseMeasured(content, { allowZero: true });
  if (!isObject(body)) throw new AppError('invalid_request', { body: 'must be a JSON object' });
  return body;
}

/** Aborted when the client disconnects. */
function leavingOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const leave = (): void => controller.abort(new AppError('invalid_request', { body: 'is no longer waited for' }));
  if (response.destroyed) leave();
  else response.once('close', () => response.writableFinished || leave());
  return controller.signal;
}

/** The largest possible size of a body: its content-length, or the limit if it has none or is compressed. */
export function announcedBytes(request: IncomingMessage): number {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (encodingOf(request) !== undefined) return 0;
  if (length !== undefined) return Number(length);
  return coding === undefined ? 0 : BODY_LIMIT_BYTES;
}
