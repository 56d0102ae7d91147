import { readPolicy } from '../../enforcement/read-policy.ts';
import { updatePolicy } from '../../enforcement/update-policy.ts';
import type { KeyDeps } from '../../keys/model-settings.ts';
import { getStanding } from '../../tenancy/get-standing.ts';
import { web } from './implement-web.ts';

export function policyRoutes({ db, catalog }: Pick<KeyDeps, 'db' | 'catalog'>) {
  return {
    policy: {
      show: web.policy.show.handler(async ({ context, input }) =>
        readPolicy(db, (await getStanding(db, { userId: context.user.id, organizationId: input.org })).organizationId),
      ),
      update: web.policy.update.handler(({ context, input: { org, ...change } }) =>
        updatePolicy(db, catalog, { userId: context.user.id, organizationId: org }, change),
      ),
    },
  };
}
