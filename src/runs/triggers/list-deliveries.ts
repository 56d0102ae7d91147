// What was delivered to a trigger, the newest first.
import type { DeliveryOutcome } from '../../contract/standing/trigger-rules.ts';
import type { TriggerDeliveryOnWire } from '../../contract/standing/triggers.ts';
import { AppError } from '../../base/errors.ts';
import type { Queryable } from '../../store/database.ts';
import { cutPage, type PageRequest, rowsToRead } from '../../tenancy/paging.ts';

interface Row extends Record<string, unknown> {
  id: string;
  received_at: Date;
  outcome: DeliveryOutcome;
  job: string | null;
  code: string | null;
  event: string | null;
  replay_of: string | null;
  bytes: number;
  kept: boolean;
}

const LIST = `
select id, received_at, outcome, job, code, event, replay_of, bytes, ciphertext is not null as kept
  from :schema.trigger_delivery where trigger_id = $1 and id < $2 collate "C" order by id desc limit $3`;

/** @param triggerId of a trigger that the caller may see. */
export async function listDeliveries(
  on: Queryable,
  triggerId: string,
  page: PageRequest,
): Promise<{ deliveries: TriggerDeliveryOnWire[]; cursor?: string }> {
  if (page.cursor !== undefined && !/^del_[0-9a-z]{1,60}$/.test(page.cursor))
    throw new AppError('invalid_request', { cursor: 'is not a cursor of this list' });
  const { rows: read } = await on.query<Row>(LIST, [triggerId, page.cursor ?? 'del_~', rowsToRead(page)]);
  const { rows, cursor } = cutPage(read, page, ({ id }) => id);
  return { deliveries: rows.map(present), ...(cursor === undefined ? {} : { cursor }) };
}

function present(row: Row): TriggerDeliveryOnWire {
  return {
    id: row.id,
    at: row.received_at.toISOString(),
    outcome: row.outcome,
    ...(row.job === null ? {} : { job: row.job }),
    ...(row.code === null ? {} : { code: row.code }),
    ...(row.event === null ? {} : { event: row.event }),
    ...(row.replay_of === null ? {} : { replayOf: row.replay_of }),
    bytes: row.bytes,
    kept: row.kept,
  };
}
