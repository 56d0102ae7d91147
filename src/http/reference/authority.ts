// Who may call a route of the contract, for the printed one: in the descriptions for readers, and as an extension for
// the tables that are generated from the document.
import type { OpenAPI } from '@orpc/openapi';
import type { AnyContractRouter } from '@orpc/contract';
import { traverseContractProcedures } from '@orpc/server';
import { NEEDS, type WebRouteMeta } from '../../contract/authority.ts';
import type { ScopedRouteMeta } from '../../contract/needs-scope.ts';

export const AUTHORITY_EXTENSION = 'x-authority';

/** By method and path, such as `GET /api/me`. */
export type Authorities = ReadonlyMap<string, string>;

export function authoritiesOf(router: AnyContractRouter): Authorities {
  const found = new Map<string, string>();
  traverseContractProcedures({ router, path: [] }, ({ contract }) => {
    const { route, meta } = contract['~orpc'];
    const text = authorityText(meta);
    if (text !== undefined) found.set(`${route.method ?? 'POST'} ${route.path}`, text);
  });
  return found;
}

function authorityText({ authority, scope }: Partial<WebRouteMeta & ScopedRouteMeta>): string | undefined {
  if (authority) return NEEDS[authority.need];
  return scope === 'any' ? 'Every token.' : scope && `A token with the scope \`${scope}\`.`;
}

export function withAuthority(operation: OpenAPI.OperationObject, text: string | undefined): OpenAPI.OperationObject {
  if (text === undefined) return operation;
  const extension = { [AUTHORITY_EXTENSION]: text };
  return {
    ...operation,
    description: [operation.description, `Who may call it: ${text}`].filter(Boolean).join('\n\n'),
    ...extension,
  };
}
