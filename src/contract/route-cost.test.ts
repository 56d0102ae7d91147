import { traverseContractProcedures } from '@orpc/server';
import { expect, it } from 'vitest';
import { connectContract, runtimeContract, webContract } from './contract.ts';
import { ROUTE_COSTS, type RouteMeta } from './route-cost.ts';

it('every route of the contract declares its cost', () => {
  const seen: string[] = [];
  for (const router of [webContract, runtimeContract, connectContract])
    traverseContractProcedures({ router, path: [] }, ({ contract, path }) => {
      seen.push(path.join('.'));
      expect([path.join('.'), ROUTE_COSTS.includes((contract['~orpc'].meta as RouteMeta).cost)]).toEqual([
        path.join('.'),
        true,
      ]);
    });
  expect(seen).toContain('guardrails.test');
});
