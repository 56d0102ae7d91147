import { oc } from '@orpc/contract';
import { traverseContractProcedures } from '@orpc/server';
import { expect, it } from 'vitest';
import { NEEDS, type WebRouteMeta, type WebRoutes } from './authority.ts';
import { webContract } from './contract.ts';
import type { ScopedRouteMeta, ScopedRoutes } from './needs-scope.ts';
import type { RouteMeta } from './route-cost.ts';

it('every route of the web contract declares who may call it, and names the organization or workspace where it says', () => {
  const seen = new Set<string>();
  traverseContractProcedures({ router: webContract, path: [] }, ({ contract, path }) => {
    const name = path.join('.');
    const { route, meta } = contract['~orpc'];
    const { need, namedIn } = (meta as WebRouteMeta).authority;
    seen.add(need);
    expect([name, Object.keys(NEEDS)]).toEqual([name, expect.arrayContaining([need])]);
    const isPlaced = !/^(?:signed-in|own|shared|project(?::.+)?|prompt:change)$/.test(need);
    expect([name, /\{(?:org|ws)\}/.test(route.path ?? '')]).toEqual([name, isPlaced && namedIn === 'path']);
  });
  expect([...seen].toSorted()).toEqual(Object.keys(NEEDS).toSorted());
});

it('a route that declares neither who may call it nor its cost is a type error', () => {
  const show = { method: 'GET', path: '/things' } as const;
  const routes = {
    bare: oc.route(show),
    costed: oc.$meta<RouteMeta>({ cost: 'database' }).route(show),
    free: oc.$meta<Omit<WebRouteMeta & ScopedRouteMeta, 'cost'>>({
      authority: { need: 'own', namedIn: 'path' },
      scope: 'chat',
    }),
  };
  // @ts-expect-error -- no meta
  const bare: WebRoutes = { bare: routes.bare };
  // @ts-expect-error -- no authority
  const unruled: WebRoutes = { costed: routes.costed };
  // @ts-expect-error -- no cost
  const free: WebRoutes = { free: routes.free };
  // @ts-expect-error -- no meta
  const bareToo: ScopedRoutes = { bare: routes.bare };
  // @ts-expect-error -- no scope
  const unscoped: ScopedRoutes = { costed: routes.costed };
  // @ts-expect-error -- no cost
  const freeToo: ScopedRoutes = { free: routes.free };
  expect([bare, unruled, free, bareToo, unscoped, freeToo]).toHaveLength(6);
});
