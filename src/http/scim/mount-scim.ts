// SCIM 2.0 for the identity providers of organizations. The caller is a token of one organization, and everything happens
// within it; no cookie and no session counts here.
import type { Context, Env } from 'hono';
import { AppError } from '../../base/errors.ts';
import { parseJson } from '../../base/parse-json.ts';
import type { Log } from '../../telemetry/log.ts';
import { noteRequest } from '../../telemetry/request-scope.ts';
import { readAuthorization } from '../../net/authorization.ts';
import { SCIM_PATH } from '../../scim/protocol/schema-names.ts';
import { ScimError } from '../../scim/scim-error.ts';
import type { ScimDeps } from '../../scim/scim-deps.ts';
import { findScimToken } from '../../scim/tokens/find-scim-token.ts';
import type { Sender } from '../shell/admission/limits.ts';
import type { PlainRoutes } from '../shell/plain-routes.ts';
import { requireUrlText } from '../shell/require-url-text.ts';
import { discoveryRoutes } from './discovery-routes.ts';
import { groupRoutes } from './group-routes.ts';
import { scimFailure } from './scim-answer.ts';
import type { ScimRoutes } from './scim-routes.ts';
import { userRoutes } from './user-routes.ts';

export interface MountScimDeps extends ScimDeps {
  readonly log: Log;
  readonly publicUrl: string;
}

interface ScimSender extends Sender {
  readonly organizationId: string;
}

export function mountScim(routes: PlainRoutes, deps: MountScimDeps): void {
  const { db, clock, log } = deps;

  async function identify(c: Context<Env, string>): Promise<ScimSender> {
    requireUrlText(c.req.url);
    const authorization = readAuthorization(c.req.raw.headers);
    const token = authorization.kind === 'bearer' ? await findScimToken(db, clock, authorization.token) : undefined;
    if (!token) throw new AppError('unauthenticated');
    noteRequest({ organization: token.organizationId });
    return { userId: token.id, organizationId: token.organizationId };
  }

  const shared = {
    cost: 'database' as const,
    attempt: 'scim' as const,
    identify,
    fail: (error: unknown) => scimFailure(error, log),
  };
  const base = `${deps.publicUrl}${SCIM_PATH}`;
  const all: ScimRoutes = { ...discoveryRoutes(base), ...userRoutes(deps, base), ...groupRoutes(deps, base) };
  for (const [name, handler] of Object.entries(all)) {
    const [method, path] = name.split(' ') as ['GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', string];
    routes.on({
      ...shared,
      method,
      path: `${SCIM_PATH}${path}`,
      ...(['POST', 'PUT', 'PATCH'].includes(method) ? { body: 'json' as const } : {}),
      handle: (c, { organizationId }, content) =>
        handler({
          organizationId,
          id: c.req.param('id') ?? '',
          query: new URL(c.req.url).searchParams,
          body: () => parseJson(content),
        }),
    });
  }
  routes.on({
    ...shared,
    method: 'ALL',
    path: `${SCIM_PATH}/*`,
    handle: () => {
      throw new ScimError(404, 'There is nothing here. See ServiceProviderConfig for what is supported.');
    },
  });
}
