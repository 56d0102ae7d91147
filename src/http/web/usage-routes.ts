import { readUsage } from '../../enforcement/read-usage.ts';
import type { Settle } from '../../enforcement/settle.ts';
import type { Database } from '../../store/database.ts';
import { getStanding } from '../../tenancy/get-standing.ts';
import { web } from './implement-web.ts';

/** Every member may see what the organization uses and what is left. */
export function usageRoutes({
  db,
  settle,
  storageBytes,
}: {
  db: Database;
  settle: Pick<Settle, 'flush'> | undefined;
  storageBytes: number;
}) {
  return {
    usage: {
      show: web.usage.show.handler(async ({ context, input }) => {
        const standing = await getStanding(db, { userId: context.user.id, organizationId: input.org });
        await settle?.flush();
        return readUsage(db, standing, { days: input.days, storageBytes });
      }),
    },
  };
}
