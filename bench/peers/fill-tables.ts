// Fills the tables of the hot paths, each with the same number of rows, as they lie there after a long time. Half of the
// rows belong to the organizations that are measured, so that these grow as well: with a thousand rows each of ten has
// 50, with a million 50,000. Only of threads a person has a thousand at most.
import pg from 'pg';
import type { Place } from './hot-operations.ts';

/** What a row says of its number `n`, `x` as text; `o`, `u` and `w` are its organization, person and workspace. */
interface Filled {
  readonly table: string;
  readonly columns: string;
  readonly values: string;
}

const padded = (of: string): string => `lpad((${of})::text, 25, '0')`;
const id = (prefix: string, of?: string): string => `'${prefix}_0' || ${of === undefined ? 'x' : padded(of)}`;
const HASH = 'sha256(n::text::bytea)';
const LONG_AGO = "now() - interval '1 hour' - n * interval '1 millisecond'";
const DAY = "(now() at time zone 'UTC')::date - (n % 25)::int";
const BODY = `'{"kind":"x"}'`;

const TABLES: readonly Filled[] = [
  { table: 'identity_user', columns: 'id, name, email', values: `${id('usr')}, 'x', n || '@example.test'` },
  {
    table: 'identity_session',
    columns: 'id, user_id, token, expires_at',
    values: `${id('ses')}, u, 'sha256:' || md5(n::text) || md5('x' || n), now() + interval '1 day'`,
  },
  {
    table: 'organization',
    columns: 'id, slug, name, plan, signup_credit_micros',
    values: `${id('org')}, 'o-' || n, 'x', 'team', 0`,
  },
  {
    table: 'organization_member',
    columns: 'organization_id, user_id, role',
    values: `${id('org')}, ${id('usr')}, 'member'`,
  },
  {
    table: 'workspace',
    columns: 'id, organization_id, slug, name, kind',
    values: `${id('ws')}, ${id('org')}, 'default', 'x', 'default'`,
  },
  {
    table: 'workspace_member',
    columns: 'organization_id, workspace_id, user_id, role',
    values: `${id('org')}, ${id('ws')}, ${id('usr')}, 'member'`,
  },
  {
    table: 'connect_token',
    columns: 'id, user_id, organization_id, name, created_at, expires_at',
    values: `${id('tok')}, u, o, 'x', now(), now() + interval '1 day'`,
  },
  {
    table: 'oauth_access_token',
    columns: 'token_id, grant_id, expires_at',
    values: `${id('tkt')}, ${id('grt')}, now() + interval '1 day'`,
  },
  { table: 'chat_version', columns: 'organization_id, version', values: `${id('org')}, 1` },
  { table: 'chat_rate', columns: 'user_id, size, next', values: `${id('usr')}, 60, 60` },
  { table: 'chat_rate_slot', columns: 'user_id, slot, at', values: `${id('usr', 'n / 60')}, n % 60, ${LONG_AGO}` },
  {
    table: 'org_budget',
    columns: 'organization_id, seat_month',
    values: `${id('org')}, date_trunc('month', now())::date`,
  },
  {
    table: 'chat_hold',
    columns: 'id, organization_id, seat_month, seat_micros, credit_micros, expires_at, user_id, workspace_id',
    values: `${id('hold')}, o, date_trunc('month', now())::date, 0, 1000, now() + interval '1 day', u, w`,
  },
  {
    table: 'usage_day',
    columns: 'organization_id, day, model, provider, credential, requests, input_tokens, output_tokens, cost_micros',
    values: `o, ${DAY}, 'model-' || n, 'openai', 'platform', 1, 1, 1, 1`,
  },
  {
    table: 'spend_day',
    columns:
      'organization_id, day, user_id, workspace_id, token_id, model, provider, credential, surface, requests, input_tokens, output_tokens, cost_micros',
    values: `o, ${DAY}, ${id('usr')}, w, '', 'gpt-5-nano', 'openai', 'platform', '/v1', 1, 1, 1, 1`,
  },
  {
    table: 'spend_cap',
    columns: 'id, organization_id, kind, subject_id, limit_micros, month',
    values: `${id('cap')}, o, 'member', ${id('usr')}, 1000000, date_trunc('month', now())::date`,
  },
  {
    table: 'request_log',
    columns:
      'id, at, organization_id, user_id, workspace_id, token_id, surface, model, provider, credential, status, input_tokens, output_tokens, cost_micros, duration_ms',
    values: `${id('req')}, ${LONG_AGO}, o, u, w, '', '/v1', 'gpt-5-nano', 'openai', 'platform', 200, 1, 1, 1, 1`,
  },
  {
    table: 'receipt',
    columns: 'stream, idx, prev, hash, body',
    values: `'connect/' || w, n, ${HASH}, ${HASH}, ${BODY}`,
  },
  { table: 'receipt_head', columns: 'stream, idx, hash', values: `'connect/' || ${id('ws')}, 0, ${HASH}` },
  { table: 'receipt_checkpoint_head', columns: 'stream, idx, hash', values: `'jobs/' || ${id('job')}, 2, ${HASH}` },
  {
    table: 'receipt_entry',
    columns: 'workspace_id, at, stream, idx, kind, person, app, tool',
    values: `w, '2026-01-01T00:' || lpad(n::text, 10, '0'), 'connect/' || w, n, 'tool.called', u, 'github', 'list-issues'`,
  },
  {
    table: 'job',
    columns:
      'id, organization_id, workspace_id, created_by, kind, objective, idempotency_key, request_hash, status, attempt, created_at, started_at, ended_at, head_idx, head_hash',
    values: `${id('job')}, o, w, u, 'control', 'x', n::text, '', 'completed', 1, now(), now(), now(), 2, ${HASH}`,
  },
  {
    table: 'standing_run',
    columns:
      'id, kind, organization_id, workspace_id, created_by, name, objective, run_kind, scopes, started_with, created_at',
    values: `${id('sch')}, 'schedule', o, w, u, 'x', 'x', 'chat', '{}', 'session', now()`,
  },
  {
    table: 'schedule',
    columns: 'id, every_seconds, anchored_at, overlap, catch_up, next_at, look_at',
    values: `${id('sch')}, 86400, now(), 'skip', 'one', now() + interval '1 day' + n * interval '1 millisecond', now() + interval '1 day' + n * interval '1 millisecond'`,
  },
  {
    table: 'broker_promise',
    columns: 'id, state, param, value, tags, timeout_at, created_at, settled_at, owner, armed',
    values: `${id('job')}, 'resolved', '{}', '{}', '{}', 0, 0, 9e12::bigint, ${id('job', 'n / 2')}, true`,
  },
  {
    table: 'broker_task',
    columns: 'id, state, version, resumes, releases, queue, lane, since',
    values: `${id('job')}, 'fulfilled', 1, '[]', 0, 'any@worker', o, 0`,
  },
  { table: 'broker_origin', columns: 'origin, revision', values: `${id('job')}, 5` },
  {
    table: 'chat_thread',
    columns: 'id, organization_id, workspace_id, user_id, title, messages, updated_at',
    values: `${id('thr')}, o, w, case when n <= 20000 then u else ${id('usr')} end, 'x', 2, ${LONG_AGO}`,
  },
  {
    table: 'chat_message',
    columns: 'thread_id, position, id, role, parts, bytes, text_bytes',
    values: `${id('thr', 'n / 20')}, n % 20, ${id('msg')}, case when n % 2 = 0 then 'user' else 'assistant' end, '[{"type":"text","text":"some words of a message"}]', 54, 23`,
  },
  {
    table: 'chat_message_search',
    columns: 'message_id, owner, workspace_id, words',
    values: `${id('msg')}, '@' || o || '/' || u, w, '''message'':5 ''some'':1 ''words'':2'`,
  },
  {
    table: 'chat_message_version',
    columns: 'thread_id, id, parent_id, role, parts, created_at',
    values: `${id('thr', 'n / 20')}, ${id('msv')}, ${id('msg', 'n / 2')}, 'user', '[]', now()`,
  },
  {
    table: 'chat_stream',
    columns: 'thread_id, id, message_id, state, alive_at',
    values: `${id('thr')}, ${id('str')}, ${id('msg')}, 'done', now() + interval '1 hour'`,
  },
  { table: 'chat_stream_chunk', columns: 'stream_id, seq, data', values: `${id('str', 'n / 20')}, n % 20, '{}'` },
];

