// The provider's webhook settings, read and written in its database, because its API has no route for them. Checking
// writes nothing; applying is one transaction, rolled back if any statement fails. Columns differ between versions:
// required columns must exist, the others are set only if they do.
import { createHash, timingSafeEqual } from 'node:crypto';
import pg from 'pg';

export interface WantedWebhook {
  readonly url: string;
  readonly secret: string;
  /** Id of the environment, if several are named prod. */
  readonly environmentId?: number | undefined;
}

export interface WebhookSetting {
  readonly setting: string;
  readonly expected: string;
  /** Never a secret. */
  readonly found: string;
  readonly ok: boolean;
}

export class WebhookSetupError extends Error {
  override readonly name = 'WebhookSetupError';
}

const TIMEOUT_MS = 10_000;
const WEBHOOKS = '_nango_external_webhooks';
const ENVIRONMENTS = '_nango_environments';

/** Columns of the settings row and their required values. */
const COLUMNS = [
  { column: 'primary_url', needed: true, value: ({ url }: WantedWebhook): string | boolean | null => url },
  { column: 'secondary_url', needed: true, value: () => null },
  { column: 'on_auth_creation', needed: true, value: () => true },
  { column: 'on_auth_refresh_error', needed: true, value: () => true },
  { column: 'on_sync_completion_always', needed: true, value: () => false },
  { column: 'on_auth_override', needed: false, value: () => true },
] as const;

type Row = Record<string, unknown>;

export function checkWebhook(databaseUrl: string, wanted: WantedWebhook): Promise<WebhookSetting[]> {
  return inTransaction(databaseUrl, 'begin read only', async (client) =>
    readSettings(client, await findEnvironment(client, wanted), wanted),
  );
}

export function applyWebhook(databaseUrl: string, wanted: WantedWebhook): Promise<WebhookSetting[]> {
  return inTransaction(databaseUrl, 'begin', async (client) => {
    const environment = await findEnvironment(client, wanted);
    await client.query(`select id from ${ENVIRONMENTS} where id = $1 for update`, [environment.id]);
    await writeSettings(client, environment, wanted);
    await writeSigningKey(client, environment, wanted);
    const settings = await readSettings(client, environment, wanted);
    const wrong = settings.find(({ ok }) => !ok);
    if (wrong) throw new WebhookSetupError(`could not set ${wrong.setting}; nothing was changed`);
    return settings;
  });
}

interface Environment {
  readonly id: number;
  readonly row: Row;
}

async function findEnvironment(client: pg.Client, { environmentId }: WantedWebhook): Promise<Environment> {
  const { rows } = await client.query<{ id: number; row: Row }>(
    `select e.id, to_jsonb(e) as row from ${ENVIRONMENTS} e where e.name = 'prod' and coalesce((to_jsonb(e) ->> 'deleted')::boolean, false) = false order by e.id`,
  );
  const found = environmentId === undefined ? rows : rows.filter(({ id }) => Number(id) === environmentId);
  const [first] = found;
  if (!first)
    throw new WebhookSetupError(
      'the provider has no environment named prod' +
        (environmentId === undefined ? '; start it once so that it creates one' : ` with ID ${environmentId}`),
    );
  if (found.length > 1)
    throw new WebhookSetupError(
      `the provider has several environments named prod; choose one with --environment: ${found.map(({ id }) => id).join(', ')}`,
    );
  return { id: Number(first.id), row: first.row };
}

