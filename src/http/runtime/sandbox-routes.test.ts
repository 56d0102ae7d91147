import { call } from '@orpc/server';
import { expect, it } from 'vitest';
import type { Health } from '../../sandbox/protocol.ts';
import { sandboxRouter } from './sandbox-routes.ts';

const HEALTHY: Health = {
  ok: true,
  driver: 'bubblewrap',
  limits: { memory: 'rlimit', processes: 'rlimit', disk: 'watchdog', cpu: 'priority', time: 'timer' },
  sandboxes: 3,
};
const ask = (health: Health | undefined): Promise<unknown> =>
  call(sandboxRouter(async () => health).show, undefined, {
    context: { caller: { userId: 'usr_1', scopes: ['jobs:read'] } as never },
  });

it('says how runs are confined, but not how many others there are', async () => {
  const { sandboxes: _sandboxes, ...shown } = HEALTHY;
  expect(await ask(HEALTHY)).toEqual(shown);
});

it('passes on why no run can be executed, and what to do', async () => {
  expect(await ask({ ok: false, reason: 'bwrap is not installed', fix: 'apt-get install bubblewrap' })).toEqual({
    ok: false,
    reason: 'bwrap is not installed',
    fix: 'apt-get install bubblewrap',
  });
});

it('reports a controller that does not respond', async () => {
  expect(await ask(undefined)).toEqual({
    ok: false,
    reason: 'unreachable',
    fix: expect.stringContaining('SERVICE_SANDBOX_URL'),
  });
});
