import { readUsage } from '../../enforcement/read-usage.ts';
import type { Database } from '../../store/database.ts';
import { getStanding } from '../../tenancy/get-standing.ts';
import { web } from './implement-web.ts';

/** Every member may see what the organization uses and what is left. */
export function usageRoutes({ db }: { db: Database }) {
  return {
    usage: {
      show: web.usage.show.handler(async ({ context, input }) => readUsage(db, await getStanding(db, { userId: context.user.id, organizationId: input.org }), input.days)),
    },
  };
}
