// The person's side: what a client asks for, and their answer. They choose the organization, and may restrict the
// client to one of its workspaces and to some of the scopes.
import type { Context } from 'hono';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import { id, page } from '../../contract/common.ts';
import { scope } from '../../contract/tokens.ts';
import {
  approveRequest,
  type AuthorizationRequest,
  denyRequest,
  openRequest,
} from '../../identity/oauth/authorization-request.ts';
import { findSession, type Session } from '../../identity/sessions/find-session.ts';
import { listClosedOrganizations, requireSecondFactor } from '../../identity/sessions/second-factor-demand.ts';
import type { IdentitySettings } from '../../identity/identity-settings.ts';
import { listGrants } from '../../identity/oauth/list-grants.ts';
import type { OAuthDeps } from '../../identity/oauth/oauth-deps.ts';
import { narrowScopes } from '../../identity/oauth/oauth-scopes.ts';
import { redirectHost, withParameters } from '../../identity/oauth/redirect-uri.ts';
import { revokeGrant } from '../../identity/oauth/revoke-grant.ts';
import type { Database } from '../../store/database.ts';
import { getMembership } from '../../tenancy/members/get-membership.ts';
import { listOrganizations } from '../../tenancy/organizations/list-organizations.ts';
import { listWorkspaces } from '../../tenancy/workspaces/list-workspaces.ts';
import { readIdCursor } from '../../tenancy/paging.ts';
import { checkOrigin } from '../shell/check-origin.ts';
import { filledQuery } from '../shell/filled-query.ts';
import type { Sender } from '../shell/admission/limits.ts';
import type { PlainRoutes } from '../shell/plain-routes.ts';
import { parseFields } from '../../base/parse-json.ts';
import { validate } from '../shell/validate.ts';
import { requireUrlText } from '../shell/require-url-text.ts';
import { errorResponse } from '../shell/write-error.ts';

const ORGANIZATIONS_MAX = 50;
const WORKSPACES_MAX = 200;
const pageQuery = z.object(page);

export interface PersonalDeps {
  readonly db: Database;
  readonly log: Log;
  readonly clock: Clock;
  readonly settings: IdentitySettings;
}

type PersonalRoute = (session: Session, c: Context, body: Buffer) => Promise<unknown>;

/** Routes of the signed-in person, as in the rest of the web server's API. */
export function mountPersonalRoutes(routes: PlainRoutes, oauth: OAuthDeps, deps: PersonalDeps): void {
  const { db, log } = deps;
  const { publicUrl } = deps.settings;
  const identify = async (c: Context): Promise<Sender & { session: Session }> => {
    checkOrigin(c.req.raw, publicUrl);
    const session = await findSession(deps, c.req.raw.headers);
    if (!session) throw new AppError('unauthenticated');
    return { userId: session.user.id, session };
  };
  const on = (method: 'GET' | 'POST' | 'DELETE', path: string, answer: PersonalRoute): void => {
    const handle = async (c: Context, { session }: { session: Session }, body: Buffer): Promise<Response> => {
      requireUrlText(c.req.url);
      return Response.json(await answer(session, c, body), { headers: { 'cache-control': 'no-store' } });
    };
    const fail = (error: unknown): Response => errorResponse(error, log);
    const sends = method === 'POST' ? { body: 'oauth' as const } : {};
    routes.on({ method, path, cost: 'database', ...sends, identify, handle, fail });
  };

  on('GET', '/api/oauth/requests/:id', async (session, c) => showRequest(oauth, idOf(c), session));
  on('POST', '/api/oauth/requests/:id', async (session, c, body) =>
    answerRequest(
      oauth,
      { requestId: idOf(c), session, publicUrl },
      parseFields(body, c.req.header('content-type') ?? null),
    ),
  );
  on('GET', '/api/oauth/grants', ({ user }, c) =>
    listGrants(db, user.id, readPage(new URL(c.req.url).searchParams, 'grant')),
  );
  on('DELETE', '/api/oauth/grants/:id', async ({ user }, c) => {
    if (!(await revokeGrant(oauth, idOf(c), user.id))) throw new AppError('not_found');
    return { ok: true };
  });
}

/** Our ids consist of these characters; no other id exists. */
function idOf(c: Context): string {
  const id = c.req.param('id') ?? '';
  if (!/^[\w-]{1,64}$/.test(id)) throw new AppError('not_found');
  return id;
}

