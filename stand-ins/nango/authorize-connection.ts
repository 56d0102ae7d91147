// The OAuth 2 authorization code flow with PKCE, from the Connect page to the stored connection.
import { createHash } from 'node:crypto';
import { type Integration, connectorOf, findIntegration } from './integrations.ts';
import type { LocalDeps } from './local-settings.ts';
import { type Credentials, saveConnection } from './local-connections.ts';
import { connectedPage, problemPage } from './pages.ts';
import { demoClient, hashToken, newToken } from './secrets.ts';
import { findSessionByHash, type Session } from './sessions.ts';
import { sendWebhook } from './send-webhook.ts';
import { requestTokens } from './token-endpoint.ts';

/** Where to send the browser next. */
export async function beginAuthorization(
  { db, settings }: LocalDeps,
  session: Session,
  integration: Integration,
): Promise<string> {
  const [state, verifier] = [newToken('state'), newToken('verifier')];
  await db.query(
    'insert into :schema.authorization_request (state_hash, session_hash, integration, code_verifier) values ($1, $2, $3, $4)',
    [hashToken(state), session.hash, integration.unique_key, verifier],
  );
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: demoClient(settings.secretKey, integration.unique_key).id,
    redirect_uri: settings.callbackUrl,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  return `${settings.publicApiUrl}/demo/authorize?${query.toString()}`;
}

/** The callback. A state works once. */
export async function finishAuthorization(deps: LocalDeps, query: URLSearchParams): Promise<Response> {
  const { rows } = await deps.db.query<{ session_hash: Buffer; integration: string; code_verifier: string }>(
    'delete from :schema.authorization_request where state_hash = $1 returning session_hash, integration, code_verifier',
    [hashToken(query.get('state') ?? '')],
  );
  const [request] = rows;
  const session = request && (await findSessionByHash(deps.db, request.session_hash));
  const integration = request && (await findIntegration(deps, request.integration));
  if (!request || !session || !integration)
    return problemPage('This link has expired', 'Go back to the app and connect again.', 400);
  const code = query.get('code');
  if (code === null)
    return problemPage(
      'Nothing was connected',
      'The authorization was declined. Go back to the app to try again.',
      200,
    );
  const credentials = await requestTokens(deps, integration.unique_key, {
    grant_type: 'authorization_code',
    code,
    code_verifier: request.code_verifier,
    redirect_uri: deps.settings.callbackUrl,
  });
  if (!credentials)
    return problemPage(
      'The authorization failed',
      'The authorization server refused the code. Go back to the app and connect again.',
      502,
    );
  return completeConnection(deps, session, integration, credentials);
}

/** Stores the credentials, notifies the service, and shows a success page. */
export async function completeConnection(
  deps: LocalDeps,
  session: Session,
  integration: Integration,
  credentials: Credentials,
): Promise<Response> {
  const { connectionId, operation } = await saveConnection(deps, session, integration, credentials);
  const authMode = connectorOf(deps, integration)?.auth.mode ?? credentials.type;
  await sendWebhook(deps, {
    operation,
    success: true,
    connectionId,
    integration: integration.unique_key,
    provider: integration.provider,
    authMode,
    tags: session.tags,
    endUser: session.endUser,
  });
  return connectedPage(integration.display_name, deps.settings.appUrl);
}
