// Read repair without a reader: goes through every workspace that has connections of the integration provider, so that a
// broken connection or a lost webhook is noticed before anyone opens the page. When the provider asks to back off, the
// sweep pauses for that long, or leaves the rest to the next one.
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkspaceRef } from '../../tenancy/workspaces/workspace-ref.ts';
import type { Queryable } from '../../store/database.ts';
import type { Engine } from '../../runs/delivery/engine.ts';
import type { ControlDeps } from './control-deps.ts';

const PAGE = 200;
/** After a longer back-off, the rest is left to the next sweep. */
const BACK_OFF_SECONDS_MAX = 120;

/** Global is repaired together with any other workspace; if only Global has connections, together with Default. */
const NEXT = `
select w.id, w.organization_id from :schema.workspace w
where w.id > $1 and w.kind <> 'global'
  and exists (select from :schema.org_connection_secret c join :schema.workspace cw on cw.id = c.workspace_id
    where c.organization_id = w.organization_id and c.kind = 'integration-reference' and (c.workspace_id = w.id or (w.kind = 'default' and cw.kind = 'global')))
order by w.id limit $2`;

export function sweepConnections({ db, openRepair }: Pick<ControlDeps, 'db' | 'openRepair'>): Engine {
  return async ({ signal, progress }) => {
    const connections = await openRepair();
    if (!connections) return { configured: false, workspaces: 0 };
    let workspaces = 0;
    try {
      for await (const page of pages(db)) {
        for (const scope of page) {
          signal.throwIfAborted();
          const { retryAfterSeconds = 0 } = await connections.repair(scope);
          workspaces++;
          if (retryAfterSeconds > BACK_OFF_SECONDS_MAX)
            return { configured: true, workspaces, complete: false, retryAfterSeconds };
          if (retryAfterSeconds > 0) await sleep(retryAfterSeconds * 1_000, undefined, { signal });
        }
        if (page.length === PAGE) await progress({ workspaces });
      }
      return { configured: true, workspaces, complete: true };
    } finally {
      await connections.close();
    }
  };
}

async function* pages(on: Queryable): AsyncGenerator<WorkspaceRef[]> {
  for (let after = ''; ;) {
    const { rows } = await on.query<{ id: string; organization_id: string }>(NEXT, [after, PAGE]);
    yield rows.map(({ id, organization_id: organizationId }) => ({ organizationId, workspaceId: id }));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.id;
  }
}
