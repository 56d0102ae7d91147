// The Host header affects whether private services are shown, so it must be one well-formed host.

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._~-]+)(?::\d{1,5})?$/i;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The IPv6 loopback address as some clients write it; a valid host needs brackets. */
export function withBrackets(host: string): string {
  return host === '::1' ? '[::1]' : host;
}

/** The host name in lower case, without the port; an IPv6 address keeps its brackets. */
export function findHostname(host: string): string | undefined {
  return HOST.exec(host)?.[1]?.toLowerCase();
}

export function isLoopback(hostname: string): boolean {
  return LOOPBACK.has(hostname);
}

/** The scheme under which the client reached us: the public URL's for its own host, otherwise http. */
export function createSchemeOf(publicUrl: string): (host: string) => 'http' | 'https' {
  const { protocol, host: publicHost } = new URL(publicUrl);
  if (protocol !== 'https:') return () => 'http';
  const hosts = new Set([
    publicHost,
    publicHost.replace(/:443$/, ''),
    /:\d+$/.test(publicHost) ? publicHost : `${publicHost}:443`,
  ]);
  return (host) => (hosts.has(host.toLowerCase()) ? 'https' : 'http');
}
