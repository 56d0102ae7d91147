// The path names what a request is about. The routes are read from the contract, so that a new one cannot be forgotten.
import { os, traverseContractProcedures } from '@orpc/server';
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RouteMeta } from '../../contract/route-cost.ts';
import { connectContract, runtimeContract, webContract } from '../../contract/contract.ts';
import { createAdmission } from './admission/admission.ts';
import { mountRpc } from './rpc.ts';

interface Route {
  readonly method: string;
  readonly path: string;
  readonly inputStructure: 'compact' | 'detailed';
  readonly params: readonly string[];
}

const ROUTES: Route[] = [];
for (const router of [webContract, runtimeContract, connectContract]) {
  traverseContractProcedures({ router, path: [] }, ({ contract }) => {
    const { method = 'POST', path = '/', inputStructure = 'compact' } = contract['~orpc'].route;
    const params = [...path.matchAll(/\{\+?(\w+)\}/g)].map(([, name]) => String(name));
    if (params.length > 0) ROUTES.push({ method, path, inputStructure, params });
  });
}

const inputs: unknown[] = [];
beforeEach(() => void inputs.splice(0));

async function send(
  { method, path, inputStructure }: Route,
  query: string,
  body?: string | URLSearchParams | FormData,
): Promise<{ status: number; body: unknown }> {
  // No schema of its own: what is refused here is refused before any.
  const rpc = mountRpc(
    {
      one: os
        .$meta<RouteMeta>({ cost: 'cheap' })
        .route({ method: method as 'GET', path: path as '/', inputStructure })
        .handler(({ input }) => void inputs.push(input)),
    },
    pino({ level: 'silent' }),
    { admission: createAdmission() },
  );
  const headers: Record<string, string> = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
  const url = `http://localhost${path.replaceAll(/\{\+?(\w+)\}/g, 'own-$1')}${query}`;
  const response = await rpc.handle(
    new Request(url, { method, headers, ...(body === undefined ? {} : { body }) }),
    {},
    'somebody',
  );
  return { status: response?.status ?? 0, body: await response?.json().catch(() => undefined) };
}

const refused = (name: string) => ({
  status: 400,
  body: { ok: false, error: 'invalid_request', details: { [name]: 'is not a known field' } },
});

describe.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_name, route) => {
  const own = Object.fromEntries(route.params.map((name) => [name, `own-${name}`]));

  it('takes its path parameters from the path', async () => {
    await send(route, '?other=1', route.method === 'GET' ? undefined : '{"other":1}');
    expect(inputs).toMatchObject([route.inputStructure === 'detailed' ? { params: own } : own]);
  });

  it.each(route.params)('refuses a query and a body that name %s', async (name) => {
    for (const query of [
      `?${name}=foreign`,
      `?${name}=own-${name}`,
      `?${name}[0]=foreign`,
      `?${name}[x]=foreign`,
      ...(route.method === 'GET' ? [] : [`?${name}=`]),
    ])
      expect(await send(route, query)).toMatchObject(refused(name));
    if (route.method !== 'GET') {
      const form = new FormData();
      form.set(name, 'foreign');
      for (const body of [
        JSON.stringify({ [name]: 'foreign' }),
        JSON.stringify({ [name]: null }),
        new URLSearchParams({ [name]: 'foreign' }),
        form,
      ])
        expect(await send(route, '', body)).toMatchObject(refused(name));
    }
    expect(inputs).toEqual([]);
  });
});

it('a parameter of a GET that is empty counts as absent, and never for one of the path', async () => {
  const route: Route = { method: 'GET', path: '/api/things/{thing}', inputStructure: 'compact', params: ['thing'] };
  for (const query of ['?thing=&cursor=', '?cursor', '?cursor=&cursor=']) await send(route, query);
  await send(route, '?a=1&cursor=&b=%3D');
  expect(inputs).toEqual([
    { thing: 'own-thing' },
    { thing: 'own-thing' },
    { thing: 'own-thing' },
    { thing: 'own-thing', a: '1', b: '=' },
  ]);
});

it('the contract has routes of both structures, of every method, at all three mounts', () => {
  expect(new Set(ROUTES.map(({ method }) => method))).toEqual(new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']));
  expect(new Set(ROUTES.map(({ inputStructure }) => inputStructure))).toEqual(new Set(['compact', 'detailed']));
  for (const prefix of ['/api/', '/jobs/', '/connect/'])
    expect(ROUTES.some(({ path }) => path.startsWith(prefix))).toBe(true);
});

it('a body that is not JSON, or not an object, is refused', async () => {
  const route: Route = { method: 'POST', path: '/api/things/{thing}', inputStructure: 'compact', params: ['thing'] };
  for (const body of ['[]', '[{"thing":"foreign"}]', '"foreign"', '7', 'null'])
    expect(await send(route, '', body)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', details: { body: 'must be an object' } },
    });
  expect(await send(route, '', '{"a":')).toMatchObject({
    status: 400,
    body: { error: 'invalid_request', details: { body: 'must be valid JSON' } },
  });
});