async function showRequest(deps: OAuthDeps, requestId: string, session: Session): Promise<Record<string, unknown>> {
  const request = await openRequest(deps, requestId, session.user.id);
  return {
    request: {
      id: request.id,
      client: describeClient(request),
      redirectHost: redirectHost(request.redirectUri),
      scopes: request.scopes,
      offline: request.offline,
      expiresAt: request.expiresAt.toISOString(),
      // Present if the request cannot be approved.
      ...(request.fault === undefined ? {} : { fault: request.fault }),
    },
    organizations: await choices(deps, session),
  };
}

/** Anyone can register any name; only a metadata document proves a host. */
function describeClient({ clientId, clientName, clientUri }: AuthorizationRequest): Record<string, unknown> {
  const host = URL.canParse(clientId) ? new URL(clientId).host : undefined;
  return {
    id: clientId,
    name: clientName,
    ...(clientUri === undefined ? {} : { uri: clientUri }),
    ...(host === undefined ? {} : { verifiedHost: host }),
  };
}

/** Only what the session opens: no client gets what its person may not reach now. */
async function choices({ db }: OAuthDeps, session: Session): Promise<unknown[]> {
  const { id: userId } = session.user;
  const closed = await listClosedOrganizations(db, session);
  const found = [];
  for (const { id: organizationId, slug, name, role } of (await listOrganizations(db, userId)).slice(
    0,
    ORGANIZATIONS_MAX,
  )) {
    if (closed.has(organizationId)) continue;
    const { workspaces } = await listWorkspaces(db, await getMembership(db, { userId, organizationId }), {
      limit: WORKSPACES_MAX,
    });
    // Owners see workspaces that they are not a member of, but a token for one would be useless.
    const joined = workspaces.filter((workspace) => workspace.role !== undefined);
    found.push({
      id: organizationId,
      slug,
      name,
      role,
      workspaces: joined.map(({ id: workspaceId, slug: workspaceSlug, name: workspaceName, kind }) => ({
        id: workspaceId,
        slug: workspaceSlug,
        name: workspaceName,
        kind,
      })),
    });
  }
  return found;
}

export const consentAnswer = z.discriminatedUnion('approve', [
  z.object({ approve: z.literal(false) }),
  z.strictObject({
    approve: z.literal(true),
    organization: id,
    workspace: id.optional(),
    scopes: z.array(scope).min(1).optional(),
  }),
]);

/** Where the browser is sent with the answer. */
async function answerRequest(
  deps: OAuthDeps,
  {
    requestId,
    session,
    publicUrl,
  }: { readonly requestId: string; readonly session: Session; readonly publicUrl: string },
  body: unknown,
): Promise<{ redirect: string }> {
  const { id: userId } = session.user;
  const answer = validate(consentAnswer, body);
  if (!answer.approve) {
    const request = await denyRequest(deps, requestId, userId);
    const { error, description } = request.fault ?? { error: 'access_denied', description: 'The person declined.' };
    return {
      redirect: withParameters(request.redirectUri, {
        error,
        error_description: description,
        state: request.state,
        iss: publicUrl,
      }),
    };
  }
  const { organization, workspace, scopes: asked } = answer;
  const pending = await openRequest(deps, requestId, userId);
  if (pending.fault) throw new AppError('invalid_request', { approve: pending.fault.description });
  const scopes = asked === undefined ? pending.scopes : narrowScopes(pending.scopes, asked);
  if (!scopes) throw new AppError('invalid_request', { scopes: 'must be among those that the client requested' });
  const membership = await getMembership(deps.db, { userId, organizationId: organization, workspaceId: workspace });
  await requireSecondFactor(deps.db, session, membership.organizationId);
  if (!membership.isWorkspaceMember) throw new AppError('workspace_membership_required');
  const { request, code } = await approveRequest(deps, requestId, userId, {
    organizationId: membership.organizationId,
    workspaceId: workspace === undefined ? undefined : membership.workspaceId,
    scopes,
  });
  return { redirect: withParameters(request.redirectUri, { code, state: request.state, iss: publicUrl }) };
}

/** For a list whose ids have the prefix. */
function readPage(query: URLSearchParams, prefix: string): z.infer<typeof pageQuery> {
  const wanted = validate(pageQuery, Object.fromEntries(filledQuery(query)));
  readIdCursor(wanted.cursor, prefix);
  return wanted;
}
