// Hands messages of subscriptions that are due to the broker, which gives them to a worker: organizations take turns
// there, and an address that is slow holds back no process that serves people.
import type { RoleBroker } from '../../broker/client/connect-role.ts';
import type { Queryable } from '../../store/database.ts';
import { claimMessages, LEASE_SECONDS, type DueMessage } from '../../subscriptions/deliver-message.ts';
import type { Log } from '../../telemetry/log.ts';
import { type Every, every } from '../../timing/every.ts';
import { forEachAtMost } from '../../timing/for-each-at-most.ts';

export const SEND_MESSAGE = 'service.message.send';
export type SendArgument = Pick<DueMessage, 'id' | 'tries'>;

const SWEEP_EVERY_MS = 2_000;
const BATCH = 100;
const AT_ONCE = 16;

export interface MessageDispatchDeps {
  readonly db: Queryable;
  readonly broker: Pick<RoleBroker, 'call'>;
  /** The workers that send them. */
  readonly group: string;
  readonly log: Log;
}

export function dispatchMessages({ db, broker, group, log }: MessageDispatchDeps): Every {
  async function handOver({ id, organization, tries, due }: DueMessage): Promise<void> {
    const argument: SendArgument = { id, tries };
    // Not longer than the lease: after it, the message is handed over again.
    const options = { target: group, timeoutMs: LEASE_SECONDS * 1_000, tenant: organization };
    await broker
      .call(`${id}.${due}`, SEND_MESSAGE, argument, options)
      .catch((error: Error) =>
        log.warn({ message: id, err: error }, 'could not hand a message to the broker, will retry'),
      );
  }

  async function handOverDue(): Promise<void> {
    for (;;) {
      const due = await claimMessages(db, BATCH);
      await forEachAtMost(AT_ONCE, due, handOver);
      if (due.length < BATCH) return;
    }
  }

  return every({ everyMs: SWEEP_EVERY_MS, task: 'handing over messages of subscriptions', log, run: handOverDue });
}
