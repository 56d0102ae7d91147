// The proxy: finds the connection, renews its token when it has to, and asks the demo app. It never calls out: every
// upstream is the demo app of the connection's connector, whatever base URL is asked for.
import { answerDemoApp } from './demo/answer-demo-app.ts';
import { connectorOf } from './integrations.ts';
import { findLocalConnection } from './local-connections.ts';
import type { LocalDeps } from './local-settings.ts';
import type { createRefresher } from './refresh-connection.ts';

const MAX_BODY_BYTES = 2 * 1024 * 1024;
const PREFIX = '/proxy';

export async function proxyRequest(deps: LocalDeps, refresh: ReturnType<typeof createRefresher>, request: Request): Promise<Response> {
  const integration = request.headers.get('provider-config-key') ?? '';
  const connection = await findLocalConnection(deps, request.headers.get('connection-id') ?? '', integration);
  if (!connection) return refusal(404, 'unknown_connection');
  const refreshed = await refresh(connection);
  if ('refused' in refreshed) return refusal(refreshed.status, refreshed.refused);
  const body = Buffer.from(await request.arrayBuffer());
  if (body.length > MAX_BODY_BYTES) return refusal(413, 'payload_too_big');
  const connector = connectorOf(deps, { unique_key: integration, provider: connection.provider })?.id ?? integration;
  // The raw text after the prefix: a parsed URL would already have followed its dots.
  const target = request.url.slice(request.url.indexOf(PREFIX, new URL(request.url).origin.length) + PREFIX.length) || '/';
  return answerDemoApp(deps, { connector, method: request.method, target, body, credentials: refreshed.connection.credentials });
}

function refusal(status: number, code: string): Response {
  return Response.json({ error: { code } }, { status });
}
