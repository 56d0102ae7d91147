// What the gateway answers itself, whatever the parts behind it do: that it runs, and which build it is. Like every
// response that costs the client nothing, it is sent at a bounded rate per network.
import type { ServerResponse } from 'node:http';
import { ANSWER_HEADERS } from '../net/answer-headers.ts';
import { buildInfo } from '../process/build-info.ts';
import type { Admitted } from './admit-request.ts';
import type { Pacer } from './pace-answers.ts';

const PATH = '/gateway/healthz';

export function asksForHealth({ service, address, path }: Admitted, method: string | undefined): boolean {
  return service.prefix === '/' && path === address.basePath + PATH && (method === 'GET' || method === 'HEAD');
}

export function answerHealth({ from, requestId }: Admitted, response: ServerResponse, pace: Pacer): void {
  const waitMs = pace(from, performance.now());
  if (waitMs === undefined) response.destroy();
  else if (waitMs === 0) send(response, requestId);
  else setTimeout(() => send(response, requestId), waitMs);
}

function send(response: ServerResponse, requestId: string): void {
  const body = JSON.stringify({ ok: true, ...buildInfo(), uptimeSeconds: Math.round(process.uptime()) });
  response
    .writeHead(200, {
      ...ANSWER_HEADERS,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'x-request-id': requestId,
    })
    // Node leaves the body out of the answer to a HEAD request.
    .end(body);
}
