// The provider's table of connections, read directly for read repair, because the provider's HTTP list can omit
// connections. Nothing is written, and no credential column is read: fields are extracted one by one in SQL, which also
// tolerates the columns of other versions.
import pg from 'pg';
import type { Log } from '../telemetry/log.ts';
import type { ProviderConnection } from './nango-shapes.ts';

export interface ProviderDatabase {
  /** Connections tagged with the organization, and with this workspace or none. */
  findTagged(organizationId: string, workspaceId: string): Promise<StoredProviderConnection[]>;
  close(): Promise<void>;
}

export interface StoredProviderConnection extends ProviderConnection {
  readonly refreshExhausted: boolean;
}

const TIMEOUT_MS = 5_000;
const MAX_ROWS = 2_000;

const TAGGED = `
  select c.connection_id, c.provider_config_key, c.tags, :app as app,
         coalesce((to_jsonb(c) ->> 'refresh_exhausted')::boolean, false) as refresh_exhausted,
         (to_jsonb(c) ->> 'created_at')::timestamptz as created_at
    from nango._nango_connections c
   where c.tags @> $1::jsonb
     and (c.tags ->> 'workspace_id' = $2 or coalesce(c.tags ->> 'workspace_id', '') = '')
     and coalesce((to_jsonb(c) ->> 'deleted')::boolean, false) = false`;

/** The environment that our secret key belongs to. */
const OF_PROD =
  "and c.environment_id in (select e.id from nango._nango_environments e where e.name = 'prod' and coalesce((to_jsonb(e) ->> 'deleted')::boolean, false) = false)";
/** The integration's app, needed if it is registered under a key other than the connector's id. */
const APP =
  "(select to_jsonb(i) ->> 'provider' from nango._nango_configs i where i.id = (to_jsonb(c) ->> 'config_id')::int)";
const LAST = `order by c.connection_id limit ${MAX_ROWS}`;

interface TaggedRow {
  connection_id: string;
  provider_config_key: string;
  app: string | null;
  tags: Record<string, unknown>;
  refresh_exhausted: boolean;
  created_at: Date | null;
}

export function openProviderDatabase(url: string, log: Log): ProviderDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS + 1_000,
    application_name: 'service-read-repair',
  });
  pool.on('error', (error) => log.warn({ err: error }, "lost idle connection to the provider's database"));

  /** Reads in one read-only transaction with local settings, which also works through a connection pooler. */
  async function read<R extends pg.QueryResultRow>(work: (client: pg.PoolClient) => Promise<R[]>): Promise<R[]> {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('begin read only');
      await client.query(
        `select set_config('search_path', 'nango', true), set_config('statement_timeout', '${TIMEOUT_MS}', true)`,
      );
      return await work(client);
    } finally {
      await client.query('rollback').catch((failure: Error) => (broken = failure));
      client.release(broken);
    }
  }

  return {
    async findTagged(organizationId, workspaceId) {
      const rows = await read(async (client) => {
        const found = await client.query<{ environments: boolean; configs: boolean }>(
          "select to_regclass('nango._nango_environments') is not null as environments, to_regclass('nango._nango_configs') is not null as configs",
        );
        const [has] = found.rows;
        const statement = `${TAGGED.replace(':app', has?.configs ? APP : 'null')} ${has?.environments ? OF_PROD : ''} ${LAST}`;
        return (
          await client.query<TaggedRow>(statement, [JSON.stringify({ organization_id: organizationId }), workspaceId])
        ).rows;
      });
      return rows.map(toConnection);
    },
    close: () => pool.end(),
  };
}

function toConnection(row: TaggedRow): StoredProviderConnection {
  const tags = Object.fromEntries(
    Object.entries(row.tags ?? {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
    ),
  );
  return {
    integrationId: row.provider_config_key,
    connectionId: row.connection_id,
    app: row.app ?? undefined,
    tags,
    endUserId: undefined,
    endUserOrganizationId: undefined,
    errors: [],
    createdAt: row.created_at ?? undefined,
    refreshExhausted: row.refresh_exhausted,
  };
}
