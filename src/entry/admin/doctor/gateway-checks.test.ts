import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDeployment } from './deployment.ts';
import { checkPublicUrl } from './gateway-checks.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'doctor-gateway-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const STACK = {
  url: '',
  publicUrl: 'http://localhost:4000',
  startedAt: '',
  pid: 0,
  databaseUrl: '',
  schema: '',
  parts: {},
};

it.each([
  ['that only this machine reaches', {}, { gatewayHost: 'localhost', allowPrivateUrls: true }, false],
  ['that the network reaches', {}, { gatewayHost: '0.0.0.0', allowPrivateUrls: true }, true],
  ['that the network reaches, without', {}, { gatewayHost: '0.0.0.0', allowPrivateUrls: false }, false],
  ['of npm start behind a proxy', {}, { publicUrl: 'https://service.example', gatewayHost: 'localhost' }, true],
  ['without npm start, on every address', { SERVICE_ALLOW_PRIVATE_URLS: '1' }, undefined, true],
])('warns of private addresses that users may name at a service %s', async (_which, given, stack, warns) => {
  const file = join(directory, 'stack.json');
  await (stack ? writeFile(file, JSON.stringify({ ...STACK, ...stack })) : rm(file, { force: true }));
  const deployment = await openDeployment(
    { ...given, SERVICE_DATA_DIR: directory },
    { production: false, bundle: undefined },
  );
  try {
    const said = checkPublicUrl(deployment).map(({ what }) => what);
    expect(said.some((what) => what.includes('SERVICE_ALLOW_PRIVATE_URLS'))).toBe(warns);
  } finally {
    await deployment.close();
  }
});
