// Erases whatever is due. Runs of a subject that was just shut need a moment to end: they are waited for, and whatever is
// left then is for the next run of this task.
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../base/clock.ts';
import { eraseSubject } from '../../leaving/erase-subject.ts';
import { finishErasure, listDueErasures } from '../../leaving/erasures.ts';
import type { Engine } from '../../runs/delivery/engine.ts';
import type { ControlDeps } from './control-deps.ts';

const LOOKS = 30;
const LOOK_EVERY_MS = 2_000;

export function eraseDue(deps: ControlDeps): Engine {
  const { db, dataDirectory } = deps;
  return async ({ signal }) => {
    const erased = { person: 0, organization: 0, workspace: 0 };
    for (let look = 1; ; look++) {
      const due = await listDueErasures(db, systemClock());
      for (const one of due) {
        if (one.kind === 'organization') await removeConnections(deps, one.id);
        if (!(await eraseSubject({ db, dataDirectory, signal }, one.kind, one.id))) continue;
        await finishErasure(db, one, systemClock());
        erased[one.kind]++;
      }
      const left = (await listDueErasures(db, systemClock())).length;
      if (left === 0 || look === LOOKS) return { ...erased, left };
      await sleep(LOOK_EVERY_MS, undefined, { signal });
    }
  };
}

/** The credentials of connected apps are at the integration provider, and go before the rows that name them. */
async function removeConnections({ db, openRepair }: ControlDeps, organizationId: string): Promise<void> {
  const { rows } = await db.query<{ id: string }>(
    'select distinct workspace_id as id from :schema.org_connection_secret where organization_id = $1',
    [organizationId],
  );
  if (rows.length === 0) return;
  const provider = await openRepair();
  try {
    for (const { id } of rows) await provider?.remove({ organizationId, workspaceId: id });
  } finally {
    await provider?.close();
  }
}
