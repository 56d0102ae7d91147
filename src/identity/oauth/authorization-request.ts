// One request to the authorize endpoint: kept while the person signs in and decides, then replaced by a code or
// deleted. The first signed-in person who opens it owns it; to anyone else it does not exist. Only the digest of its
// handle is stored. An invalid request is kept as well, with its error: anyone can register a client, so the browser is
// redirected to one only after a person has seen who is asking.
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Scope } from '../../contract/tokens.ts';
import type { Database, Queryable } from '../../store/database.ts';
import { newId } from '../../base/ids.ts';
import type { OAuthErrorCode } from './oauth-error.ts';
import { newSecret } from '../opaque-secret.ts';
import { digestSecret } from '../secret-digests.ts';

const REQUEST_LIFE_MS = 10 * 60_000;
const CODE_LIFE_MS = 2 * 60_000;

/** The error of a request, as the client will receive it. */
interface RequestFault {
  readonly error: OAuthErrorCode;
  readonly description: string;
}

export interface NewRequest {
  /** A request with an error can only be declined. */
  readonly fault?: RequestFault | undefined;
  readonly clientId: string;
  readonly clientName: string;
  readonly clientUri?: string | undefined;
  readonly redirectUri: string;
  readonly state?: string | undefined;
  readonly scopes: readonly Scope[];
  readonly offline: boolean;
  readonly codeChallenge: string;
}

export interface AuthorizationRequest extends NewRequest {
  readonly id: string;
  readonly expiresAt: Date;
}

interface RequestRow extends Record<string, unknown> {
  client_id: string;
  client_name: string;
  client_uri: string | null;
  redirect_uri: string;
  state: string | null;
  scopes: Scope[];
  offline: boolean;
  code_challenge: string;
  expires_at: Date;
  error: OAuthErrorCode | null;
  error_description: string | null;
}

interface Deps {
  readonly db: Queryable;
  readonly clock: Clock;
}

const COLUMNS =
  'client_id, client_name, client_uri, redirect_uri, state, scopes, offline, code_challenge, expires_at, error, error_description';

export async function createRequest(deps: Deps, request: NewRequest): Promise<string> {
  const id = randomBytes(24).toString('base64url');
  const now = deps.clock();
  await deps.db.query(
    `insert into :schema.oauth_request (id, client_id, client_name, client_uri, redirect_uri, state, scopes, offline, code_challenge, created_at, expires_at, error, error_description)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      digestSecret(id),
      request.clientId,
      request.clientName,
      request.clientUri,
      request.redirectUri,
      request.state,
      request.scopes,
      request.offline,
      request.codeChallenge,
      now,
      new Date(now.getTime() + REQUEST_LIFE_MS),
      request.fault?.error ?? null,
      request.fault?.description ?? null,
    ],
  );
  return id;
}

/** Reads a request as `userId`, who becomes its owner. */
export async function openRequest(deps: Deps, id: string, userId: string): Promise<AuthorizationRequest> {
  const { rows } = await deps.db.query<RequestRow>(
    `update :schema.oauth_request set user_id = $2
      where id = $1 and expires_at > $3 and (user_id is null or user_id = $2)
      returning ${COLUMNS}`,
    [digestSecret(id), userId, deps.clock()],
  );
  return toRequest(id, rows[0]);
}

/** Ends a request without a code. */
export async function denyRequest(deps: Deps, id: string, userId: string): Promise<AuthorizationRequest> {
  return takeRequest(deps.db, id, userId, deps.clock());
}

export interface Approval {
  readonly organizationId: string;
  readonly workspaceId?: string | undefined;
  readonly scopes: readonly Scope[];
}

/** Turns a request into a grant and the code that redeems it. */
export async function approveRequest(
  deps: Deps & { readonly db: Database },
  id: string,
  userId: string,
  approval: Approval,
): Promise<{ request: AuthorizationRequest; code: string }> {
  const now = deps.clock();
  const { secret: code, hash } = newSecret();
  const request = await deps.db.transaction(async (tx) => {
    const taken = await takeRequest(tx, id, userId, now);
    if (taken.fault) throw new AppError('invalid_request', { approve: taken.fault.description });
    const grantId = newId('grant', now.getTime());
    await tx.query(
      `insert into :schema.oauth_grant (id, user_id, client_id, client_name, organization_id, workspace_id, scopes, offline, created_at, used_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
      [
        grantId,
        userId,
        taken.clientId,
        taken.clientName,
        approval.organizationId,
        approval.workspaceId,
        approval.scopes,
        taken.offline,
        now,
      ],
    );
    await tx.query(
      `insert into :schema.oauth_code (hash, grant_id, client_id, redirect_uri, code_challenge, expires_at)
       values ($1, $2, $3, $4, $5, $6)`,
      [hash, grantId, taken.clientId, taken.redirectUri, taken.codeChallenge, new Date(now.getTime() + CODE_LIFE_MS)],
    );
    return taken;
  });
  return { request, code };
}

/** The deletion makes an answer final: of two concurrent answers, one finds nothing. */
async function takeRequest(db: Queryable, id: string, userId: string, now: Date): Promise<AuthorizationRequest> {
  const { rows } = await db.query<RequestRow>(
    `delete from :schema.oauth_request where id = $1 and expires_at > $3 and (user_id is null or user_id = $2)
     returning ${COLUMNS}`,
    [digestSecret(id), userId, now],
  );
  return toRequest(id, rows[0]);
}

function toRequest(id: string, row: RequestRow | undefined): AuthorizationRequest {
  if (!row) throw new AppError('not_found');
  return {
    id,
    clientId: row.client_id,
    clientName: row.client_name,
    clientUri: row.client_uri ?? undefined,
    redirectUri: row.redirect_uri,
    state: row.state ?? undefined,
    scopes: row.scopes,
    offline: row.offline,
    codeChallenge: row.code_challenge,
    expiresAt: row.expires_at,
    fault: row.error === null ? undefined : { error: row.error, description: row.error_description ?? '' },
  };
}
