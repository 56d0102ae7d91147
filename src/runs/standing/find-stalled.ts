// Schedules or triggers that start nothing although nobody has turned them off, for the operator.
import type { Queryable } from '../../store/database.ts';
import type { StandingKind } from './standing-run.ts';

export interface Stalled {
  readonly total: number;
  readonly authorityLost: number;
  readonly refused: number;
  /** Of those that go on: whose person or credential may start nothing, so that the next time pauses it. */
  readonly makerLeft: number;
}

const STALLED = `
select count(*)::int as total,
       count(*) filter (where s.paused_reason = 'authority_lost')::int as lost,
       count(*) filter (where s.paused_reason = 'refused')::int as refused,
       count(*) filter (where s.paused_reason is null and :schema.run_lost_authority(s.organization_id, s.workspace_id, s.created_by, s.token_id, s.grant_id) is not null)::int as made_by_left
  from (select * from :schema.standing_run where kind = $1 and enabled limit 10000) s`;

export async function findStalled(on: Queryable, kind: StandingKind): Promise<Stalled> {
  const { rows } = await on.query<{ total: number; lost: number; refused: number; made_by_left: number }>(STALLED, [
    kind,
  ]);
  const [row] = rows;
  return {
    total: row?.total ?? 0,
    authorityLost: row?.lost ?? 0,
    refused: row?.refused ?? 0,
    makerLeft: row?.made_by_left ?? 0,
  };
}
