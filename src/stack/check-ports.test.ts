import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../../test/support/free-port.ts';
import { checkPorts } from './check-ports.ts';
import { PARTS } from './parts.ts';
import type { Ports } from './plan-ports.ts';
import { StackError } from './stack-error.ts';

let server: Server | undefined;
afterEach(() => server?.close());

const occupy = (host: string): Promise<number> =>
  new Promise((resolve) => {
    const taken = createServer().listen(0, host, () => resolve((taken.address() as { port: number }).port));
    server = taken;
  });
const ports = async (given: Partial<Ports>): Promise<Ports> => ({
  gateway: await freePort(),
  web: await freePort(),
  runtime: await freePort(),
  broker: 1,
  integrations: 1,
  integrationsConnect: 1,
  postgres: 1,
  demoProviders: 1,
  mailbox: 1,
  mailboxSmtp: 1,
  ...given,
});

describe('the check of ports', () => {
  it('passes when all are free, whatever PostgreSQL and unselected parts have', async () => {
    await expect(checkPorts(PARTS, ['postgres', 'web', 'gateway'], await ports({}), {})).resolves.toBeUndefined();
  });

  it('names the port, the part and an option that works', async () => {
    const web = await occupy('127.0.0.1');
    const planned = await ports({ web });
    const message = await checkPorts(PARTS, ['web'], planned, {}).catch((error: Error) => error.message);
    const [, suggested] =
      /^port \d+ \(web\) is already in use: stop the program that uses it, or start on other ports, for example with npm start -- --port (\d+)$/.exec(
        String(message),
      ) ?? [];
    expect(message).toContain(`port ${web} `);
    await expect(
      checkPorts(PARTS, ['gateway'], { ...planned, gateway: Number(suggested) }, {}),
    ).resolves.toBeUndefined();
  });

  it('names the variable of a port that does not follow the gateway', async () => {
    const web = await occupy('127.0.0.1');
    await expect(checkPorts(PARTS, ['web'], await ports({ web }), { SERVICE_WEB_PORT: String(web) })).rejects.toThrow(
      /^port \d+ \(web\) is already in use: stop the program that uses it, or change SERVICE_WEB_PORT$/,
    );
  });

  it('names several ports in one sentence', async () => {
    const web = await occupy('127.0.0.1');
    const other = createServer();
    const gateway = await new Promise<number>((resolve) =>
      other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port)),
    );
    await expect(checkPorts(PARTS, ['web', 'gateway'], await ports({ web, gateway }), {})).rejects.toThrow(
      `ports ${web} (web), ${gateway} (gateway) are already in use: stop the programs that use them, or start`,
    );
    other.close();
  });

  it('finds a gateway port that is taken on one address only', async () => {
    const gateway = await occupy('127.0.0.1');
    await expect(checkPorts(PARTS, ['gateway'], await ports({ gateway }), {})).rejects.toBeInstanceOf(StackError);
  });

  it('refuses one port for two parts', async () => {
    const one = await freePort();
    await expect(checkPorts(PARTS, ['web', 'gateway'], await ports({ web: one, gateway: one }), {})).rejects.toThrow(
      'given to both web and gateway',
    );
  });
});
