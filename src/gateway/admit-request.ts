// Everything that is decided about a request before a byte of it goes upstream, in order: its headers are unambiguous,
// its host is well formed, its path belongs to one service that this client may see, and that service has an address.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isLoopbackHost } from '../net/addresses.ts';
import type { Networks } from '../base/networks.ts';
import { findClientAddress } from './client-address.ts';
import { readClientHeaders } from './client-headers.ts';
import { withoutOwnCredentials } from './own-credentials.ts';
import type { GatewayRefusal } from './refusals.ts';
import { createSchemeOf, findHostname, isLoopback, withBrackets } from './request-host.ts';
import { mayRelocate, plainRequest } from './relocate-dashboard.ts';
import { createRouter } from './route.ts';
import type { Service } from './service-graph.ts';
import type { UpstreamAddress, UpstreamAddresses } from './upstream-addresses.ts';

export interface Admitted {
  readonly refusal?: undefined;
  readonly requestId: string;
  readonly service: Service;
  readonly address: UpstreamAddress;
  readonly path: string;
  /** The client's address. */
  readonly from: string;
  /** Names and values in turn, including the gateway's own; no framing or connection headers. */
  readonly headers: string[];
  readonly contentLength: string | undefined;
  readonly hasBody: boolean;
}

interface Refused {
  readonly refusal: GatewayRefusal;
  readonly requestId: string;
}

export type Admit = (req: IncomingMessage) => Admitted | Refused;

export interface AdmitOptions {
  readonly graph: readonly Service[];
  readonly addresses: UpstreamAddresses;
  readonly publicUrl: string;
  readonly showPrivate: boolean;
  /** Proxies in front of the gateway, whose forwarding headers are trusted. */
  readonly trustedProxies?: Networks | undefined;
}

export function createAdmit({ graph, addresses, publicUrl, showPrivate, trustedProxies }: AdmitOptions): Admit {
  const route = createRouter(graph);
  const schemeOf = createSchemeOf(publicUrl);

  return (req) => {
    const client = readClientHeaders(req.rawHeaders);
    const requestId = client?.requestId ?? randomUUID();
    if (client === undefined) return { refusal: 'malformed', requestId };

    const { contentLength, transferEncoding } = client;
    const host = client.host === undefined ? undefined : withBrackets(client.host);
    const hostname = host === undefined ? undefined : findHostname(host);
    // HTTP/1.0 allows requests without a host; they do not count as addressed to loopback.
    if (hostname === undefined && !(host === undefined && req.httpVersionMinor === 0))
      return { refusal: 'malformed', requestId };

    const from = findClientAddress(trustedProxies, plainAddress(req.socket.remoteAddress ?? ''), client.forwardedFor);
    // A client chooses its own Host: it counts as this machine only if the connection also comes from this machine.
    const isLocal = hostname !== undefined && isLoopback(hostname) && isLoopbackHost(from) && !client.claimsElsewhere;
    const found = route(req.url ?? '', showPrivate || isLocal, () => opensPage(req));
    if (found.kind !== 'service') return { refusal: found.kind, requestId };
    const { service } = found;
    const address = addresses[service.upstream];
    if (address === undefined) return { refusal: 'not_configured', requestId };

    const sent = service.foreign ? withoutOwnCredentials(client.kept) : client.kept;
    const headers = mayRelocate({ service, method: req.method, path: found.path }) ? plainRequest(sent) : sent;
    headers.push('x-request-id', requestId, 'x-forwarded-for', from);
    headers.push('x-forwarded-proto', host === undefined ? 'http' : schemeOf(host));
    if (host !== undefined) headers.push('x-forwarded-host', host);
    // With TLS the name in the certificate decides, so the upstream always gets its own host.
    headers.push(
      'host',
      service.host === 'client' && host !== undefined && address.protocol === 'http:' ? host : address.host,
    );
    return {
      requestId,
      service,
      address,
      path: address.basePath + found.path,
      from,
      headers,
      contentLength,
      hasBody: transferEncoding !== undefined || (contentLength !== undefined && !/^0+$/.test(contentLength)),
    };
  };
}

/** Browsers accept HTML when they navigate; API clients do not ask for it. */
function opensPage({ method, headers }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && /\btext\/html\b/i.test(headers.accept ?? '');
}

/** An IPv4 client of a socket that also listens on IPv6. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
}
