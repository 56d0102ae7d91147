// Where the controller listens: a socket that only its own user can open, or the loopback with a token.
import { chmod, mkdir, unlink } from 'node:fs/promises';
import type { RequestListener, Server } from 'node:http';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { ConfigError } from '../../base/config.ts';
import { createLimitedServer, drain } from '../shell/serve.ts';

const MAX_SOCKET_PATH = 107;
const DRAIN_MS = 2_000;
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

export interface ListenAddress {
  readonly url: string;
  readonly token: string | undefined;
  /** Overrides the host of an http URL, as in a container. */
  readonly host: string | undefined;
}

export async function listenForCallers(
  listener: RequestListener,
  { url, token, host }: ListenAddress,
): Promise<{ close(): Promise<void> }> {
  const server = createLimitedServer(listener);
  if (url.startsWith('unix:')) await listenOnSocket(server, url.slice('unix:'.length));
  else {
    const { hostname, port, protocol } = new URL(url);
    if (token === undefined)
      throw new ConfigError(
        'SERVICE_SANDBOX_TOKEN must be set when SERVICE_SANDBOX_URL is an http URL: without it anyone on the machine could run commands',
      );
    if (protocol !== 'http:')
      throw new ConfigError(
        'SERVICE_SANDBOX_URL must be an http URL or unix:/path for the controller itself; put a proxy in front of it for https',
      );
    if (host === undefined && !LOOPBACK.has(hostname))
      throw new ConfigError(
        'SERVICE_SANDBOX_URL must be a loopback address for the controller itself; to serve another address, set SERVICE_LISTEN_HOST',
      );
    await listen(server, { port: Number(port === '' ? 80 : port), host: host ?? hostname.replace(/^\[|\]$/g, '') });
  }
  return { close: () => drain(server, DRAIN_MS) };
}

async function listenOnSocket(server: Server, path: string): Promise<void> {
  if (Buffer.byteLength(path) > MAX_SOCKET_PATH)
    throw new ConfigError(
      `SERVICE_SANDBOX_URL must be a socket path of at most ${MAX_SOCKET_PATH} bytes; set a shorter one`,
    );
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  if (await answers(path))
    throw new ConfigError(`another controller listens on ${path}; stop it, or set SERVICE_SANDBOX_URL`);
  await unlink(path).catch(() => {});
  // The socket is created with this umask, so that no one else can open it even for a moment.
  const mask = process.umask(0o177);
  try {
    await listen(server, { path });
  } finally {
    process.umask(mask);
  }
  await chmod(path, 0o600);
}

function listen(server: Server, where: { path: string } | { port: number; host: string }): Promise<void> {
  return new Promise((resolve, reject) => server.once('error', reject).listen(where, resolve));
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
