// How the rest of the service reaches the sandbox controller, the only way to execute anything. A connection that
// breaks while a command runs is resumed where it stopped; a caller that stops reading ends the command.
import type { BuildInfo } from '../process/build-info.ts';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { AppError, ERRORS, type ErrorCode } from '../base/errors.ts';
import { callController, type ControllerCall, type Endpoint } from './call-controller.ts';
import type { FileEntry } from './driver.ts';
import type { CreateInput, ExecEvent, ExecInput, Health, SandboxInfo } from './protocol.ts';

export interface SandboxClient {
  health(signal?: AbortSignal): Promise<Health & Partial<BuildInfo>>;
  create(input: CreateInput): Promise<SandboxInfo>;
  /** Events up to the exit. Leaving the loop early, or aborting, kills the command. */
  exec(id: string, input: ExecInput, signal?: AbortSignal): AsyncGenerator<ExecEvent>;
  listFiles(id: string, path: string, after?: string): Promise<{ entries: FileEntry[]; cursor?: string }>;
  readFile(id: string, path: string, maxBytes?: number): Promise<Buffer>;
  writeFile(id: string, path: string, bytes: Buffer | string): Promise<void>;
  /** The files of the sandbox as an archive, which breaks off with an error if it cannot be made as a whole. */
  saveSnapshot(id: string, options: { readonly full: boolean }, signal?: AbortSignal): Promise<Readable>;
  restoreSnapshot(
    id: string,
    archive: Readable,
    options: { readonly last: boolean },
    signal?: AbortSignal,
  ): Promise<void>;
  renew(id: string, ttlMs: number): Promise<SandboxInfo>;
  /** Kills every command of the sandbox, but keeps the sandbox. */
  kill(id: string): Promise<void>;
  destroy(id: string): Promise<void>;
}

const MAX_ANSWER_BYTES = 80 * 1024 * 1024;
const RETURNS = 3;

export function createSandboxClient(endpoint: Endpoint): SandboxClient {
  const ask = async (
    method: string,
    path: string,
    body?: ControllerCall['body'],
    signal?: AbortSignal,
  ): Promise<Buffer> => {
    const answer = await callController(endpoint, { method, path, body, signal });
    const bytes = await readAll(answer);
    if ((answer.statusCode ?? 500) >= 400) throw asError(answer.statusCode ?? 500, bytes);
    return bytes;
  };
  const askJson = async <T>(method: string, path: string, body?: unknown): Promise<T> =>
    JSON.parse((await ask(method, path, body === undefined ? undefined : JSON.stringify(body))).toString()) as T;
  const at = (id: string, verb = ''): string => `/v1/sandboxes/${encodeURIComponent(id)}${verb}`;
  const fileAt = (id: string, path: string, more: Record<string, string> = {}): string =>
    at(id, `/files?${new URLSearchParams({ path, ...more })}`);

  return {
    async health(signal) {
      const answer = await callController(endpoint, { method: 'GET', path: '/healthz', signal });
      return JSON.parse((await readAll(answer)).toString()) as Health & Partial<BuildInfo>;
    },
    create: (input) => askJson('POST', '/v1/sandboxes', input),
    exec: (id, input, signal) =>
      execute(endpoint, { sandbox: at(id), input, signal, kill: (body) => ask('POST', at(id, '/kill'), body) }),
    listFiles: (id, path, after) => askJson('GET', fileAt(id, path, after === undefined ? {} : { after })),
    readFile: (id, path, maxBytes) =>
      ask('GET', fileAt(id, path, maxBytes === undefined ? {} : { maxBytes: String(maxBytes) })),
    writeFile: async (id, path, bytes) => void (await ask('PUT', fileAt(id, path), bytes)),
    async saveSnapshot(id, options, signal) {
      const answer = await callController(endpoint, {
        method: 'POST',
        path: at(id, '/snapshot'),
        body: JSON.stringify(options),
        signal,
      });
      if (answer.statusCode !== 200) throw asError(answer.statusCode ?? 500, await readAll(answer));
      return answer;
    },
    restoreSnapshot: async (id, archive, { last }, signal) =>
      void (await ask('PUT', at(id, `/snapshot?last=${last}`), archive, signal)),
    renew: (id, ttlMs) => askJson('POST', at(id, '/renew'), { ttlMs }),
    kill: async (id) => void (await ask('POST', at(id, '/kill'))),
    destroy: async (id) => void (await ask('DELETE', at(id))),
  };
}

interface Execute {
  /** Its path. */
  readonly sandbox: string;
  readonly input: ExecInput;
  readonly signal: AbortSignal | undefined;
  readonly kill: (body: string) => Promise<unknown>;
}

async function* execute(endpoint: Endpoint, { sandbox, input, signal, kill }: Execute): AsyncGenerator<ExecEvent> {
  let answer = await callController(endpoint, {
    method: 'POST',
    path: `${sandbox}/exec`,
    body: JSON.stringify(input),
    signal,
  });
  let execId: string | undefined;
  let seen = -1;
  let ended = false;
  try {
    for (let left = RETURNS; ; left--) {
      if (answer.statusCode !== 200) throw asError(answer.statusCode ?? 500, await readAll(answer));
      try {
        for await (const event of parseLines(answer)) {
          seen = event.seq;
          if (event.t === 'start') execId = event.exec;
          ended = event.t === 'exit';
          yield event;
          if (ended) return;
        }
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        if (execId === undefined || left === 0) throw error;
      } finally {
        answer.destroy();
      }
      if (signal?.aborted) throw signal.reason;
      if (execId === undefined || left === 0) throw new AppError('unavailable');
      answer = await callController(endpoint, {
        method: 'GET',
        path: `${sandbox}/exec/${execId}?after=${seen}`,
        signal,
      });
    }
  } finally {
    // The caller stopped reading: kill it now, not when the controller notices.
    if (!ended && execId !== undefined) await kill(JSON.stringify({ exec: execId })).catch(() => {});
  }
}

async function* parseLines(answer: IncomingMessage): AsyncGenerator<ExecEvent> {
  let rest = '';
  answer.setEncoding('utf8');
  for await (const chunk of answer as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as ExecEvent;
  }
}

async function readAll(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new AppError('unavailable');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The controller's error as one of ours, if the code is known. */
function asError(status: number, bytes: Buffer): AppError {
  try {
    const { error, details } = JSON.parse(bytes.toString()) as { error?: string; details?: Record<string, unknown> };
    if (error !== undefined && error in ERRORS) return new AppError(error as ErrorCode, details ?? {});
  } catch {
    // Not from the controller.
  }
  return new AppError(status >= 500 ? 'unavailable' : 'internal');
}
