// The address of each upstream of the service graph, from the configuration. An upstream without an address is not
// configured.
import { brokerUrl, runtimeUrl, sandboxUrl, webUrl } from '../net/addresses.ts';
import type { Config } from '../base/config.ts';
import type { UpstreamName } from './service-graph.ts';

export interface UpstreamAddress {
  readonly origin: string;
  readonly protocol: 'http:' | 'https:';
  /** Without the brackets of an IPv6 address. */
  readonly hostname: string;
  readonly port: number;
  /** The Host header of a request addressed to the upstream itself. */
  readonly host: string;
  /** The path of the URL, prepended to every request; may be empty. */
  readonly basePath: string;
  readonly socketPath?: string;
}

export type UpstreamAddresses = Readonly<Record<UpstreamName, UpstreamAddress | undefined>>;

const CONNECT_UI_PORT = '3009';

export function upstreamAddresses(config: Config): UpstreamAddresses {
  const integrations = config.SERVICE_INTEGRATIONS_URL === 'off' ? undefined : config.SERVICE_INTEGRATIONS_URL;
  const connect =
    integrations === undefined
      ? undefined
      : (config.SERVICE_INTEGRATIONS_CONNECT_URL ?? withPort(integrations, CONNECT_UI_PORT));
  return {
    web: parseUpstream(webUrl(config)),
    runtime: parseUpstream(runtimeUrl(config)),
    broker: parseUpstream(brokerUrl(config)),
    sandbox: parseUpstream(sandboxUrl(config)),
    integrations: integrations === undefined ? undefined : parseUpstream(integrations),
    'integrations-connect': connect === undefined ? undefined : parseUpstream(connect),
  };
}

export function parseUpstream(address: string): UpstreamAddress {
  if (address.startsWith('unix:')) {
    return {
      origin: 'http://localhost',
      protocol: 'http:',
      hostname: 'localhost',
      port: 80,
      host: 'localhost',
      basePath: '',
      socketPath: address.slice('unix:'.length),
    };
  }
  const url = new URL(address);
  const protocol = url.protocol === 'https:' ? 'https:' : 'http:';
  return {
    origin: url.origin,
    protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (protocol === 'https:' ? 443 : 80) : Number(url.port),
    host: url.host,
    basePath: url.pathname.replace(/\/+$/, ''),
  };
}

function withPort(address: string, port: string): string {
  const url = new URL(address);
  url.port = port;
  return url.origin;
}
