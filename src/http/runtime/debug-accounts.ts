// People and organizations of the deployment, for its operator.
import { z } from 'zod';
import { id } from '../../contract/common.ts';
import { ACTS, operate, type OperateDeps, type Operated } from '../../leaving/operate.ts';
import { makeOperatorLink, type OperatorLink } from '../../leaving/reset-link.ts';
import { listAllOrganizations, listPeople } from '../../leaving/list-accounts.ts';
import type { Queryable } from '../../store/database.ts';
import { cutPage, readIdCursor, rowsToRead } from '../../tenancy/paging.ts';
import { validate } from '../shell/validate.ts';

const listQuery = z.strictObject({
  query: z.string().max(200).optional(),
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
});

const LISTS = { person: listPeople, organization: listAllOrganizations } as const;
/** The segment of the path. */
export const ACCOUNT_PATHS = { person: 'people', organization: 'organizations' } as const satisfies Record<
  Operated,
  string
>;

/** The acts that are posted to a path of their own; `delete` is the method of that name. */
export const POSTED_ACTS = Object.entries(ACTS).flatMap(([kind, acts]) =>
  Object.keys(acts)
    .filter((act) => act !== 'delete')
    .map((act) => ({ kind: kind as Operated, act })),
);

export function listAccounts(db: Queryable, kind: Operated, query: unknown): Promise<object> {
  return LISTS[kind](db, validate(listQuery, query));
}

export async function operateAccount(
  deps: OperateDeps,
  { kind, act, subject, operator }: { kind: Operated; act: string; subject: string; operator: string },
): Promise<{ ok: true }> {
  await operate(deps, kind, act, { id: validate(id, subject), operator });
  return { ok: true };
}

export async function orderResetLink(
  deps: Parameters<typeof makeOperatorLink>[0],
  { subject, operator }: { subject: string; operator: string },
): Promise<{ ok: true } & OperatorLink> {
  return { ok: true, ...(await makeOperatorLink(deps, { id: validate(id, subject), operator })) };
}

/** The latest acts first. */
export async function listActs(db: Queryable, query: unknown): Promise<object> {
  const request = validate(listQuery.omit({ query: true }), query);
  const { rows } = await db.query<{
    id: string;
    at: Date;
    operator: string;
    act: string;
    kind: string;
    subject: string;
  }>(
    `select id, at, operator, act, kind, subject_id as subject from :schema.operator_act
      where $1 = '' or id < $1 order by id desc limit $2`,
    [readIdCursor(request.cursor, 'act'), rowsToRead(request)],
  );
  const { rows: acts, ...more } = cutPage(rows, request, ({ id: last }) => last);
  return { acts: acts.map(({ at, ...act }) => ({ ...act, at: at.toISOString() })), ...more };
}
