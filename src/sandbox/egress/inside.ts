// The inner end of the only way out: a small forwarder on the sandbox's loopback carries connections to the proxy's
// socket, so that ordinary clients see an ordinary proxy. It starts before the command and dies with it.
export const EGRESS_MOUNT = '/run/egress';
export const EGRESS_SOCKET = 'proxy.sock';
/** The roots that are known everywhere, and the authority of this sandbox. */
export const EGRESS_ROOTS = 'roots.pem';
const PORT = 3128;
const PROXY = `http://127.0.0.1:${PORT}`;

export const EGRESS_ENVIRONMENT = {
  HTTP_PROXY: PROXY,
  HTTPS_PROXY: PROXY,
  http_proxy: PROXY,
  https_proxy: PROXY,
  NO_PROXY: 'localhost,127.0.0.1',
  no_proxy: 'localhost,127.0.0.1',
  NODE_USE_ENV_PROXY: '1',
} as const;

const ROOTS = `${EGRESS_MOUNT}/${EGRESS_ROOTS}`;
/** Where clients look for roots: OpenSSL and Go, curl, Python, Node.js, git, pip, cargo, the AWS command line, Deno, Ruby. */
export const ROOTS_ENVIRONMENT = {
  SSL_CERT_FILE: ROOTS,
  CURL_CA_BUNDLE: ROOTS,
  REQUESTS_CA_BUNDLE: ROOTS,
  NODE_EXTRA_CA_CERTS: ROOTS,
  GIT_SSL_CAINFO: ROOTS,
  PIP_CERT: ROOTS,
  CARGO_HTTP_CAINFO: ROOTS,
  AWS_CA_BUNDLE: ROOTS,
  DENO_CERT: ROOTS,
  BUNDLE_SSL_CA_CERT: ROOTS,
} as const;

const FORWARDER = `const net = require('node:net');
net.createServer({ allowHalfOpen: true }, (client) => {
  const proxy = net.connect({ path: '${EGRESS_MOUNT}/${EGRESS_SOCKET}', allowHalfOpen: true });
  client.on('error', () => proxy.destroy()).pipe(proxy);
  proxy.on('error', () => client.destroy()).pipe(client);
}).listen(${PORT}, '127.0.0.1', () => console.log('ready'));`;

/** The forwarder runs in the background of a separate shell, so that the command has no unexpected child. */
const START = `exec {ready}< <("$1" -e "$2" </dev/null 2>/dev/null &)
read -r _ <&"$ready" || { echo 'the egress forwarder did not start' >&2; exit 125; }
exec {ready}<&-
shift 2
exec "$@"`;

export function behindForwarder(node: string, argv: readonly string[]): string[] {
  return ['/bin/bash', '--noprofile', '--norc', '-c', START, 'egress', node, FORWARDER, ...argv];
}
