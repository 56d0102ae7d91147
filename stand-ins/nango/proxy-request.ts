// The proxy: finds the connection, renews its token if necessary, and calls the demo app. It makes no outgoing requests:
// every upstream is the demo app of the connection's connector, whatever base URL is requested.
import { answerDemoApp } from './demo/answer-demo-app.ts';
import { connectorOf, findIntegration } from './integrations.ts';
import { interpolateTarget } from './interpolate-target.ts';
import { findLocalConnection } from './local-connections.ts';
import type { LocalDeps } from './local-settings.ts';
import type { createRefresher, RefreshRefusal } from './refresh-connection.ts';

const MAX_BODY_BYTES = 2 * 1024 * 1024;
const PREFIX = '/proxy';

export async function proxyRequest(
  deps: LocalDeps,
  refresh: ReturnType<typeof createRefresher>,
  request: Request,
): Promise<Response> {
  const integration = request.headers.get('provider-config-key') ?? '';
  if (!(await findIntegration(deps, integration)))
    return refusal(404, 'unknown_provider_config', 'Provider config not found');
  const connection = await findLocalConnection(deps, request.headers.get('connection-id') ?? '', integration);
  if (!connection) return refusal(400, 'server_error', 'Failed to get connection');
  const refreshed = await refresh(connection);
  if ('refused' in refreshed) {
    const [code, message] = REFUSALS[refreshed.refused];
    return refusal(refreshed.status, code, message);
  }
  const body = Buffer.from(await request.arrayBuffer());
  if (body.length > MAX_BODY_BYTES) return refusal(413, 'payload_too_big', 'The body is too large');
  const connector = connectorOf(deps, { unique_key: integration, provider: connection.provider })?.id ?? integration;
  // The raw text after the prefix: parsing the URL would already have resolved dot segments.
  const target =
    request.url.slice(request.url.indexOf(PREFIX, new URL(request.url).origin.length) + PREFIX.length) || '/';
  const { credentials } = refreshed.connection;
  const answer = await answerDemoApp(deps, {
    connector,
    method: request.method,
    target: interpolateTarget(readable(target), credentials),
    body,
    credentials,
  });
  // An app that breaks off results in an empty 500. Some success statuses become 200, as with the real proxy.
  if (answer === 'broken off') return new Response(null, { status: 500 });
  return BUFFERED_AS_200.has(answer.status)
    ? new Response(answer.body, { status: 200, headers: answer.headers })
    : answer;
}

const BUFFERED_AS_200: ReadonlySet<number> = new Set([201, 202, 203, 206]);

/** Template characters that an HTTP client may have encoded on the way. */
function readable(target: string): string {
  return target
    .replaceAll(/(?:%24|\$)(?:%7b|\{)/gi, () => '${')
    .replaceAll(/%7d/gi, '}')
    .replaceAll(/%7c%7c/gi, '||');
}

/** Codes and texts of a real provider, by which callers tell them from an app's answer. */
const REFUSALS = {
  failed: [
    'server_error',
    "Failed to get connection credentials: 'The authorization server refused the refresh token.'",
  ],
  'backing off': ['connection_refresh_backoff', 'A recent refresh attempt failed. Backing off before retrying.'],
  exhausted: ['server_error', "Failed to get connection credentials: 'Renewing was refused too often.'"],
} as const satisfies Record<RefreshRefusal, readonly [string, string]>;

function refusal(status: number, code: string, message: string): Response {
  return Response.json({ error: { code, message } }, { status });
}
