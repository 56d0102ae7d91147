import { pickAttributes, readListRequest } from '../../scim/protocol/read-list-request.ts';
import { patchUser, readUser } from '../../scim/protocol/patch-user.ts';
import { readPatch } from '../../scim/protocol/read-patch.ts';
import type { ScimDeps } from '../../scim/scim-deps.ts';
import { changeUser } from '../../scim/users/change-user.ts';
import { createUser } from '../../scim/users/create-user.ts';
import { type FoundUser, getUser, listUsers } from '../../scim/users/find-users.ts';
import { presentUser } from '../../scim/users/present-user.ts';
import { removeUser } from '../../scim/users/remove-user.ts';
import type { ScimRoutes } from './scim-routes.ts';
import { scimList, scimNothing, scimResource } from './scim-answer.ts';

export function userRoutes(deps: ScimDeps, base: string): ScimRoutes {
  const { db } = deps;
  const present = (user: FoundUser, query: URLSearchParams): Record<string, unknown> =>
    pickAttributes(presentUser(user, base), readListRequest(query).attributes);
  return {
    'GET /Users': async ({ organizationId, query }) => {
      const request = readListRequest(query);
      const { users, total } = await listUsers(db, organizationId, request);
      return scimList(
        users.map((user) => pickAttributes(presentUser(user, base), request.attributes)),
        { total, startIndex: request.startIndex },
      );
    },
    'POST /Users': async ({ organizationId, query, body }) =>
      scimResource(present(await createUser(deps, organizationId, readUser(body())), query), 201),
    'GET /Users/:id': async ({ organizationId, id, query }) =>
      scimResource(present(await getUser(db, organizationId, id), query)),
    'PUT /Users/:id': async ({ organizationId, id, query, body }) => {
      const sent = body();
      const user = await changeUser(deps, organizationId, id, (before) => readUser(sent, before));
      return scimResource(present(user, query));
    },
    'PATCH /Users/:id': async ({ organizationId, id, query, body }) => {
      const operations = readPatch(body());
      const user = await changeUser(deps, organizationId, id, (before) => patchUser(before, operations));
      return scimResource(present(user, query));
    },
    'DELETE /Users/:id': async ({ organizationId, id }) => {
      await removeUser(deps, organizationId, id);
      return scimNothing();
    },
  };
}
