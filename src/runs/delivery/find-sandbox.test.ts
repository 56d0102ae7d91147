import { expect, it, vi } from 'vitest';
import { AppError } from '../../base/errors.ts';
import type { Health } from '../../sandbox/protocol.ts';
import { createFindSandbox } from './find-sandbox.ts';

const SAFE: Health = {
  ok: true,
  driver: 'bubblewrap',
  limits: { memory: 'cgroup', processes: 'cgroup', disk: 'tmpfs', cpu: 'cgroup', time: 'timer' },
  sandboxes: 0,
};

it("returns the controller's health, asked once for many callers", async () => {
  const health = vi.fn(async () => SAFE);
  const find = createFindSandbox({ health });
  expect(await Promise.all([find(), find(), find()])).toEqual([SAFE, SAFE, SAFE]);
  expect(health).toHaveBeenCalledTimes(1);
});

it.each([
  ['cannot be reached', async () => Promise.reject(new AppError('unavailable'))],
  ['answers as something else', async () => ({ ok: false, error: 'unauthenticated' }) as unknown as Health],
])('knows nothing of one that %s', async (_name, health) => {
  expect(await createFindSandbox({ health })()).toBeUndefined();
});

it('passes on that no driver is safe', async () => {
  const unsafe: Health = { ok: false, reason: 'no bwrap', fix: 'install it' };
  expect(await createFindSandbox({ health: async () => unsafe })()).toEqual(unsafe);
});
