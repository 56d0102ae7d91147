import { AppError } from '../../base/errors.ts';
import { parseJson, requireText } from './parse-json.ts';

/** What is read of a body beyond its limit, and thrown away, so that its sender hears the refusal. */
const DISCARDED_BYTES = 4 * 1024 * 1024;

/**
 * The body exactly as it came; of one beyond the limit nothing is kept. One that says so in its head is refused before
 * its stream is touched: the server then takes the rest off the connection, which it cannot once somebody reads.
 */
export async function readBytes(request: Request, limitBytes: number): Promise<Buffer> {
  const tooLarge = (): AppError => new AppError('request_too_large', { limitBytes });
  if (Number(request.headers.get('content-length') ?? 0) > limitBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size <= limitBytes) chunks.push(chunk);
    else if (size > limitBytes + DISCARDED_BYTES) throw tooLarge();
  }
  if (size > limitBytes) throw tooLarge();
  return Buffer.concat(chunks);
}

/** The body as text, read no further than the limit. */
export async function readText(request: Request, limitBytes: number): Promise<string> {
  return (await readBytes(request, limitBytes)).toString('utf8');
}

/** A JSON body, or the fields of a form where the client says that it sends one. */
export async function readFields(request: Request, limitBytes: number): Promise<unknown> {
  const text = await readText(request, limitBytes);
  if (!isForm(request)) return text === '' ? {} : parseJson(text);
  const fields = Object.fromEntries(new URLSearchParams(text));
  requireText(fields);
  return fields;
}

export function isForm(request: Request): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(request.headers.get('content-type') ?? '');
}
