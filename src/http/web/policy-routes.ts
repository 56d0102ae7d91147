import { readPolicy } from '../../enforcement/read-policy.ts';
import { updatePolicy } from '../../enforcement/update-policy.ts';
import type { KeyDeps } from '../../keys/model-settings.ts';
import { member } from './implement-web.ts';

export function policyRoutes({ db, catalog }: Pick<KeyDeps, 'db' | 'catalog'>) {
  return {
    policy: {
      show: member.policy.show.handler(({ context: { membership } }) => readPolicy(db, membership.organizationId)),
      update: member.policy.update.handler(({ context: { membership }, input: { org: _org, ...change } }) =>
        updatePolicy(db, catalog, membership, change),
      ),
    },
  };
}
