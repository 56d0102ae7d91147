// The gateway as a server: one origin in front of every part of the service.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { closeStalled } from '../net/close-stalled.ts';
import type { Log } from '../telemetry/log.ts';
import type { Meter } from '../telemetry/metrics/create-meter.ts';
import { createHttpMeter } from '../telemetry/metrics/http-meter.ts';
import { isTracing } from '../telemetry/telemetry.ts';
import { type AdmitOptions, createAdmit } from './admit-request.ts';
import { answerHealth, asksForHealth } from './answer-health.ts';
import { drainServer } from './drain-server.ts';
import { type Listening, listenOn } from './listen-on.ts';
import { createPacer, PACE, type PaceRow } from './pace-answers.ts';
import { type EventStream, proxyRequest } from './proxy-request.ts';
import { proxyWebSocket } from './proxy-web-socket.ts';
import { refuse, refuseUpgrade } from './refusals.ts';
import { traceRequest } from './trace-request.ts';
import { watchAnswer } from './watch-answer.ts';
import type { UpstreamAddress } from './upstream-addresses.ts';
import { openConnections, type UpstreamConnections } from './upstream-connections.ts';

export interface GatewayOptions extends AdmitOptions {
  readonly log: Log;
  /** How long an upstream may take to send its response headers. */
  readonly headersTimeoutMs?: number;
  /** How much longer it may take where a model answers in the end. */
  readonly modelSilenceMs?: number;
  /** How long a client may take to send its request headers. */
  readonly clientHeadersTimeoutMs?: number;
  /** How long a client may leave an answer unread. */
  readonly stalledMs?: number;
  /** How long running requests may continue once the gateway stops. */
  readonly graceMs?: number;
  /** Counts requests, if metrics are on. */
  readonly meter?: Meter;
  /** How fast refusals to one network are sent. */
  readonly pace?: PaceRow;
}

export interface Gateway {
  readonly server: Server;
  /** Listens on every address by default, on both loopback addresses for `localhost`; resolves to the port. */
  listen(port: number, host?: string): Promise<number>;
  close(): Promise<void>;
}

const MAX_HEADER_BYTES = 16 * 1024;
const CLIENT_REQUEST_TIMEOUT_MS = 300_000;
// Longer than the idle timeout of common load balancers, so that they close first.
const CLIENT_IDLE_TIMEOUT_MS = 65_000;
const SOCKETS = { keepAlive: true, keepAliveInitialDelay: 60_000 } as const;

export function createGateway(options: GatewayOptions): Gateway {
  const { log, headersTimeoutMs = 60_000, clientHeadersTimeoutMs = 20_000, graceMs = 8_000 } = options;
  // Added to the usual time, which the web server has for everything but the model: its own answer always comes first.
  const waitMs = { model: headersTimeoutMs + (options.modelSilenceMs ?? 600_000) };
  const admit = createAdmit(options);
  const upstreams = new Map<UpstreamAddress, UpstreamConnections>();
  for (const address of Object.values(options.addresses))
    if (address !== undefined) upstreams.set(address, openConnections(address, headersTimeoutMs));
  const eventStreams = new Set<EventStream>();
  const upgraded = new Set<Socket>();
  const pace = options.pace ?? PACE;
  const requests = { log, eventStreams, waitMs, pace: createPacer(pace), mostWaitMs: pace.mostWaitMs };
  const webSockets = { log, headersTimeoutMs };
  const http = options.meter && createHttpMeter(options.meter);
  options.meter?.read('service_gateway_event_streams_open', () => [{ value: eventStreams.size }]);
  let listening: Listening | undefined;

  const server = createServer({
    insecureHTTPParser: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: clientHeadersTimeoutMs,
    requestTimeout: Math.max(CLIENT_REQUEST_TIMEOUT_MS, clientHeadersTimeoutMs),
    connectionsCheckingInterval: Math.min(5_000, clientHeadersTimeoutMs),
    keepAliveTimeout: CLIENT_IDLE_TIMEOUT_MS,
    ...SOCKETS,
    optimizeEmptyRequests: true,
    // Other protocols (h2c) are offers that a server may ignore: such a request is handled as an ordinary one.
    shouldUpgradeCallback: (req) => req.headers.upgrade?.toLowerCase() === 'websocket',
  });
  // Headers are limited by size; a limit on their number would make Node drop headers silently.
  server.maxHeadersCount = 0;
  closeStalled(server, options.stalledMs);

  const handle = (req: IncomingMessage, res: ServerResponse, expectsContinue: boolean): void => {
    const admitted = admit(req);
    const upstream = admitted.refusal === undefined ? upstreams.get(admitted.address) : undefined;
    if (!server.listening) res.shouldKeepAlive = false;
    const watch =
      http && watchAnswer(http, req, res, admitted.refusal === undefined ? admitted.service.prefix : 'refused');
    if (admitted.refusal === undefined && asksForHealth(admitted, req.method))
      return answerHealth(admitted, res, requests.pace);
    if (admitted.refusal === undefined && isTracing()) traceRequest(admitted, req, res);
    if (admitted.refusal === undefined && upstream !== undefined)
      return proxyRequest(requests, upstream, admitted, { req, res, expectsContinue, watch });
    options.meter?.count('service_gateway_refusals_total', [admitted.refusal ?? 'bad_gateway']);
    // The client may still be sending the body it announced: no further request on this connection.
    if (expectsContinue) res.shouldKeepAlive = false;
    refuse(res, admitted.refusal ?? 'bad_gateway', admitted.requestId);
  };
  server.on('request', (req, res) => handle(req, res, false));
  server.on('checkContinue', (req, res) => handle(req, res, true));
  server.on('connect', (_req, duplex) => refuseUpgrade(leaveHttp(duplex), 'tunnel'));
  server.on('upgrade', (req, duplex, head) => {
    const socket = leaveHttp(duplex);
    const admitted = admit(req);
    if (admitted.refusal !== undefined) return refuseUpgrade(socket, admitted.refusal, admitted.requestId);
    if (req.method !== 'GET' || admitted.hasBody) return refuseUpgrade(socket, 'malformed', admitted.requestId);
    if (!admitted.service.webSocket)
      return refuseUpgrade(
        socket,
        admitted.path.startsWith('/v1/') ? 'no_web_socket_for_models' : 'no_web_socket',
        admitted.requestId,
      );
    // Each is a connection to an upstream, refused or not: beyond a burst they wait for their turn, as refusals do.
    const waitMs = requests.pace(admitted.from, performance.now());
    if (waitMs === undefined) return void socket.destroy();
    if (waitMs === 0) proxyWebSocket(webSockets, admitted, socket, head);
    else setTimeout(() => socket.destroyed || proxyWebSocket(webSockets, admitted, socket, head), waitMs);
  });
  const leaveHttp = (duplex: Duplex): Socket => {
    if (!(duplex instanceof Socket)) throw new TypeError('a connection of the server is not a socket');
    upgraded.add(duplex);
    return duplex.on('error', () => {}).on('close', () => upgraded.delete(duplex));
  };

  return {
    server,
    listen: async (port, host) => {
      listening = await listenOn(server, port, host, { ...SOCKETS, allowHalfOpen: true, noDelay: true });
      return listening.port;
    },
    close: async () => {
      await drainServer(server, { listening, eventStreams, upgraded, graceMs });
      await Promise.all([...upstreams.values()].map((upstream) => upstream.destroy()));
    },
  };
}
