// Clients try what their provider has: the refusal says that it is not here, and what is.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import OpenAI, { NotFoundError } from 'openai';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SURFACES } from './surfaces.ts';
import { findUnserved, UNSERVED } from './unserved.ts';
import { v1Route, type V1Deps } from './v1-route.ts';

let server: Server;
let url: string;
beforeAll(async () => {
  const route = v1Route({ log: pino({ level: 'silent' }) } as unknown as V1Deps);
  server = createServer((request, response) => void route.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

it.each(Object.entries(UNSERVED))('%s is refused by its name, below it as well', async (path, { name, instead }) => {
  for (const address of [path, `${path}/x`]) {
    const response = await fetch(url + address, { method: 'POST' });
    expect([response.status, await response.text()]).toEqual([
      404,
      expect.stringContaining(`${name}: not served here. ${instead}`),
    ]);
  }
});

it("reaches OpenAI's client as the error that it knows", async () => {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 });
  const refusal = await client.vectorStores.list().catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(NotFoundError);
  expect(refusal).toMatchObject({
    code: 'surface_not_served',
    type: 'invalid_request_error',
    message: expect.stringContaining('/docs/api'),
  });
});

it('lists nothing that is served, and nothing that no provider has', () => {
  expect(
    [...Object.keys(SURFACES), '/v1/models', '/v1/models/a/b', '/v1/nothing', '/v1/filesystem'].filter(findUnserved),
  ).toEqual([]);
});
