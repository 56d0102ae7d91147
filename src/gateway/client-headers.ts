// Reads a client's request headers once: what goes on to the upstream, and the few values the gateway decides on.
// Headers that a client could forge, and those that belong to its connection only, are dropped.
import { isLoopbackHost } from '../net/addresses.ts';
import { isRequestId } from '../telemetry/request-id.ts';

export interface ClientHeaders {
  /** Names and values in turn, as the client wrote them. */
  readonly kept: string[];
  readonly host: string | undefined;
  readonly contentLength: string | undefined;
  readonly transferEncoding: string | undefined;
  readonly requestId: string | undefined;
  /** Forwarded addresses that came with the request, from all header lines; trusted only from a trusted proxy. */
  readonly forwardedFor: string | undefined;
  /**
   * Whether the request claims to come from another machine. Accepted from any client, because it only removes rights.
   */
  readonly claimsElsewhere: boolean;
}

/** Headers that the gateway drops, and why: they describe the client's connection, or claim where it comes from. */
const ENDS_HERE: ReadonlyMap<string, 'connection' | 'address'> = new Map([
  ...[
    'expect',
    'http2-settings',
    'keep-alive',
    'proxy-authenticate',
    'proxy-authorization',
    'proxy-connection',
    'te',
    'trailer',
    'upgrade',
  ].map((name) => [name, 'connection'] as const),
  ...[
    'forwarded',
    'x-forwarded-for',
    'x-original-forwarded-for',
    'x-real-ip',
    'x-client-ip',
    'client-ip',
    'true-client-ip',
    'x-true-client-ip',
    'x-cluster-client-ip',
    'x-remote-ip',
    'x-remote-addr',
    'remote-addr',
    'x-originating-ip',
    'x-source-ip',
    'x-envoy-external-address',
    'x-envoy-original-dst-host',
    'x-proxyuser-ip',
    'cf-connecting-ip',
    'cf-connecting-ipv6',
    'cf-pseudo-ipv4',
    'fastly-client-ip',
    'fly-client-ip',
    'do-connecting-ip',
    'ali-cdn-real-ip',
    'cdn-src-ip',
    'wl-proxy-client-ip',
    'x-azure-clientip',
    'x-azure-socketip',
    'x-appengine-user-ip',
    'x-appengine-remote-addr',
    'x-nf-client-connection-ip',
    'x-vercel-forwarded-for',
    'x-vercel-proxied-for',
  ].map((name) => [name, 'address'] as const),
]);

/** Undefined if the headers are ambiguous. */
export function readClientHeaders(raw: readonly string[]): ClientHeaders | undefined {
  const kept: string[] = [];
  let host: string | undefined;
  let contentLength: string | undefined;
  let transferEncoding: string | undefined;
  let requestId: string | undefined;
  let forwardedFor: string | undefined;
  let claimsElsewhere = false;
  let connection = '';
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] ?? '';
    const value = raw[i + 1] ?? '';
    const lower = name.toLowerCase();
    switch (lower) {
      case 'host':
        if (host !== undefined) return undefined;
        host = value;
        break;
      case 'content-length':
        if (contentLength !== undefined) return undefined;
        contentLength = value;
        break;
      case 'transfer-encoding':
        if (transferEncoding !== undefined) return undefined;
        transferEncoding = value;
        break;
      case 'connection':
        if (value !== 'keep-alive' && value !== 'close') connection += `,${value}`;
        break;
      case 'x-request-id':
        if (requestId === undefined && isRequestId(value)) requestId = value;
        break;
      default: {
        // Some servers read an underscore as a dash.
        const plain = lower.includes('_') ? lower.replaceAll('_', '-') : lower;
        const ends = ENDS_HERE.get(plain);
        if (lower === 'x-forwarded-for') forwardedFor = forwardedFor === undefined ? value : `${forwardedFor},${value}`;
        if (ends === 'address') claimsElsewhere ||= value.split(',').some((entry) => !isLoopbackHost(entry));
        else if (ends === undefined && !plain.startsWith('x-forwarded')) kept.push(name, value);
      }
    }
  }
  if (transferEncoding !== undefined && (contentLength !== undefined || transferEncoding.toLowerCase() !== 'chunked'))
    return undefined;
  return {
    kept: withoutNamed(kept, connection),
    host,
    contentLength,
    transferEncoding,
    requestId,
    forwardedFor,
    claimsElsewhere,
  };
}

/** Drops the headers listed in a Connection header: they were meant for the gateway only. */
export function withoutNamed(headers: string[], connection: string): string[] {
  if (connection === '' || connection === 'keep-alive') return headers;
  const named = namesIn(connection);
  return named.size === 0 ? headers : headers.filter((_, i) => !named.has((headers[i - (i % 2)] ?? '').toLowerCase()));
}

function namesIn(connection: string): Set<string> {
  const names = new Set<string>();
  for (const token of connection.toLowerCase().split(',')) {
    const name = token.trim();
    if (name !== '' && name !== 'keep-alive' && name !== 'close' && name !== 'upgrade') names.add(name);
  }
  return names;
}
