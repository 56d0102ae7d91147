// npm start as a whole, from the bundles in dist/: every part is the real one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProcess } from '../../src/base/find-process.ts';
import { startStack, type TestStack } from '../support/stack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

const health = async (path: string): Promise<number> => {
  const response = await fetch(`${stack.url}${path}`).catch(() => undefined);
  await response?.body?.cancel();
  return response?.status ?? 0;
};

describe('the whole stack', () => {
  it('serves the web server and the runtime behind the gateway once it has said ready', async () => {
    expect(await health('/runtime/healthz')).toBe(200);
    expect(await health('/healthz')).toBe(200);
  });

  it('runs the five roles', async () => {
    const names = Object.keys((await stack.state()).parts);
    for (const role of ['api', 'driver', 'worker-chat', 'worker-control', 'worker-codex']) expect(names).toContain(`runtime-${role}`);
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
