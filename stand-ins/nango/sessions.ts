import type { Queryable } from '../../src/store/database.ts';
import type { LocalDeps } from './local-settings.ts';
import { hashToken, newToken } from './secrets.ts';

export type Tags = Readonly<Record<string, string>>;
export interface EndUser {
  readonly id: string;
  readonly email?: string | undefined;
  readonly display_name?: string | undefined;
  readonly organizationId?: string | undefined;
}

export interface Session {
  readonly hash: Buffer;
  readonly tags: Tags;
  readonly endUser: EndUser | undefined;
  /** The integrations it may connect; empty means all. */
  readonly integrations: readonly string[];
  /** The connection it reconnects, if any. */
  readonly connectionId: string | undefined;
}

interface SessionRow extends Record<string, unknown> {
  token_hash: Buffer;
  tags: Tags;
  end_user: EndUser | null;
  integrations: string[];
  connection_id: string | null;
}

const LIFETIME_MINUTES = 30;

export async function createSession(
  { db, settings }: LocalDeps,
  session: Omit<Session, 'hash'>,
): Promise<{ token: string; connect_link: string; expires_at: string }> {
  const token = newToken('nango_connect_session');
  const expiresAt = new Date(Date.now() + LIFETIME_MINUTES * 60_000);
  await db.query('delete from :schema.session where expires_at < now()');
  await db.query(
    'insert into :schema.session (token_hash, tags, end_user, integrations, connection_id, expires_at) values ($1, $2, $3, $4, $5, $6)',
    [
      hashToken(token),
      JSON.stringify(session.tags),
      session.endUser ? JSON.stringify(session.endUser) : null,
      session.integrations,
      session.connectionId ?? null,
      expiresAt,
    ],
  );
  return { token, connect_link: `${settings.connectUrl}?session_token=${token}`, expires_at: expiresAt.toISOString() };
}

export function findSession(db: Queryable, token: string): Promise<Session | undefined> {
  return findSessionByHash(db, hashToken(token));
}

export async function findSessionByHash(db: Queryable, hash: Buffer): Promise<Session | undefined> {
  const { rows } = await db.query<SessionRow>(
    'select token_hash, tags, end_user, integrations, connection_id from :schema.session where token_hash = $1 and expires_at > now()',
    [hash],
  );
  const [row] = rows;
  return (
    row && {
      hash: row.token_hash,
      tags: row.tags,
      endUser: row.end_user ?? undefined,
      integrations: row.integrations,
      connectionId: row.connection_id ?? undefined,
    }
  );
}
