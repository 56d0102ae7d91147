import { changeGroup } from '../../scim/groups/change-group.ts';
import { createGroup } from '../../scim/groups/create-group.ts';
import { getGroup, listGroups } from '../../scim/groups/find-groups.ts';
import { presentGroup } from '../../scim/groups/present-group.ts';
import { removeGroup } from '../../scim/groups/remove-group.ts';
import { readGroup, readGroupPatch } from '../../scim/protocol/patch-group.ts';
import { pickAttributes, readListRequest } from '../../scim/protocol/read-list-request.ts';
import { readPatch } from '../../scim/protocol/read-patch.ts';
import type { ScimDeps } from '../../scim/scim-deps.ts';
import type { ScimRoutes } from './scim-routes.ts';
import { scimList, scimNothing, scimResource } from './scim-answer.ts';

export function groupRoutes(deps: ScimDeps, base: string): ScimRoutes {
  const { db } = deps;
  const show = async (organizationId: string, id: string, query: URLSearchParams): Promise<Record<string, unknown>> => {
    const { attributes } = readListRequest(query);
    return pickAttributes(presentGroup(await getGroup(db, organizationId, { id, attributes }), base), attributes);
  };
  return {
    'GET /Groups': async ({ organizationId, query }) => {
      const request = readListRequest(query);
      const { groups, total } = await listGroups(db, organizationId, request);
      return scimList(
        groups.map((group) => pickAttributes(presentGroup(group, base), request.attributes)),
        { total, startIndex: request.startIndex },
      );
    },
    'POST /Groups': async ({ organizationId, query, body }) => {
      const { id } = await createGroup(deps, organizationId, readGroup(body()));
      return scimResource(await show(organizationId, id, query), 201);
    },
    'GET /Groups/:id': async ({ organizationId, id, query }) => scimResource(await show(organizationId, id, query)),
    'PUT /Groups/:id': async ({ organizationId, id, query, body }) => {
      await changeGroup(deps, organizationId, id, readGroup(body()));
      return scimResource(await show(organizationId, id, query));
    },
    // Without the group in the answer: it may have thousands of members.
    'PATCH /Groups/:id': async ({ organizationId, id, body }) => {
      await changeGroup(deps, organizationId, id, readGroupPatch(readPatch(body())));
      return scimNothing();
    },
    'DELETE /Groups/:id': async ({ organizationId, id }) => {
      await removeGroup(deps, organizationId, id);
      return scimNothing();
    },
  };
}
