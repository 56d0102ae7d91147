import { type AnyContractRouter, minifyContractRouter } from '@orpc/contract';
import type { Plugin } from 'vite';
import { connectContract, runtimeContract, webContract } from '../src/contract/contract.ts';

/**
 * The browser needs only the method and path of each route. The schemas and their validator stay on the server, which
 * checks every input.
 */
export function contractRoutes(): Plugin {
  const id = 'virtual:contract-routes';
  return {
    name: 'contract-routes',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (source) =>
      source === `\0${id}`
        ? `export const routes = ${routesOf(webContract)};\nexport const runtimeRoutes = ${routesOf(runtimeContract)};\nexport const connectRoutes = ${routesOf(connectContract)};`
        : undefined,
  };
}

function routesOf(contract: AnyContractRouter): string {
  return JSON.stringify(minifyContractRouter(contract), withoutProse);
}

function withoutProse(key: string, value: unknown): unknown {
  return key === 'summary' || key === 'description' || key === 'tags' ? undefined : value;
}
