import { readUsage } from '../../enforcement/read-usage.ts';
import type { Settle } from '../../enforcement/budget.ts';
import type { Database } from '../../store/database.ts';
import { member } from './implement-web.ts';

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
      show: member.usage.show.handler(async ({ context: { membership }, input }) => {
        await settle?.flush();
        return readUsage(db, membership, { days: input.days, storageBytes });
      }),
    },
  };
}
