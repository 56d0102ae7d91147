// npm start as a whole, from the bundles in dist/: every part is the real one.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { needs } from '../support/needs.ts';
import { findProcess } from '../../src/base/find-process.ts';
import { startStack, type TestStack } from '../support/stack.ts';

const REPAIR_SECRET = 'only-the-api-role-may-see-this';
let stack: TestStack;
beforeAll(async () => {
  stack = await startStack({ environment: { SERVICE_INTEGRATIONS_DATABASE_URL: `postgresql://repair:${REPAIR_SECRET}@127.0.0.1:9/provider` } });
});
afterAll(() => stack.stop());

const health = async (path: string): Promise<number> => {
  const response = await fetch(`${stack.url}${path}`).catch(() => undefined);
  await response?.body?.cancel();
  return response?.status ?? 0;
};

/** Of a process and of everything that it has started. */
function environmentsUnder(pid: number): string[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter((one) => one !== '');
  return [readFileSync(`/proc/${pid}/environ`, 'utf8'), ...children.flatMap((child) => environmentsUnder(Number(child)))];
}

describe('the whole stack', () => {
  it('serves the web server and the runtime behind the gateway once it has said ready', async () => {
    expect(await health('/runtime/healthz')).toBe(200);
    expect(await health('/healthz')).toBe(200);
  });

  it('runs the five roles', async () => {
    const names = Object.keys((await stack.state()).parts);
    for (const role of ['api', 'driver', 'worker-chat', 'worker-control', 'worker-codex']) expect(names).toContain(`runtime-${role}`);
  });

  it('writes down where the Connect UI and the sandbox controller are too', async () => {
    const { parts } = await stack.state();
    expect(parts['sandbox']).toMatchObject({ url: `unix:${stack.dataDirectory}/sandbox.sock` });
    const { port = 0, url, connectPort = 0, connectUrl } = parts['local-integrations'] ?? {};
    expect([url, connectUrl]).toEqual([`http://127.0.0.1:${port}`, `http://127.0.0.1:${connectPort}`]);
    expect((await fetch(connectUrl ?? '')).status).toBeLessThan(500);
  });

  it('hands the address of the provider’s database to the api role and to no other process', needs('linux'), async () => {
    const { parts } = await stack.state();
    const given = Object.entries(parts).filter(([, { pid }]) => environmentsUnder(pid).some((environment) => environment.includes(REPAIR_SECRET) || environment.includes('SERVICE_INTEGRATIONS_DATABASE_URL')));
    expect(given.map(([name]) => name)).toEqual(['runtime-api']);
  });

  it('comes back after a SIGKILL of each of its parts', async () => {
    for (const [name, { pid }] of Object.entries((await stack.state()).parts)) {
      process.kill(pid, 'SIGKILL');
      await stack.said(`${name} is up again`);
    }
    await expect.poll(() => health('/runtime/healthz'), { timeout: 30_000 }).toBe(200);
    await expect.poll(() => health('/healthz'), { timeout: 30_000 }).toBe(200);
  });

  it('leaves nothing running when it stops', async () => {
    const { parts } = await stack.state();
    expect(await stack.stop()).toEqual({ code: 0, signal: null });
    for (const { pid } of Object.values(parts)) expect(findProcess(pid)).toBeUndefined();
  });
});
