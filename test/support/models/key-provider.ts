// A model provider on a real socket that answers the validation of keys as a test tells it to, unless the real one
// would not look at the key: without a key at all, or without the version that Anthropic demands.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FORM_RULES } from '../../../stand-ins/models/rules/messages-form-rules.ts';
import { readRequest } from '../../../stand-ins/models/rules/messages-request.ts';

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

export interface KeyProvider {
  readonly url: string;
  readonly asked: Asked[];
  /** How the next requests are answered; 200 until told otherwise. */
  answer: (response: ServerResponse) => void;
  close(): Promise<void>;
}

export const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(code, { 'content-type': 'application/json', ...headers }).end('{"data":[]}');

function judgeHeaders(headers: IncomingHttpHeaders): number | undefined {
  if ('x-api-key' in headers)
    return FORM_RULES['the version header is there'].refuse(readRequest(headers, {}, false)) ? 400 : undefined;
  return /^Bearer \S+$/.test(headers.authorization ?? '') ? undefined : 401;
}

export async function startKeyProvider(): Promise<KeyProvider> {
  const server = createServer((request, response) => {
    provider.asked.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
    const refused = judgeHeaders(request.headers);
    if (refused) status(refused)(response);
    else provider.answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const provider: KeyProvider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    answer: status(200),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return provider;
}
