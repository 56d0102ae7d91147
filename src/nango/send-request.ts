// One HTTP request to the integration provider: one deadline for connecting, headers and body; a cap on the size before
// and after decoding; redirects are returned, never followed.
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { type Dispatcher, request } from 'undici';
import { NangoError } from './nango-error.ts';

export interface HttpRequest {
  readonly method: Dispatcher.HttpMethod;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** Response headers to drop, by exact spelling. */
  readonly leaveOut?: ReadonlySet<string> | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case; repeated headers are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Header names as received. */
  readonly spelled?: readonly string[];
  readonly body: Buffer;
}

const DECODERS: Readonly<Record<string, (data: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

export async function sendRequest(
  dispatcher: Dispatcher,
  { method, url, headers, body, timeoutMs, maxBytes, signal, leaveOut }: HttpRequest,
): Promise<HttpAnswer> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const failure = (error: unknown): NangoError => {
    if (error instanceof NangoError) return error;
    if (deadline.aborted) return new NangoError('timeout');
    return new NangoError(signal?.aborted ? 'aborted' : 'unreachable');
  };
  try {
    const answer = await request(url, {
      dispatcher,
      method,
      headers: { ...headers, 'accept-encoding': 'identity' },
      ...(body === undefined ? {} : { body }),
      signal: signal ? AbortSignal.any([deadline, signal]) : deadline,
      responseHeaders: 'raw',
    });
    // With `raw`, names and values alternate; the types only describe the other form.
    const sent = answer.headers as unknown as readonly string[];
    const flat = flatten(sent, leaveOut);
    const raw = await readCapped(answer.body, Number(flat['content-length'] ?? 0), maxBytes).catch((error: unknown) => {
      throw error instanceof NangoError || deadline.aborted || signal?.aborted ? error : new NangoError('broken_off');
    });
    return {
      status: answer.statusCode,
      headers: flat,
      spelled: sent.filter((_, at) => at % 2 === 0),
      body: await decode(raw, flat['content-encoding'], maxBytes),
    };
  } catch (error) {
    throw failure(error);
  }
}

async function readCapped(body: Dispatcher.ResponseData['body'], announced: number, maxBytes: number): Promise<Buffer> {
  const refuse = (): never => {
    body.on('error', () => {}).destroy();
    throw new NangoError('too_large');
  };
  if (announced > maxBytes) return refuse();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) return refuse();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Decodes a single known coding, even though none was requested; stacked and unknown codings are refused. */
async function decode(raw: Buffer, encoding: string | undefined, maxBytes: number): Promise<Buffer> {
  const coding = (encoding ?? 'identity').trim().toLowerCase();
  if (coding === 'identity' || coding === '' || raw.length === 0) return raw;
  const decoder = DECODERS[coding];
  if (!decoder) throw new NangoError('malformed');
  try {
    return await decoder(raw, { maxOutputLength: maxBytes });
  } catch (error) {
    throw new NangoError((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'malformed');
  }
}

function flatten(raw: readonly string[], leaveOut: ReadonlySet<string> = new Set()): Record<string, string> {
  const flat: Record<string, string> = Object.create(null) as Record<string, string>;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = '', value = ''] = [raw[at], raw[at + 1]];
    if (leaveOut.has(name)) continue;
    const lower = name.toLowerCase();
    flat[lower] = flat[lower] === undefined ? value : `${flat[lower]}, ${value}`;
  }
  return flat;
}
