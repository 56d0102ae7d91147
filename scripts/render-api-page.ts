// docs/reference/api.md: every route of the printed contract in one table a subject.
import { openApiDocument } from '../src/http/openapi.ts';
import { AUTHORITY_EXTENSION } from '../src/http/reference/authority.ts';

interface Operation {
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Record<string, unknown>[];
  readonly [AUTHORITY_EXTENSION]?: string;
}

const CALLERS: Readonly<Record<string, string>> = {
  session: 'session',
  connectToken: 'connect token',
  webhookSignature: 'signature',
  deliverySignature: 'signature',
  debugToken: 'debug token',
};

export async function apiPage(): Promise<string> {
  const { paths = {}, tags: subjects = [] } = await openApiDocument('http://localhost:4000');
  const rows = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations as Record<string, Operation>).map(
      ([method, { summary = '', tags = [], security = [], [AUTHORITY_EXTENSION]: authority }]) => ({
        tag: tags[0] ?? '',
        authority,
        line: `| \`${method.toUpperCase()} ${path}\` | ${callerOf(security)} | ${summary.replaceAll('|', '\\|')} |`,
      }),
    ),
  );
  const byTag = Map.groupBy(rows, ({ tag }) => tag);
  const sections = subjects.map(({ name, description = '' }) => {
    const routes = byTag.get(name) ?? [];
    const saysWho = routes.some(({ authority }) => authority !== undefined);
    return [
      `## ${name}`,
      '',
      description,
      '',
      `| request | caller | |${saysWho ? ' who may call it |' : ''}`,
      `|---|---|---|${saysWho ? '---|' : ''}`,
      ...routes.map(({ line, authority = '' }) => (saysWho ? `${line} ${authority} |` : line)),
      '',
    ].join('\n');
  });
  return [
    '# HTTP interface',
    '',
    'Every route, as the gateway serves it. The whole description, with bodies and answers, is OpenAPI 3.1 at `/openapi.json` of a running service; `/docs/api` shows it as a page. This page is printed from the code by `npm run docs`.',
    '',
    'A *session* is the cookie of a signed-in browser, or the session token of `servicectl login` as bearer. A *connect token* is a bearer token from `POST /api/tokens` or from OAuth, with scopes. `/integrations`, `/integrations-connect` and `/oauth` belong to the integration provider and are not listed. Errors: [errors](errors.md).',
    '',
    ...sections,
  ].join('\n');
}

function callerOf(security: readonly Record<string, unknown>[]): string {
  // Each kind of caller has a scheme that comes first; the others are further forms of the same proof.
  return security
    .slice(0, 1)
    .flatMap((scheme) => Object.keys(scheme))
    .map((scheme) => CALLERS[scheme] ?? scheme)
    .join(', ');
}
