// Proxies a WebSocket: requests the upgrade from the upstream on a separate connection and, once it has agreed, joins
// the two connections byte for byte. Without the upstream's 101 nothing is joined: its response is passed on and the
// client's connection ends.
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { Log } from '../telemetry/log.ts';
import { reportFailure } from '../telemetry/report-failure.ts';
import type { Admitted } from './admit-request.ts';
import { closeAfterAnswer } from './close-after-answer.ts';
import { joinSockets } from './join-sockets.ts';
import { type GatewayRefusal, refuseUpgrade, responseHead } from './refusals.ts';
import { responseHeaders } from './response-headers.ts';

export interface WebSocketContext {
  readonly log: Log;
  readonly headersTimeoutMs: number;
}

export function proxyWebSocket(
  { log, headersTimeoutMs }: WebSocketContext,
  { address, headers, path, requestId, service }: Admitted,
  client: Socket,
  early: Buffer,
): void {
  const request = address.protocol === 'https:' ? httpsRequest : httpRequest;
  const upstream = request({
    ...(address.socketPath === undefined
      ? { hostname: address.hostname, port: address.port }
      : { socketPath: address.socketPath }),
    method: 'GET',
    path,
    headers: [...headers, 'connection', 'Upgrade', 'upgrade', 'websocket'],
    agent: false,
    ...({ allowHalfOpen: true } satisfies { allowHalfOpen: boolean }),
  });

  let answered = false;
  const fail = (refusal: GatewayRefusal, error: Error): void => {
    if (answered) return;
    answered = true;
    clearTimeout(timer);
    upstream.destroy();
    reportFailure(log, error, { reason: 'upgrade failed' }, { requestId, method: 'GET', route: service.prefix });
    refuseUpgrade(client, refusal, requestId);
  };
  const timer = setTimeout(
    () => fail('gateway_timeout', new Error('the upstream did not answer an upgrade in time')),
    headersTimeoutMs,
  );
  const leave = (): void => {
    answered = true;
    clearTimeout(timer);
    upstream.destroy();
  };
  client.once('close', leave);

  upstream.on('error', (error: Error) => fail('bad_gateway', error));
  upstream.on('upgrade', (response: IncomingMessage, socket: Socket, head: Buffer) => {
    if (answered) return void socket.destroy();
    answered = true;
    clearTimeout(timer);
    client.off('close', leave);
    client.write(
      responseHead(101, 'Switching Protocols', [
        ...responseHeaders(response.headers, requestId, service),
        'connection',
        'Upgrade',
        'upgrade',
        'websocket',
      ]),
    );
    if (head.length > 0) client.write(head);
    if (early.length > 0) socket.write(early);
    joinSockets(client, socket);
  });
  upstream.on('response', (response) => {
    if (answered) return void response.destroy();
    answered = true;
    clearTimeout(timer);
    client.write(
      responseHead(response.statusCode ?? 502, response.statusMessage ?? '', [
        ...responseHeaders(response.headers, requestId, service),
        'connection',
        'close',
      ]),
    );
    response.pipe(client);
    closeAfterAnswer(client);
    response.on('close', () => {
      if (!response.complete) client.destroy();
    });
  });
  upstream.end();
}
