import { describeResourceTypes, describeSchemas, describeServiceProvider } from '../../scim/protocol/discovery.ts';
import { ScimError } from '../../scim/scim-error.ts';
import type { ScimHandler, ScimRoutes } from './scim-routes.ts';
import { scimList, scimResource } from './scim-answer.ts';

type Described = Readonly<Record<string, unknown>>;

export function discoveryRoutes(base: string): ScimRoutes {
  const list =
    (all: readonly Described[]): ScimHandler =>
    () =>
      scimList(all, { total: all.length, startIndex: 1 });
  const one =
    (all: readonly Described[]): ScimHandler =>
    ({ id }) => {
      const found = all.find((each) => each['id'] === id);
      if (!found) throw new ScimError(404, 'There is nothing with this id.');
      return scimResource(found);
    };
  return {
    'GET /ServiceProviderConfig': () => scimResource(describeServiceProvider(base)),
    'GET /ResourceTypes': list(describeResourceTypes(base)),
    'GET /ResourceTypes/:id': one(describeResourceTypes(base)),
    'GET /Schemas': list(describeSchemas(base)),
    'GET /Schemas/:id': one(describeSchemas(base)),
  };
}