export const FILLED_TABLES: readonly string[] = TABLES.map(({ table }) => table);

/**
 * Two tables at a time, without triggers and references: what they would write is filled as well. Indexes are built once
 * the rows are there, which takes a fifth of the time.
 */
export async function fillTables(
  { adminUrl, schema }: { readonly adminUrl: string; readonly schema: string },
  places: readonly Place[],
  rows: number,
): Promise<void> {
  const waiting = [...TABLES];
  const fillNext = (): Promise<void> =>
    asAdmin(adminUrl, schema, async (client) => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await fillTable(client, next);
    });
  await asAdmin(adminUrl, schema, (client) => client.query(numbersFor(places, rows)));
  await Promise.all([fillNext(), fillNext()]);
  await asAdmin(adminUrl, schema, (client) => client.query('drop table number'));
}

async function asAdmin(url: string, schema: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  // The statement under way fails as well, and says so.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(
      `set session_replication_role = replica; set maintenance_work_mem = '256MB'; set search_path = ${schema}`,
    );
    await work(client);
  } finally {
    await client.end();
  }
}

async function fillTable(client: pg.Client, { table, columns, values }: Filled): Promise<void> {
  await client.query(
    `update pg_index set indisready = false, indisvalid = false from pg_class c
      where c.oid = indexrelid and c.relkind = 'i'
        and indrelid in (select '${table}'::regclass union select inhrelid from pg_inherits where inhparent = '${table}'::regclass)`,
  );
  await client.query(`insert into ${table} (${columns}) select ${values} from number`);
  await client.query(`reindex table ${table}`);
  await client.query(`analyze ${table}`);
}

function numbersFor(places: readonly Place[], rows: number): string {
  const pick = (of: (place: Place) => string, other: string): string =>
    `case when n % 2 = 0 then (array[${places.map((place) => `'${of(place)}'`).join(', ')}])[1 + (n / 2) % ${places.length}] else '${other}_0' || ${padded('n')} end`;
  return `create unlogged table number as
    select n, ${padded('n')} as x, ${pick((p) => p.organizationId, 'org')} as o, ${pick((p) => p.userId, 'usr')} as u, ${pick((p) => p.workspaceId, 'ws')} as w
    from generate_series(1, ${rows}) n`;
}
