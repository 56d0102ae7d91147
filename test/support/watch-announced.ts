// What an organization's subscriptions are told, oldest first: from a subscription of the whole organization to all events.
import { newId } from '../../src/base/ids.ts';
import { SUBSCRIPTION_EVENTS } from '../../src/contract/subscriptions/subscriptions.ts';
import type { Queryable } from '../../src/store/database.ts';

export interface Announced {
  readonly type: string;
  readonly data: Record<string, unknown>;
}

export async function watchAnnounced(db: Queryable, organization: string): Promise<() => Promise<Announced[]>> {
  const id = newId('sub');
  await db.query(
    `insert into :schema.subscription (id, organization_id, created_by, url, events, ciphertext, iv, auth_tag, created_at)
     values ($1, $2, 'usr_x', 'https://example.test/', $3, 'x', $4, $5, now())`,
    [id, organization, Object.keys(SUBSCRIPTION_EVENTS), Buffer.alloc(12), Buffer.alloc(16)],
  );
  return async () => {
    const { rows } = await db.query<{ body: string }>(
      'select body from :schema.subscription_delivery where subscription_id = $1 order by id',
      [id],
    );
    return rows
      .map(({ body }) => JSON.parse(body) as Announced & { timestamp: string })
      .map(({ type, data }) => ({ type, data }));
  };
}
