// Who spent what, the caps on it, and the log of requests. What this process still has to settle is written first.
import { changeCap, listCaps, putCap, readMySpend, removeCap, showCap } from '../../enforcement/caps.ts';
import type { Settle } from '../../enforcement/budget.ts';
import { readRequests } from '../../enforcement/read-requests.ts';
import { readSpend } from '../../enforcement/read-spend.ts';
import type { Database } from '../../store/database.ts';
import { member } from './authorize.ts';

export interface SpendDeps {
  readonly db: Database;
  readonly settle: Pick<Settle, 'flush'> | undefined;
}

export function spendRoutes({ db, settle }: SpendDeps) {
  const { spend } = member;
  const { caps } = spend;
  return {
    spend: {
      show: spend.show.handler(async ({ context: { membership }, input }) => {
        await settle?.flush();
        return readSpend(db, membership, input);
      }),
      mine: spend.mine.handler(async ({ context: { membership } }) => {
        await settle?.flush();
        return readMySpend(db, membership);
      }),
      requests: spend.requests.handler(async ({ context: { membership }, input }) => {
        await settle?.flush();
        return readRequests(db, membership, input);
      }),
      caps: {
        list: caps.list.handler(({ context: { membership }, input }) => listCaps(db, membership, input)),
        show: caps.show.handler(({ context: { membership }, input }) => showCap(db, membership, input.cap)),
        put: caps.put.handler(({ context: { membership }, input: { subject, monthlyUsd } }) =>
          putCap(db, membership, subject, monthlyUsd),
        ),
        change: caps.change.handler(({ context: { membership }, input }) =>
          changeCap(db, membership, input.cap, input),
        ),
        remove: caps.remove.handler(async ({ context: { membership }, input }) => {
          await removeCap(db, membership, input.cap);
          return { ok: true } as const;
        }),
      },
    },
  };
}
