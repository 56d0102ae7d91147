import { traverseContractProcedures } from '@orpc/server';
import { expect, it } from 'vitest';
import { NEEDS, type WebRouteMeta, type WebRoutes } from './authority.ts';
import { webContract } from './contract.ts';
import { costs } from './route-cost.ts';

it('every route of the web contract says who may call it, and names the place where it says so', () => {
  const seen = new Set<string>();
  traverseContractProcedures({ router: webContract, path: [] }, ({ contract, path }) => {
    const name = path.join('.');
    const { route, meta } = contract['~orpc'];
    const { need, namedIn } = (meta as WebRouteMeta).authority;
    seen.add(need);
    expect([name, Object.keys(NEEDS)]).toEqual([name, expect.arrayContaining([need])]);
    const isPlaced = need !== 'signed-in' && need !== 'own';
    expect([name, /\{(?:org|ws)\}/.test(route.path ?? '')]).toEqual([name, isPlaced && namedIn === 'path']);
  });
  expect([...seen].toSorted()).toEqual(Object.keys(NEEDS).toSorted());
});

it('a route that does not say so is no part of the web contract', () => {
  const routes = { things: { show: costs('database').route({ method: 'GET', path: '/things' }) } };
  // @ts-expect-error -- the route has no authority
  const contract: WebRoutes = routes;
  expect(Object.keys(contract)).toEqual(['things']);
});
