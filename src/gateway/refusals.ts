// The gateway's own responses, in one table. Short plain texts that reveal nothing about the upstreams.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ANSWER_HEADERS } from '../net/answer-headers.ts';
import { AppError, ERRORS, errorBody } from '../base/errors.ts';
import { closeAfterAnswer } from './close-after-answer.ts';

const text = (status: number, reason: string, body: string) =>
  ({ status, reason, type: 'text/plain; charset=utf-8', body }) as const;

export const REFUSALS = {
  malformed: text(400, 'Bad Request', 'Bad request'),
  private: text(404, 'Not Found', 'Not found'),
  tunnel: text(405, 'Method Not Allowed', 'Method not allowed'),
  no_web_socket: text(400, 'Bad Request', 'WebSocket is not served here'),
  // Clients that try a WebSocket first fall back to HTTP only on this response.
  no_web_socket_for_models: text(426, 'Upgrade Required', 'WebSocket is not served here: send an HTTP request'),
  bad_gateway: text(502, 'Bad Gateway', 'Bad gateway'),
  gateway_timeout: text(504, 'Gateway Timeout', 'Gateway timeout'),
  not_configured: {
    status: ERRORS.integrations_not_configured.status,
    reason: 'Service Unavailable',
    type: 'application/json; charset=utf-8',
    body: JSON.stringify(errorBody(new AppError('integrations_not_configured')).body),
  },
} as const;

export type GatewayRefusal = keyof typeof REFUSALS;

export function refuse(res: ServerResponse, refusal: GatewayRefusal, requestId?: string): void {
  const { status, reason, body } = REFUSALS[refusal];
  res.writeHead(status, reason, refusalHeaders(refusal, requestId));
  res.end(body);
}

/** The same response on a connection that requested an upgrade; the connection ends with it. */
export function refuseUpgrade(socket: Socket, refusal: GatewayRefusal, requestId?: string): void {
  const { status, reason, body } = REFUSALS[refusal];
  socket.end(`${responseHead(status, reason, [...refusalHeaders(refusal, requestId), 'connection', 'close'])}${body}`);
  closeAfterAnswer(socket);
}

/** A status line and headers, for connections without a response object. */
export function responseHead(status: number, reason: string, headers: readonly string[]): string {
  let head = `HTTP/1.1 ${status} ${reason}\r\n`;
  for (let i = 0; i < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`;
  return `${head}\r\n`;
}

function refusalHeaders(refusal: GatewayRefusal, requestId: string | undefined): string[] {
  const { type, body } = REFUSALS[refusal];
  return [
    ...Object.entries(ANSWER_HEADERS).flat(),
    'content-type',
    type,
    'content-length',
    String(Buffer.byteLength(body)),
    'cache-control',
    'no-store',
    ...(requestId === undefined ? [] : ['x-request-id', requestId]),
  ];
}
