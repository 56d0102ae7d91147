// Subscriptions over HTTP. Who manages the place that a subscription is for is checked when it is made; afterwards it is
// part of every statement.
import { implement } from '@orpc/server';
import { AppError } from '../../base/errors.ts';
import { runtimeContract } from '../../contract/contract.ts';
import { listDeliveries, replayDelivery } from '../../subscriptions/deliveries.ts';
import {
  changeSubscription,
  createSubscription,
  getSubscription,
  listSubscriptions,
  removeSubscription,
  type SubscriptionDeps,
} from '../../subscriptions/subscriptions.ts';
import { hasMutationAuthority, managesOrganization } from '../../tenancy/authority.ts';
import { cutPage, readIdCursor, rowsToRead } from '../../tenancy/paging.ts';
import { type Caller, findCallerMembership } from '../../tenancy/tokens/find-caller.ts';

export function subscriptionsRouter(deps: SubscriptionDeps) {
  const { db } = deps;
  const route = implement(runtimeContract.subscriptions).$context<{ caller: Caller }>();

  /** The workspace that is meant; undefined for the whole organization, which a token for one workspace cannot mean. */
  async function findPlace(
    caller: Caller,
    named: string | undefined,
  ): Promise<{ readonly organizationId: string; readonly workspaceId: string | undefined }> {
    const workspace = named ?? caller.workspaceId;
    const membership = await findCallerMembership(db, caller, workspace);
    if (!membership) throw new AppError('workspace_membership_required');
    if (workspace === undefined ? !managesOrganization(membership) : !hasMutationAuthority(membership))
      throw new AppError('workspace_authority_required');
    const { organizationId, workspaceId } = membership;
    return { organizationId, workspaceId: workspace === undefined ? undefined : workspaceId };
  }

  return route.router({
    create: route.create.handler(async ({ input: { url, events, workspace }, context: { caller } }) =>
      createSubscription(deps, { ...(await findPlace(caller, workspace)), userId: caller.userId, url, events }),
    ),

    list: route.list.handler(async ({ input, context: { caller } }) => {
      const workspace =
        input.workspace === undefined ? undefined : await findCallerMembership(db, caller, input.workspace);
      if (input.workspace !== undefined && !workspace) throw new AppError('workspace_membership_required');
      const { subscriptions, found } = await listSubscriptions(db, caller, {
        workspaceId: workspace?.workspaceId,
        after: readIdCursor(input.cursor, 'sub'),
        most: rowsToRead(input),
      });
      const { rows, cursor } = cutPage(subscriptions, input, ({ id }) => id, found);
      return { subscriptions: [...rows], ...(cursor === undefined ? {} : { cursor }) };
    }),

    get: route.get.handler(async ({ input: { id }, context: { caller } }) => ({
      subscription: await getSubscription(db, caller, id),
    })),

    change: route.change.handler(async ({ input: { id, ...change }, context: { caller } }) => ({
      subscription: await changeSubscription(deps, caller, id, change),
    })),

    remove: route.remove.handler(async ({ input: { id }, context: { caller } }) => {
      await removeSubscription(db, caller, id);
      return { ok: true as const };
    }),

    deliveries: route.deliveries.handler(async ({ input, context: { caller } }) => {
      const page = { after: readIdCursor(input.cursor, 'msg'), most: rowsToRead(input) };
      const { rows, cursor } = cutPage(await listDeliveries(db, caller, input.id, page), input, ({ id }) => id);
      return { deliveries: [...rows], ...(cursor === undefined ? {} : { cursor }) };
    }),

    replay: route.replay.handler(async ({ input: { id, delivery }, context: { caller } }) => ({
      delivery: await replayDelivery(db, caller, id, delivery),
    })),
  });
}
