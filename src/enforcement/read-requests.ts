// The log of requests: who called which model, when, at what cost. It has no content, and reaches back 30 days.
import { AppError } from '../base/errors.ts';
import type { LoggedRequest } from '../contract/spend.ts';
import type { Database, Queryable } from '../store/database.ts';
import { managesOrganization } from '../tenancy/authority.ts';
import type { Membership } from '../tenancy/members/membership.ts';
import { cutPage, type PageRequest, rowsToRead } from '../tenancy/paging.ts';

const REQUEST_LOG_DAYS = 30;

interface RequestRow extends Record<string, unknown> {
  id: string;
  at: Date;
  at_text: string;
  user_id: string;
  workspace_id: string;
  token_id: string;
  surface: string;
  model: string;
  served: string;
  provider: string;
  credential: string;
  status: number;
  input_tokens: number;
  output_tokens: number;
  cost_micros: number | null;
  first_token_ms: number | null;
  duration_ms: number;
}

export interface RequestQuery extends PageRequest {
  /** Only the requests of this `x-request-id`. */
  readonly id?: string | undefined;
}

/**
 * A cached plan expects the requests of an average organization and would sort those of a large one; the index of each
 * day has them in order.
 */
const IN_ORDER_OF_INDEX = "select set_config('enable_sort', 'off', true)";

/** Newest first. Owners and admins see everyone's, a member only their own. */
export async function readRequests(
  db: Database,
  membership: Membership,
  query: RequestQuery,
): Promise<{ requests: LoggedRequest[]; cursor?: string }> {
  const before = readCursor(query.cursor);
  const own = managesOrganization(membership) ? [] : [membership.userId];
  const named = query.id === undefined ? [] : [query.id];
  const parameters = [membership.organizationId, before?.at ?? 'infinity', before?.id ?? '', rowsToRead(query)];
  const select = `select id, at, at::text as at_text, user_id, workspace_id, token_id, surface, model, served, provider, credential, status, input_tokens, output_tokens, cost_micros, first_token_ms, duration_ms
       from :schema.request_log
      where organization_id = $1 and at > now() - interval '${REQUEST_LOG_DAYS} days' and (at, id) < ($2::timestamptz, $3)
        ${own.length > 0 ? 'and user_id = $5' : ''} ${named.length > 0 ? `and id = $${5 + own.length}` : ''}
      order by at desc, id desc limit $4`;
  const found = await db.transaction(async (tx) => {
    if (query.id === undefined) await tx.query(IN_ORDER_OF_INDEX);
    return tx.query<RequestRow>(select, [...parameters, ...own, ...named]);
  });
  const { rows, ...more } = cutPage(found.rows, query, (row) =>
    Buffer.from(`${row.at_text}|${row.id}`).toString('base64url'),
  );
  return { requests: rows.map(toWire), ...more };
}

function toWire(row: RequestRow): LoggedRequest {
  return {
    id: row.id,
    at: row.at.toISOString(),
    member: row.user_id,
    workspace: row.workspace_id,
    ...(row.token_id === '' ? {} : { token: row.token_id }),
    ...readSurface(row.surface),
    model: row.model,
    ...(row.served === '' ? {} : { served: row.served }),
    provider: row.provider,
    credential: row.credential,
    status: row.status,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    cost: row.cost_micros === null ? null : row.cost_micros / 1_000_000,
    ...(row.first_token_ms === null ? {} : { firstTokenMs: row.first_token_ms }),
    durationMs: row.duration_ms,
  };
}

/** As `writeSurface` in budget.ts has it. */
function readSurface(written: string): Pick<LoggedRequest, 'surface' | 'project'> {
  const [surface = '', project] = written.split('@');
  return { surface, ...(project === undefined ? {} : { project }) };
}

const CURSOR = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d(?::\d\d)?)\|([^\0]*)$/;

function readCursor(cursor: string | undefined): { at: string; id: string } | undefined {
  if (cursor === undefined) return undefined;
  const [, at, id] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (at === undefined || id === undefined || Number.isNaN(Date.parse(at)))
    throw new AppError('invalid_request', { cursor: 'is not a cursor of this list' });
  return { at, id };
}

/** Makes the partitions of the coming days, drops old ones, and adds the days that are over to their months. */
export async function keepSpendRecords(db: Queryable, daysKept: number): Promise<void> {
  await db.query('select :schema.request_log_keep($1, 7)', [REQUEST_LOG_DAYS]);
  await db.query('select :schema.spend_roll($1)', [daysKept]);
}
