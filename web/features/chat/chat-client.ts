// The chat calls that are not plain JSON: ask, resume a stream, read a long message, upload.
import { ORPCError } from '@orpc/client';
import type { FileParts } from '../../../src/contract/attachments.ts';
import type { ChatRequest } from '../../../src/contract/threads.ts';
import { errorCode } from '../../api/fault.ts';
import { type Upload, uploadForm } from '../../api/upload-form.ts';

/** Where the message was stored. A refused request is not stored; one that failed at the provider is. */
export interface Stored {
  readonly thread: string;
  readonly message: string;
}

export type Asked =
  | { readonly stored: Stored | undefined; readonly body: ReadableStream<Uint8Array>; readonly fault?: never }
  | { readonly stored: Stored | undefined; readonly fault: unknown; readonly body?: never };

/** Throws only when the server did not respond. Leaving the page does not cancel it: what was sent must be stored. */
export async function ask(request: ChatRequest): Promise<Asked> {
  const response = await fetch('/api/chat', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify(request),
  });
  const thread = response.headers.get('x-service-thread');
  const message = response.headers.get('x-service-message');
  const stored = thread === null || message === null ? undefined : { thread, message };
  if (response.ok && response.body !== null) return { stored, body: response.body };
  return { stored, fault: await readRefusal(response) };
}

/** Undefined when no answer is streaming. */
export async function follow(
  thread: string,
  after: string | undefined,
): Promise<ReadableStream<Uint8Array> | undefined> {
  const response = await fetch(`/api/chat/${encodeURIComponent(thread)}/stream`, {
    headers: { accept: 'text/event-stream', ...(after === undefined ? {} : { 'last-event-id': after }) },
  });
  if (response.status === 204) return undefined;
  if (!response.ok || response.body === null) throw await readRefusal(response);
  return response.body;
}

/** The whole of a message of which a page has only the beginning; `of` is the address of its thread or share. */
export async function readWhole<M>(of: string, message: string): Promise<M> {
  const response = await fetch(`${of}/messages/${encodeURIComponent(message)}`);
  if (!response.ok) throw await readRefusal(response);
  return ((await response.json()) as { message: M }).message;
}

async function readRefusal(response: Response): Promise<ORPCError<string, unknown>> {
  const body: unknown = await response.json().catch(() => undefined);
  return new ORPCError(errorCode(body, response.status), { status: response.status, data: body });
}

export interface UploadedFile {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly type: string;
  /** What a document consists of, if known. */
  readonly parts?: FileParts | undefined;
}

export function uploadAttachment(
  organization: string,
  file: File,
  onProgress: (part: number) => void,
): Upload<UploadedFile> {
  const form = new FormData();
  form.set('organization', organization);
  form.set('file', file, file.name);
  return uploadForm('/api/attachments', form, onProgress);
}
