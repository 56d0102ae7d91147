// What the script of an environment left, as rows: one for each digest of what it depends on. While it is built, the row
// is the lease of the builder; a builder that dies loses it, and somebody else builds.
import type { Queryable } from '../../store/database.ts';

const LEASE = "interval '60 seconds'";
/** Of one environment: what was not used longest goes first. */
const MOST_SETUPS = 3;
const KEPT_DAYS = 14;

export interface Setup {
  readonly digest: string;
  readonly state: 'building' | 'ready' | 'failed';
  readonly build: string;
  readonly log: string;
  readonly bytes: number;
  readonly startedAt: Date;
  readonly endedAt: Date | undefined;
}

interface SetupRow extends Record<string, unknown> {
  digest: string;
  state: Setup['state'];
  build: string;
  log: string;
  bytes: string;
  started_at: Date;
  ended_at: Date | null;
}

const COLUMNS = 's.digest, s.state, s.build, s.log, s.bytes, s.started_at, s.ended_at';

function toSetup(row: SetupRow): Setup {
  return {
    digest: row.digest,
    state: row.state,
    build: row.build,
    log: row.log,
    bytes: Number(row.bytes),
    startedAt: row.started_at,
    endedAt: row.ended_at ?? undefined,
  };
}

export interface SetupKey {
  readonly environmentId: string;
  readonly digest: string;
}

export async function findSetup(on: Queryable, { environmentId, digest }: SetupKey): Promise<Setup | undefined> {
  const { rows } = await on.query<SetupRow>(
    `update :schema.environment_setup s set used_at = now() where s.environment_id = $1 and s.digest = $2 returning ${COLUMNS}`,
    [environmentId, digest],
  );
  return rows[0] && toSetup(rows[0]);
}

/** The newest first. That the caller may see the environment has been checked. */
export async function listSetups(on: Queryable, environmentId: string): Promise<Setup[]> {
  const { rows } = await on.query<SetupRow>(
    `select ${COLUMNS} from :schema.environment_setup s where s.environment_id = $1 order by s.started_at desc limit ${MOST_SETUPS + 1}`,
    [environmentId],
  );
  return rows.map(toSetup);
}

const CLAIM = `
insert into :schema.environment_setup as s (environment_id, digest, organization_id, workspace_id, state, build, lease_until)
  select e.id, $2, e.organization_id, e.workspace_id, 'building', $3, now() + ${LEASE} from :schema.environment e where e.id = $1
  on conflict (environment_id, digest) do update set state = 'building', build = excluded.build, log = '', bytes = 0,
    started_at = now(), ended_at = null, used_at = now(), lease_until = excluded.lease_until
    where (s.state = 'building' and s.lease_until < now()) or (s.state = 'failed' and s.ended_at < $4) or (s.state = 'ready' and s.build = $5)
  returning s.build`;

export interface Claim extends SetupKey {
  readonly build: string;
  /** One that failed before that is built again; those who waited for it share its failure. */
  readonly since: Date;
  /** A result whose files are gone. */
  readonly lost: string | undefined;
}

/** False if somebody else builds, or the environment is gone. */
export async function claimSetup(
  on: Queryable,
  { environmentId, digest, build, since, lost }: Claim,
): Promise<boolean> {
  return (await on.query(CLAIM, [environmentId, digest, build, since, lost ?? null])).rowCount > 0;
}

/** Whether nobody has deleted the environment meanwhile. */
export async function isThere(on: Queryable, environmentId: string): Promise<boolean> {
  return (await on.query('select from :schema.environment where id = $1', [environmentId])).rowCount > 0;
}

const OF_BUILD = "where s.build = $1 and s.state = 'building'";

/** What it has printed so far, and the lease again. False if the build is no longer wanted. */
export async function renewSetup(on: Queryable, build: string, log: string): Promise<boolean> {
  const sql = `update :schema.environment_setup s set log = $2, lease_until = now() + ${LEASE} ${OF_BUILD}`;
  return (await on.query(sql, [build, log])).rowCount > 0;
}

export async function endSetup(
  on: Queryable,
  build: string,
  { state, log, bytes }: { readonly state: 'ready' | 'failed'; readonly log: string; readonly bytes: number },
): Promise<void> {
  const { rows } = await on.query<{ environment_id: string }>(
    `update :schema.environment_setup s set state = $2, log = $3, bytes = $4, ended_at = now(), lease_until = null ${OF_BUILD} returning s.environment_id`,
    [build, state, log, bytes],
  );
  if (rows[0])
    await on.query(
      `delete from :schema.environment_setup where environment_id = $1 and state <> 'building' and digest not in (
         select digest from :schema.environment_setup where environment_id = $1 order by used_at desc limit ${MOST_SETUPS})`,
      [rows[0].environment_id],
    );
}

/** For the next one who waits. */
export async function releaseSetup(on: Queryable, build: string): Promise<void> {
  await on.query(`update :schema.environment_setup s set lease_until = now() - interval '1 second' ${OF_BUILD}`, [
    build,
  ]);
}

/** The next run builds it again. That the caller manages the environment has been checked. */
export async function forgetSetups(on: Queryable, environmentId: string): Promise<void> {
  await on.query('delete from :schema.environment_setup where environment_id = $1', [environmentId]);
}

/** Those that no run has used for long; which of these builds are still wanted. */
export async function pruneSetups(on: Queryable, builds: readonly string[]): Promise<ReadonlySet<string>> {
  await on.query(
    `delete from :schema.environment_setup where used_at < now() - interval '${KEPT_DAYS} days' and state <> 'building'`,
  );
  const { rows } = await on.query<{ build: string }>(
    'select build from :schema.environment_setup where build = any($1)',
    [builds],
  );
  return new Set(rows.map(({ build }) => build));
}
