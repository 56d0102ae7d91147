import { randomUUID } from 'node:crypto';
import { seal, unseal } from '../../src/base/seal.ts';
import type { LocalDeps } from './local-settings.ts';
import { credentialKey } from './secrets.ts';
import type { EndUser, Session, Tags } from './sessions.ts';

export type Credentials =
  | { readonly type: 'API_KEY'; readonly apiKey: string }
  | { readonly type: 'BASIC'; readonly username: string; readonly password: string }
  | {
      readonly type: 'OAUTH2';
      readonly access_token: string;
      readonly refresh_token: string;
      readonly expires_at: string;
      readonly raw: Readonly<Record<string, unknown>>;
    };

export interface LocalConnection {
  readonly id: number;
  readonly connectionId: string;
  readonly integration: string;
  readonly provider: string;
  readonly tags: Tags;
  readonly endUser: EndUser | undefined;
  readonly credentials: Credentials;
  readonly expiresAt: Date | undefined;
  readonly failedRefreshes: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

interface ConnectionRow extends Record<string, unknown> {
  id: number;
  connection_id: string;
  provider_config_key: string;
  provider: string;
  tags: Tags;
  end_user: EndUser | null;
  ciphertext: Buffer;
  iv: Buffer;
  auth_tag: Buffer;
  expires_at: Date | null;
  failed_refreshes: number;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS =
  'id, connection_id, provider_config_key, provider, tags, end_user, ciphertext, iv, auth_tag, expires_at, failed_refreshes, created_at, updated_at';

export async function findLocalConnection(
  deps: LocalDeps,
  connectionId: string,
  integration: string,
): Promise<LocalConnection | undefined> {
  const { rows } = await deps.db.query<ConnectionRow>(
    `select ${COLUMNS} from :schema.connection where connection_id = $1 and provider_config_key = $2`,
    [connectionId, integration],
  );
  return rows[0] && toConnection(deps, rows[0]);
}

export async function listLocalConnections(
  deps: LocalDeps,
  filter: { tags: Tags; limit: number; page: number },
): Promise<LocalConnection[]> {
  const { rows } = await deps.db.query<ConnectionRow>(
    `select ${COLUMNS} from :schema.connection where tags @> $1::jsonb order by id desc limit $2 offset $3`,
    [JSON.stringify(filter.tags), filter.limit, filter.limit * filter.page],
  );
  return rows.map((row) => toConnection(deps, row));
}

/** Creates a connection, or updates the one that the session reconnects with its new credentials. */
export async function saveConnection(
  deps: LocalDeps,
  session: Session,
  integration: { unique_key: string; provider: string },
  credentials: Credentials,
): Promise<{ connectionId: string; operation: 'creation' | 'override' }> {
  const connectionId = session.connectionId ?? randomUUID();
  const { ciphertext, iv, authTag } = sealCredentials(deps, connectionId, credentials);
  const { rows } = await deps.db.query<{ created: boolean }>(
    `insert into :schema.connection as c (connection_id, provider_config_key, provider, tags, end_user, ciphertext, iv, auth_tag, expires_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (connection_id, provider_config_key) do update set tags = excluded.tags, end_user = coalesce(excluded.end_user, c.end_user), ciphertext = excluded.ciphertext, iv = excluded.iv,
       auth_tag = excluded.auth_tag, expires_at = excluded.expires_at, failed_refreshes = 0, updated_at = now()
     returning (xmax = 0) as created`,
    [
      connectionId,
      integration.unique_key,
      integration.provider,
      JSON.stringify(session.tags),
      session.endUser ? JSON.stringify(session.endUser) : null,
      ciphertext,
      iv,
      authTag,
      expiryOf(credentials),
    ],
  );
  return { connectionId, operation: rows[0]?.created ? 'creation' : 'override' };
}

export async function replaceCredentials(
  deps: LocalDeps,
  { id, connectionId }: LocalConnection,
  credentials: Credentials,
): Promise<void> {
  const { ciphertext, iv, authTag } = sealCredentials(deps, connectionId, credentials);
  await deps.db.query(
    'update :schema.connection set ciphertext = $2, iv = $3, auth_tag = $4, expires_at = $5, failed_refreshes = 0, updated_at = now() where id = $1',
    [id, ciphertext, iv, authTag, expiryOf(credentials)],
  );
}

export async function countFailedRefresh({ db }: LocalDeps, { id }: LocalConnection): Promise<void> {
  await db.query(
    'update :schema.connection set failed_refreshes = failed_refreshes + 1, updated_at = now() where id = $1',
    [id],
  );
}

export async function replaceLocalTags({ db }: LocalDeps, { id }: LocalConnection, tags: Tags): Promise<void> {
  await db.query('update :schema.connection set tags = $2, updated_at = now() where id = $1', [
    id,
    JSON.stringify(tags),
  ]);
}

export async function deleteLocalConnection(
  { db }: LocalDeps,
  connectionId: string,
  integration: string,
): Promise<boolean> {
  const { rowCount } = await db.query(
    'delete from :schema.connection where connection_id = $1 and provider_config_key = $2',
    [connectionId, integration],
  );
  return rowCount === 1;
}

function sealCredentials({ settings }: LocalDeps, connectionId: string, credentials: Credentials) {
  return seal(credentialKey(settings.secretKey), JSON.stringify(credentials), ['local-integrations', connectionId]);
}

function expiryOf(credentials: Credentials): Date | null {
  return credentials.type === 'OAUTH2' ? new Date(credentials.expires_at) : null;
}

function toConnection({ settings }: LocalDeps, row: ConnectionRow): LocalConnection {
  const opened = unseal(
    credentialKey(settings.secretKey),
    { ciphertext: row.ciphertext, iv: row.iv, authTag: row.auth_tag },
    ['local-integrations', row.connection_id],
  );
  return {
    id: row.id,
    connectionId: row.connection_id,
    integration: row.provider_config_key,
    provider: row.provider,
    tags: row.tags,
    endUser: row.end_user ?? undefined,
    // Sealed with another secret key: treated like a key that the app does not accept.
    credentials: opened === undefined ? { type: 'API_KEY', apiKey: '' } : (JSON.parse(opened) as Credentials),
    expiresAt: row.expires_at ?? undefined,
    failedRefreshes: row.failed_refreshes,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
