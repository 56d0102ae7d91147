// The upstream of the proxy: the demo apps. They check the credential as a real app would, and send the headers that
// callers use for paging and backing off.
import { createHash } from 'node:crypto';
import type { Credentials } from '../local-connections.ts';
import type { LocalDeps } from '../local-settings.ts';
import { isLiveToken } from './authorization-server.ts';
import { type DemoItems, openDemoItems } from './demo-items.ts';
import { DEMO_ROUTES } from './demo-routes.ts';

export interface UpstreamRequest {
  readonly connector: string;
  readonly method: string;
  /** Path and query as given to the proxy. */
  readonly target: string;
  readonly body: Buffer;
  readonly credentials: Credentials;
}

const RATE_LIMIT = 5_000;

/** On this path every demo app breaks off in the middle of its answer. */
const BROKEN_OFF_PATH = '/demo/broken-off';

export async function answerDemoApp(deps: LocalDeps, request: UpstreamRequest): Promise<Response | 'broken off'> {
  if (!(await isAuthorized(deps, request.credentials))) return json(401, { message: 'Bad credentials', demo: true });
  const url = new URL(request.target, 'http://demo.invalid');
  if (url.pathname === BROKEN_OFF_PATH) return 'broken off';
  const found = matchRoute(request.connector, request.method, url.pathname);
  const items: DemoItems = openDemoItems(deps.db);
  const body = parseBody(request.body);
  const answer = found
    ? await found.answer({ parts: found.parts, query: url.searchParams, body, items })
    : {
        demo: true,
        message: 'This demo app has no data for this path. This is the request it received.',
        connector: request.connector,
        method: request.method,
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        ...(request.body.length > 0 ? { body } : {}),
      };
  if (answer === undefined) return json(404, { message: 'Not Found', demo: true });
  return json(request.method === 'POST' && found ? 201 : 200, answer, Array.isArray(answer) ? nextPage(url) : {});
}

async function isAuthorized(deps: LocalDeps, credentials: Credentials): Promise<boolean> {
  switch (credentials.type) {
    case 'API_KEY':
      return credentials.apiKey !== '';
    case 'BASIC':
      return credentials.username !== '';
    case 'OAUTH2':
      return isLiveToken(deps, credentials.access_token);
  }
}

function matchRoute(
  connector: string,
  method: string,
  path: string,
): { answer: (typeof DEMO_ROUTES)[string][string]; parts: Record<string, string> } | undefined {
  for (const [pattern, answer] of Object.entries(
    (Object.hasOwn(DEMO_ROUTES, connector) && DEMO_ROUTES[connector]) || {},
  )) {
    const [verb = '', template = ''] = pattern.split(' ');
    if (verb !== method) continue;
    const names: string[] = [];
    const expression = template.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      names.push(name);
      return '([^/]+)';
    });
    const match = new RegExp(`^${expression}$`).exec(path);
    if (match)
      return { answer, parts: Object.fromEntries(names.map((name, index) => [name, decode(match[index + 1] ?? '')])) };
  }
  return undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function parseBody(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function nextPage(url: URL): Record<string, string> {
  const next = new URLSearchParams(url.searchParams);
  next.set('page', String((Number(url.searchParams.get('page') ?? 1) || 1) + 1));
  return { link: `<${url.pathname}?${next.toString()}>; rel="next"` };
}

function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  const text = JSON.stringify(body);
  return new Response(text, {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      etag: `"${createHash('sha256').update(text).digest('hex').slice(0, 16)}"`,
      'x-ratelimit-limit': String(RATE_LIMIT),
      'x-ratelimit-remaining': String(RATE_LIMIT - 1),
      'x-ratelimit-reset': String(Math.ceil(Date.now() / 3_600_000) * 3_600),
      ...headers,
    },
  });
}
