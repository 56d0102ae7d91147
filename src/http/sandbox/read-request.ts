import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { AppError } from '../../base/errors.ts';

/** The body, read no further than the limit. */
export async function readRequest(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes)
    throw new AppError('request_too_large', { limitBytes });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limitBytes) throw new AppError('request_too_large', { limitBytes });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export async function readJson<T>(request: IncomingMessage, schema: z.ZodType<T>, limitBytes: number): Promise<T> {
  const bytes = await readRequest(request, limitBytes);
  let value: unknown;
  try {
    value = bytes.length === 0 ? {} : JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new AppError('invalid_request', { body: 'must be valid JSON' });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new AppError(
    'invalid_request',
    Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.join('.') || 'body', message])),
  );
}
