import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { AppError } from '../../base/errors.ts';
import type { Gate } from './gate.ts';
import { mountedRoutes, plainRoutes, anonymousSender } from './plain-routes.ts';

/** Records who passes at what cost, and refuses anyone with that name. */
function stage() {
  const passed: [string, string][] = [];
  const gate: Gate = {
    pass(cost, who, work) {
      passed.push([cost, who]);
      return who === 'busy' ? Promise.reject(new AppError('rate_limited')) : work();
    },
  };
  const app = new Hono();
  app.onError((error) => new Response(error instanceof AppError ? error.code : 'fault', { status: 500 }));
  return { app, passed, routes: plainRoutes(app, gate) };
}

it('identifies the sender first, then passes the gate, then calls the route', async () => {
  const { app, passed, routes } = stage();
  const order: string[] = [];
  routes.on({
    method: 'GET',
    path: '/things/:id',
    cost: 'cpu',
    identify: (c) => (order.push('identified'), { userId: c.req.header('who') ?? '' }),
    handle: (c) => (order.push('handled'), c.text(c.req.param('id'))),
  });
  expect(await (await app.request('/things/one', { headers: { who: 'ada' } })).text()).toBe('one');
  expect(await (await app.request('/things/one', { headers: { who: 'busy' } })).text()).toBe('rate_limited');
  expect(order).toEqual(['identified', 'handled', 'identified']);
  expect(passed).toEqual([
    ['cpu', 'ada'],
    ['cpu', 'busy'],
  ]);
});

it('passes a request that is not for the route to the next, without using the gate', async () => {
  const { app, passed, routes } = stage();
  routes.on({
    method: 'GET',
    path: '/things',
    cost: 'stream',
    identify: () => undefined,
    handle: () => new Response('stream'),
  });
  app.get('/things', (c) => c.text('list'));
  expect(await (await app.request('/things')).text()).toBe('list');
  expect(passed).toEqual([]);
});

it('answers errors in the shape of the route, including those of the gate', async () => {
  const { app, routes } = stage();
  routes.on({
    method: 'POST',
    path: '/things',
    cost: 'database',
    identify: () => ({ userId: 'busy' }),
    handle: () => new Response(),
    fail: () => new Response('in its own shape', { status: 429 }),
  });
  expect(await (await app.request('/things', { method: 'POST' })).text()).toBe('in its own shape');
});

it('counts strangers by their network, does not count this machine, and lists what it mounted', async () => {
  const { app, passed, routes } = stage();
  routes.on({ method: 'GET', path: '/open', cost: 'cheap', identify: anonymousSender, handle: () => new Response() });
  await app.request('/open', { headers: { 'x-forwarded-for': '203.0.113.7' } });
  await app.request('/open', { headers: { 'x-forwarded-for': '127.0.0.1' } });
  expect(passed).toEqual([['cheap', '203.0.113.7']]);
  expect(mountedRoutes(app)).toEqual([{ method: 'GET', path: '/open', cost: 'cheap' }]);
});
