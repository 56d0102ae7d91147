// Monthly caps of members, workspaces and tokens: what owners and admins set, and what is left. Admission and settlement
// keep the amounts (migrations/functions/spend.sql).
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Cap, CapSubject, MySpend } from '../contract/spend.ts';
import type { Database, Queryable } from '../store/database.ts';
import { findNames } from '../tenancy/find-names.ts';
import { findSubject, listSubjectsOf } from '../tenancy/members/find-subject.ts';
import type { Membership } from '../tenancy/members/membership.ts';
import { cutPage, type PageRequest, readIdCursor, rowsToRead } from '../tenancy/paging.ts';
import { readSpend } from './read-spend.ts';

interface CapRow extends Record<string, unknown> {
  id: string;
  kind: CapSubject['kind'];
  subject_id: string;
  limit_micros: number;
  spent: number;
  reserved: number;
  resets_at: string;
}

const SELECT = `select c.id, c.kind, c.subject_id, c.limit_micros, c.reserved,
    to_char(date_trunc('month', now() at time zone 'UTC') + interval '1 month', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"') as resets_at,
    case when c.month >= date_trunc('month', now() at time zone 'UTC')::date then c.spent else 0 end as spent from :schema.spend_cap c`;

export async function listCaps(
  db: Queryable,
  { organizationId }: Membership,
  page: PageRequest,
): Promise<{ caps: Cap[]; cursor?: string }> {
  const found = await db.query<CapRow>(`${SELECT} where c.organization_id = $1 and c.id > $2 order by c.id limit $3`, [
    organizationId,
    readIdCursor(page.cursor, 'cap'),
    rowsToRead(page),
  ]);
  const { rows, ...more } = cutPage(found.rows, page, ({ id }) => id);
  return { caps: await present(db, rows), ...more };
}

export async function showCap(db: Queryable, { organizationId }: Membership, capId: string): Promise<Cap> {
  const { rows } = await db.query<CapRow>(`${SELECT} where c.organization_id = $1 and c.id = $2`, [
    organizationId,
    capId,
  ]);
  const [shown] = await present(db, rows);
  if (!shown) throw new AppError('not_found');
  return shown;
}

/** The same subject again changes its limit. */
export async function putCap(
  db: Database,
  membership: Membership,
  subject: CapSubject,
  monthlyUsd: number,
): Promise<Cap> {
  const { organizationId } = membership;
  const subjectId = await findSubject(db, organizationId, subject);
  if (subjectId === undefined) throw new AppError('not_found');
  const capId = await setCap(db, organizationId, { kind: subject.kind, id: subjectId }, monthlyUsd);
  return showCap(db, membership, capId);
}

/** For a subject that is known to exist. */
export async function setCap(
  db: Queryable,
  organizationId: string,
  { kind, id }: CapSubject,
  monthlyUsd: number,
): Promise<string> {
  const { rows } = await db.query<{ id: string }>('select :schema.spend_cap_put($1, $2, $3, $4, $5) as id', [
    newId('cap'),
    organizationId,
    kind,
    id,
    Math.round(monthlyUsd * 1_000_000),
  ]);
  return rows[0]?.id ?? '';
}

export async function changeCap(
  db: Database,
  membership: Membership,
  capId: string,
  { subject, monthlyUsd }: { readonly subject?: CapSubject | undefined; readonly monthlyUsd: number },
): Promise<Cap> {
  const known = await showCap(db, membership, capId).catch((error: unknown) => {
    if (subject && error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  });
  if (known && subject && (known.subject.kind !== subject.kind || known.subject.id !== subject.id))
    throw new AppError('invalid_request', { subject: 'cannot be changed: remove this cap and set another' });
  return putCap(db, membership, known?.subject ?? subject ?? { kind: 'member', id: '' }, monthlyUsd);
}

export async function removeCap(db: Queryable, { organizationId }: Membership, capId: string): Promise<void> {
  const { rows } = await db.query<{ removed: boolean }>('select :schema.spend_cap_remove($1, $2) as removed', [
    organizationId,
    capId,
  ]);
  if (rows[0]?.removed !== true) throw new AppError('not_found');
}

/** By the first id of each token's line. */
export async function findTokenCaps(db: Queryable, tokenIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.query<{ subject_id: string; limit_micros: number }>(
    "select subject_id, limit_micros from :schema.spend_cap where kind = 'token' and subject_id = any ($1)",
    [tokenIds],
  );
  return new Map(rows.map(({ subject_id, limit_micros }) => [subject_id, limit_micros / 1_000_000]));
}

/** What a member has spent this month, and the caps that apply to them: their own, their tokens', their workspaces'. */
export async function readMySpend(db: Queryable, membership: Membership): Promise<MySpend> {
  const { organizationId, userId } = membership;
  const { totals, to } = await readSpend(db, { ...membership, organizationRole: 'member' }, { by: 'credential' });
  const { workspaces, tokens } = await listSubjectsOf(db, organizationId, userId);
  const { rows } = await db.query<CapRow>(
    `${SELECT} where c.organization_id = $1 and (c.kind = 'member' and c.subject_id = $2
        or c.kind = 'workspace' and c.subject_id = any ($3) or c.kind = 'token' and c.subject_id = any ($4)) order by c.id`,
    [organizationId, userId, workspaces, tokens],
  );
  const caps = await present(db, rows);
  return {
    month: to.slice(0, 7),
    cost: totals.cost,
    unpriced: totals.unpriced,
    caps: caps.map(({ subject, name, monthlyUsd, remaining, resetsAt }) => ({
      subject,
      name,
      limit: monthlyUsd,
      remaining,
      resetsAt,
    })),
  };
}

export interface CapCounts {
  readonly caps: number;
  /** From 80 per cent of the limit on. */
  readonly near: number;
  readonly reached: number;
}

/** Of the whole deployment, for its metrics. */
export async function countCaps(db: Queryable): Promise<CapCounts> {
  const { rows } = await db.query<{ caps: number; near: number; reached: number }>(
    `select count(*) as caps, count(*) filter (where u.used >= 0.8 * u.limit_micros and u.used < u.limit_micros) as near, count(*) filter (where u.used >= u.limit_micros) as reached
       from (select c.limit_micros, c.spent as used from (${SELECT}) c) u`,
  );
  return rows[0] ?? { caps: 0, near: 0, reached: 0 };
}

async function present(db: Queryable, rows: readonly CapRow[]): Promise<Cap[]> {
  const names = new Map<string, (id: string) => string>();
  for (const kind of ['member', 'workspace', 'token'] as const) {
    const ids = rows.filter((row) => row.kind === kind).map((row) => row.subject_id);
    if (ids.length > 0) names.set(kind, await findNames(db, kind, ids));
  }
  return rows.map((row) => ({
    id: row.id,
    subject: { kind: row.kind, id: row.subject_id },
    name: names.get(row.kind)?.(row.subject_id) ?? row.subject_id,
    monthlyUsd: row.limit_micros / 1_000_000,
    spent: row.spent / 1_000_000,
    reserved: row.reserved / 1_000_000,
    remaining: Math.max(0, row.limit_micros - row.spent - row.reserved) / 1_000_000,
    resetsAt: row.resets_at,
  }));
}
