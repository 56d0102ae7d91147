// The typed client of the web server. Paths and methods come from the contract at build time (see vite.config.ts).
import { createORPCClient, ORPCError } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import type { JsonifiedClient } from '@orpc/openapi-client';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import { routes } from 'virtual:contract-routes';
import type { webContract } from '../../src/contract/contract.ts';
import { errorCode } from './fault.ts';

type Client = JsonifiedClient<ContractRouterClient<typeof webContract>>;

export const client: Client = createORPCClient(
  new OpenAPILink(routes, {
    url: location.origin,
    customErrorResponseBodyDecoder: (body, { status }) =>
      new ORPCError(errorCode(body, status), { status, data: body }),
  }),
);

/** Query and mutation options of every route, with stable keys. */
export const api = createTanstackQueryUtils(client);
