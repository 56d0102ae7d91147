// What a deployment in containers needs around it in a test: the operator's env file, and models that answer.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { DEPLOY, readEnvFile } from '../../scripts/read-deploy-files.ts';

export const URL = 'http://localhost:4000';
const MODELS_PORT = 4107;

/** env.example as an operator fills it in, with the demo models as the provider that the deployment's key belongs to. */
export function fillIn(directory = DEPLOY): Record<string, string> {
  const example = readEnvFile(readFileSync(join(directory, 'env.example'), 'utf8'));
  const secret = (name: string): string =>
    /_KEY_B64$|^NANGO_ENCRYPTION_KEY$/.test(name)
      ? randomBytes(32).toString('base64')
      : randomBytes(16).toString('hex');
  const filled = Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, value === 'change-me' ? secret(name) : value]),
  );
  return {
    ...filled,
    SERVICE_PUBLIC_URL: URL,
    OPENAI_API_KEY: 'sk-demo',
    OPENAI_API_URL: `http://host.containers.internal:${MODELS_PORT}`,
    SERVICE_DEBUG_TOKEN: secret(''),
  };
}

/** The demo models listen on the loopback, which is not that of the containers. */
export async function forwardModels(to: string): Promise<Server> {
  const { hostname, port: target } = new globalThis.URL(to);
  const server = createServer((socket) => {
    const onward = connect(Number(target), hostname);
    for (const [from, into] of [
      [socket, onward],
      [onward, socket],
    ] as const)
      from.on('error', () => into.destroy()).pipe(into);
  });
  await new Promise<void>((resolve) => server.listen(MODELS_PORT, '0.0.0.0', resolve));
  return server;
}
