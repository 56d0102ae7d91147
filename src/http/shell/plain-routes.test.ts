import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { AppError } from '../../base/errors.ts';
import { type Admission, createAdmission } from './admission/admission.ts';
import { mountedRoutes, plainRoutes, anonymousSender } from './plain-routes.ts';

/** Records what is admitted and for whom, and refuses anyone called "busy". */
function stage() {
  const passed: unknown[] = [];
  const open = createAdmission();
  const admission: Admission = {
    ...open,
    serve(route, sender, request, work) {
      passed.push([route.cost, sender.userId, sender.stranger ?? false]);
      return sender.userId === 'busy'
        ? Promise.reject(new AppError('rate_limited'))
        : open.serve(route, sender, request, work);
    },
  };
  const app = new Hono();
  app.onError((error) => new Response(error instanceof AppError ? error.code : 'fault', { status: 500 }));
  return { app, passed, routes: plainRoutes(app, admission) };
}

it('identifies the sender first, then admits, then calls the route with the body', async () => {
  const { app, passed, routes } = stage();
  const order: string[] = [];
  routes.on({
    method: 'POST',
    path: '/things/:id',
    cost: 'cpu',
    body: 'oauth',
    identify: (c) => (order.push('identified'), { userId: c.req.header('who') ?? '' }),
    handle: (c, _who, body) => (order.push('handled'), c.text(`${c.req.param('id')} ${body.toString()}`)),
  });
  const ask = (who: string): Response | Promise<Response> =>
    app.request('/things/one', { method: 'POST', headers: { who }, body: 'sent' });
  expect(await (await ask('ada')).text()).toBe('one sent');
  expect(await (await ask('busy')).text()).toBe('rate_limited');
  expect(order).toEqual(['identified', 'handled', 'identified']);
  expect(passed).toEqual([
    ['cpu', 'ada', false],
    ['cpu', 'busy', false],
  ]);
});

it('passes a request that is not for the route to the next, without admitting it', async () => {
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

it('answers errors in the shape of the route, including those of admission', async () => {
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

it('counts strangers by their network, this machine included, and lists what it mounted', async () => {
  const { app, passed, routes } = stage();
  routes.on({ method: 'GET', path: '/open', cost: 'cheap', identify: anonymousSender, handle: () => new Response() });
  await app.request('/open', { headers: { 'x-forwarded-for': '203.0.113.7' } });
  await app.request('/open', { headers: { 'x-forwarded-for': '127.0.0.1' } });
  expect(passed).toEqual([
    ['cheap', '203.0.113.7', true],
    ['cheap', 'this machine', true],
  ]);
  expect(mountedRoutes(app)).toEqual([{ method: 'GET', path: '/open', cost: 'cheap', body: undefined }]);
});

it('counts attempts of a network before the sender is identified', async () => {
  const { app, routes } = stage();
  let identified = 0;
  routes.on({
    method: 'POST',
    path: '/guess',
    cost: 'cheap',
    attempt: 'password',
    identify: (c) => (identified++, anonymousSender(c)),
    handle: () => new Response('yes'),
  });
  const guess = async (from: string): Promise<string> =>
    (await app.request('/guess', { method: 'POST', headers: { 'x-forwarded-for': from } })).text();
  for (let times = 0; times < 30; times++) expect(await guess('203.0.113.7')).toBe('yes');
  expect(await guess('203.0.113.7')).toBe('rate_limited');
  expect(identified).toBe(30);
  // Others are not affected, and this machine may stand for many.
  expect(await guess('203.0.113.8')).toBe('yes');
  for (let times = 0; times < 300; times++) expect(await guess('127.0.0.1')).toBe('yes');
  expect(await guess('127.0.0.1')).toBe('rate_limited');
});
