// Sends a file with its progress. Uses XMLHttpRequest, because fetch reports no upload progress.
import { ORPCError } from '@orpc/client';
import { errorCode } from './fault.ts';

export interface Upload<T> {
  readonly done: Promise<T>;
  cancel(): void;
}

const UPLOAD_TIMEOUT_MS = 300_000;

export function uploadForm<T>(path: string, form: FormData, onProgress: (part: number) => void): Upload<T> {
  const request = new XMLHttpRequest();
  const done = new Promise<T>((resolve, reject) => {
    request.upload.addEventListener(
      'progress',
      ({ loaded, total, lengthComputable }) => lengthComputable && onProgress(loaded / total),
    );
    request.addEventListener('load', () => {
      const body = parseJson(request.responseText);
      if (request.status === 201) resolve(body as T);
      else reject(new ORPCError(errorCode(body, request.status), { status: request.status, data: body }));
    });
    for (const failure of ['error', 'timeout', 'abort'])
      request.addEventListener(failure, () => reject(new TypeError('Failed to fetch')));
  });
  request.open('POST', path);
  request.timeout = UPLOAD_TIMEOUT_MS;
  request.send(form);
  return { done, cancel: () => request.abort() };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