async function writeSettings(client: pg.Client, { id }: Environment, wanted: WantedWebhook): Promise<void> {
  const present = await columnsOf(client, WEBHOOKS);
  const set = COLUMNS.filter(({ column, needed }) => needed || present.has(column));
  const names = set.map(({ column }) => column);
  await client.query(
    `insert into ${WEBHOOKS} (environment_id, ${names.join(', ')}) values ($1, ${names.map((_, i) => `$${i + 2}`).join(', ')})
     on conflict (environment_id) do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    [id, ...set.map(({ value }) => value(wanted))],
  );
}

/** The key is in a separate table; older versions keep a switch and the key with the environment. */
async function writeSigningKey(client: pg.Client, { id, row }: Environment, { secret }: WantedWebhook): Promise<void> {
  const [environment, keys] = [await columnsOf(client, ENVIRONMENTS), await columnsOf(client, 'customer_keys')];
  if (environment.has('hmac_enabled') && environment.has('hmac_key'))
    await client.query(`update ${ENVIRONMENTS} set hmac_enabled = true, hmac_key = $2 where id = $1`, [id, secret]);
  else if (keys.size === 0)
    throw new WebhookSetupError('servicectl does not know where this version of the provider keeps its signing key');
  if (keys.size === 0) return;
  const values = { secret, iv: '', tag: '', hashed: hashOf(secret, id) };
  const existing = await client.query<{ id: number }>(
    `select k.id from customer_keys k join customer_keys_relations r on r.customer_key_id = k.id
      where k.key_type = 'webhook_signing' and r.entity_type = 'environment' and r.entity_id = $1 and (to_jsonb(k) ->> 'deleted_at') is null order by k.id`,
    [id],
  );
  if (existing.rows[0]) {
    // Of two keys, the provider uses the more recent one.
    const dated = keys.has('updated_at') ? ', updated_at = clock_timestamp()' : '';
    await client.query(
      `update customer_keys set secret = $2, iv = $3, tag = $4, hashed = $5${dated} where id = any($1)`,
      [existing.rows.map((found) => found.id), values.secret, values.iv, values.tag, values.hashed],
    );
    return;
  }
  const optional = { account_id: row['account_id'], display_name: 'Webhook signing key' };
  const all = Object.entries({ key_type: 'webhook_signing', ...values, ...optional }).filter(
    ([name]) => !(name in optional) || keys.has(name),
  );
  const inserted = await client.query<{ id: number }>(
    `insert into customer_keys (${all.map(([name]) => name).join(', ')}) values (${all.map((_, i) => `$${i + 1}`).join(', ')}) returning id`,
    all.map(([, value]) => value),
  );
  await client.query(
    "insert into customer_keys_relations (customer_key_id, entity_type, entity_id) values ($1, 'environment', $2)",
    [inserted.rows[0]?.id, id],
  );
}

async function readSettings(
  client: pg.Client,
  environment: Environment,
  wanted: WantedWebhook,
): Promise<WebhookSetting[]> {
  const present = await columnsOf(client, WEBHOOKS);
  const { rows } = await client.query<{ row: Row }>(
    `select to_jsonb(w) as row from ${WEBHOOKS} w where w.environment_id = $1`,
    [environment.id],
  );
  const row = rows[0]?.row ?? {};
  const settings = COLUMNS.filter(({ column, needed }) => needed || present.has(column)).map(({ column, value }) => {
    const expected = value(wanted);
    // An empty text is as cleared as none.
    const found = row[column] === '' ? null : (row[column] ?? null);
    return { setting: column, expected: show(expected), found: show(found), ok: found === expected };
  });
  return [...settings, ...(await readSigning(client, environment, wanted))];
}

async function readSigning(
  client: pg.Client,
  { id }: Environment,
  { secret }: WantedWebhook,
): Promise<WebhookSetting[]> {
  const settings: WebhookSetting[] = [];
  const environment =
    (await client.query<{ row: Row }>(`select to_jsonb(e) as row from ${ENVIRONMENTS} e where e.id = $1`, [id])).rows[0]
      ?.row ?? {};
  if ('hmac_enabled' in environment && 'hmac_key' in environment) {
    settings.push(
      {
        setting: 'hmac_enabled',
        expected: 'true',
        found: show(environment['hmac_enabled']),
        ok: environment['hmac_enabled'] === true,
      },
      keySetting('hmac_key', environment['hmac_key'], '', secret),
    );
  }
  if ((await columnsOf(client, 'customer_keys')).size === 0) return settings;
  const { rows } = await client.query<{ secret: string; iv: string | null }>(
    `select k.secret, k.iv from customer_keys k join customer_keys_relations r on r.customer_key_id = k.id
      where k.key_type = 'webhook_signing' and r.entity_type = 'environment' and r.entity_id = $1 and (to_jsonb(k) ->> 'deleted_at') is null order by k.id limit 1`,
    [id],
  );
  return [...settings, keySetting('signing key', rows[0]?.secret, rows[0]?.iv ?? '', secret)];
}

function keySetting(setting: string, stored: unknown, iv: string, secret: string): WebhookSetting {
  const expected = 'SERVICE_INTEGRATIONS_WEBHOOK_SECRET';
  if (typeof stored !== 'string' || stored === '') return { setting, expected, found: 'none', ok: false };
  if (iv !== '') return { setting, expected, found: 'encrypted by the provider, cannot be compared', ok: false };
  const same = isSame(stored, secret);
  return { setting, expected, found: same ? 'the same' : 'a different key', ok: same };
}

function isSame(stored: string, secret: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(stored), digest(secret));
}

/** Only has to be unique per key: the provider never looks it up. */
function hashOf(secret: string, environmentId: number): string {
  return createHash('sha256').update(`webhook_signing ${environmentId} ${secret}`).digest('hex');
}

async function columnsOf(client: pg.Client, table: string): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ column_name: string }>(
    "select column_name from information_schema.columns where table_schema = 'nango' and table_name = $1",
    [table],
  );
  return new Set(rows.map(({ column_name: name }) => name));
}

function show(value: unknown): string {
  return value === null ? 'none' : String(value);
}

async function inTransaction<T>(url: string, begin: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    application_name: 'servicectl',
  });
  // A lost connection fails the running statement; without this handler it would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(begin);
    await client.query(
      `select set_config('search_path', 'nango', true), set_config('statement_timeout', '${TIMEOUT_MS}', true)`,
    );
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    await client.end();
  }
}
