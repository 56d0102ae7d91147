import type { Clock } from '../../base/clock.ts';
import { requireProof } from '../../identity/sessions/require-proof.ts';
import {
  deleteOwnOrganization,
  type OrganizationDeps,
  restoreOwnOrganization,
} from '../../leaving/shut-organization.ts';
import { deletePerson, type ShutDeps } from '../../leaving/shut-person.ts';
import { member, web } from './authorize.ts';

export interface LeavingRouteDeps extends ShutDeps, OrganizationDeps {
  readonly clock: Clock;
}

const DONE = { ok: true } as const;

export function leavingRoutes(deps: LeavingRouteDeps) {
  return {
    leaving: {
      person: web.leaving.person.handler(async ({ context: { user, signedIn } }) => {
        requireProof(signedIn, deps.clock());
        await deletePerson(deps, user.id, `user:${user.id}`);
        return DONE;
      }),
      organization: member.leaving.organization.handler(async ({ context: { signedIn, membership }, input }) => {
        requireProof(signedIn, deps.clock());
        const erasedAt = await deleteOwnOrganization(deps, membership, input.name);
        return { organization: { id: membership.organizationId, erasedAt: erasedAt.toISOString() } };
      }),
      restore: web.leaving.restore.handler(async ({ context: { user }, input }) => {
        await restoreOwnOrganization(deps, user.id, input.org);
        return DONE;
      }),
    },
  };
}
