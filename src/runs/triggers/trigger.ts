// A trigger: what it has in common with schedules, and what is its own.
import type { TriggerSource } from '../../contract/standing/trigger-rules.ts';
import type { TriggerCondition, TriggerOnWire } from '../../contract/standing/triggers.ts';
import type { Queryable } from '../../store/database.ts';
import { presentStanding } from '../standing/change-standing.ts';
import type { StandingPart } from '../standing/find-standing.ts';
import { standingColumns, type StandingRow, type StandingRun, toStandingRun } from '../standing/standing-run.ts';
import type { SecretState } from './trigger-secrets.ts';

export interface RunTrigger extends StandingRun {
  readonly source: TriggerSource;
  readonly filter: readonly TriggerCondition[];
}

export interface TriggerRow extends StandingRow {
  source: TriggerSource;
  filter: TriggerCondition[];
}

export const TRIGGERS: StandingPart<TriggerRow, RunTrigger> = {
  kind: 'trigger',
  prefix: 'trg',
  table: 'run_trigger',
  columns: ['source', 'filter'],
  toOne: ({ source, filter }, standing) => ({ ...standing, source, filter }),
};

const FIND = `
select ${standingColumns('s')}, p.source, p.filter
  from :schema.run_trigger p join :schema.standing_run s on s.id = p.id where p.id = $1`;

/** For a delivery, which has no caller: what it carries is what decides. */
export async function findTrigger(on: Queryable, id: string): Promise<RunTrigger | undefined> {
  const { rows } = await on.query<TriggerRow>(FIND, [id]);
  return rows[0] && TRIGGERS.toOne(rows[0], toStandingRun(rows[0]));
}

export function presentTrigger(trigger: RunTrigger, secret: SecretState | undefined): TriggerOnWire {
  return {
    ...presentStanding(trigger),
    source: trigger.source,
    filter: [...trigger.filter],
    hasSecret: secret?.current === true,
    ...(secret?.oldUntil === undefined ? {} : { oldSecretUntil: secret.oldUntil.toISOString() }),
  };
}
