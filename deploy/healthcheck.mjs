// Whether the part in this container answers. Without an address it depends on what the container runs:
//   node deploy/healthcheck.mjs [http://host:port/path | tcp://host:port]
// A role without a port cannot be probed: it exits when it cannot continue.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

const TIMEOUT_MS = 4_000;
const {
  SERVICE_GATEWAY_PORT = '4000',
  SERVICE_WEB_PORT = '4001',
  SERVICE_RUNTIME_PORT = '4002',
  SERVICE_BROKER_PORT = '4003',
  SERVICE_PROCESS_ROLE = '',
  SERVICE_SANDBOX_URL = '',
} = process.env;

const ADDRESSES = {
  gateway: () => `tcp://127.0.0.1:${SERVICE_GATEWAY_PORT}`,
  web: () => `http://127.0.0.1:${SERVICE_WEB_PORT}/healthz`,
  broker: () => `http://127.0.0.1:${SERVICE_BROKER_PORT}/healthz`,
  runtime: () =>
    ['', 'api'].includes(SERVICE_PROCESS_ROLE) ? `http://127.0.0.1:${SERVICE_RUNTIME_PORT}/healthz` : undefined,
  sandbox: () =>
    SERVICE_SANDBOX_URL.startsWith('http')
      ? `http://127.0.0.1:${new URL(SERVICE_SANDBOX_URL).port}/healthz`
      : undefined,
};

const address = process.argv[2] ?? ofThisContainer();
try {
  if (address !== undefined) await ask(address);
} catch (error) {
  process.stderr.write(`${address}: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

function ofThisContainer() {
  const command = readFileSync('/proc/1/cmdline', 'utf8').replaceAll('\0', ' ');
  const part = /\bdist\/([a-z-]+)\.js/.exec(command)?.[1] ?? '';
  return ADDRESSES[part]?.();
}

async function ask(url) {
  if (url.startsWith('tcp:')) return knock(new URL(url));
  const { status } = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (status !== 200) throw new Error(`answered ${status}`);
}

function knock({ hostname, port }) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), timeout: TIMEOUT_MS });
    socket.once('connect', () => resolve(socket.destroy()));
    socket.once('timeout', () => reject(socket.destroy(new Error('does not answer'))));
    socket.once('error', reject);
  });
}
