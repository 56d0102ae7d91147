// A named workspace that a member of the organization is not in, and a workspace of nobody, are answered byte for byte
// alike, by every route that takes a workspace. The routes are read from the contract, so that a new one cannot be forgotten.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addOrganization, join } from '../../../test/support/people.ts';
import { openSettingsWeb, type SettingsWeb, type Client } from '../../../test/support/http/web-app.ts';
import { newId } from '../../base/ids.ts';
import { webContract } from '../../contract/contract.ts';
import { createWorkspace } from '../../tenancy/workspaces/create-workspace.ts';

interface Route {
  readonly key: string;
  readonly takes: readonly string[];
}

interface Place {
  readonly org: string;
  readonly ws: string;
  readonly user: string;
}

type Schema = { readonly shape?: Record<string, Schema> };
const WORKSPACE_FIELDS = ['ws', 'workspace'];

function routesOf(contract: object): Route[] {
  const definition = (contract as { '~orpc'?: { route: { method: string; path: string }; inputSchema?: Schema } })[
    '~orpc'
  ];
  if (!definition) return Object.values(contract).flatMap((part: object) => routesOf(part));
  return [
    {
      key: `${definition.route.method} ${definition.route.path}`,
      takes: fieldsOf(definition.inputSchema).filter((field) => WORKSPACE_FIELDS.includes(field)),
    },
  ];
}

/** Also of routes that take path and query apart. */
function fieldsOf(schema: Schema | undefined): string[] {
  return Object.entries(schema?.shape ?? {}).flatMap(([name, inner]) => [name, ...fieldsOf(inner)]);
}

const ACCOUNT = { baseUrl: 'https://models.example.test/v1', key: 'x', models: ['*'] };

/** What is sent besides the workspace in the path; every route that takes a workspace has a row. */
const REQUESTS: Readonly<
  Record<string, (lookup: Place) => { readonly query?: string; readonly body?: object; readonly provider?: string }>
> = {
  'GET /api/workspaces/{ws}': () => ({}),
  'PATCH /api/workspaces/{ws}': () => ({ body: { name: 'x' } }),
  'DELETE /api/workspaces/{ws}': () => ({}),
  'GET /api/workspaces/{ws}/members': () => ({}),
  'POST /api/workspaces/{ws}/members': ({ user }) => ({ body: { user, role: 'member' } }),
  'PATCH /api/workspaces/{ws}/members/{user}': () => ({ body: { role: 'admin' } }),
  'DELETE /api/workspaces/{ws}/members/{user}': () => ({}),
  'POST /api/tokens': ({ org, ws }) => ({ body: { organization: org, workspace: ws, scopes: ['chat'] } }),
  'GET /api/provider-keys': ({ ws }) => ({ query: `?workspace=${ws}` }),
  'PUT /api/provider-keys/{provider}': ({ org, ws }) => ({
    body: { organization: org, workspace: ws, key: 'sk-of-a-test' },
  }),
  'DELETE /api/provider-keys/{provider}': ({ org, ws }) => ({ query: `?organization=${org}&workspace=${ws}` }),
  'GET /api/workspaces/{ws}/models-account': () => ({}),
  'PUT /api/workspaces/{ws}/models-account': () => ({ body: ACCOUNT }),
  'DELETE /api/workspaces/{ws}/models-account': () => ({}),
  'GET /api/workspaces/{ws}/models-accounts': () => ({}),
  'POST /api/workspaces/{ws}/models-accounts': () => ({ body: ACCOUNT }),
  'PUT /api/workspaces/{ws}/models-accounts': () => ({ body: { order: [] } }),
  'PUT /api/workspaces/{ws}/models-accounts/{account}': () => ({ body: ACCOUNT }),
  'DELETE /api/workspaces/{ws}/models-accounts/{account}': () => ({}),
  'GET /api/models': ({ ws }) => ({ query: `?workspace=${ws}` }),
  'GET /api/projects': ({ org, ws }) => ({ query: `?organization=${org}&workspace=${ws}` }),
  'POST /api/projects': ({ org, ws }) => ({ body: { organization: org, workspace: ws, name: 'x' } }),
  'POST /api/imports': ({ org, ws }) => ({ body: { organization: org, workspace: ws, name: 'x.zip', size: 4 } }),
  'GET /api/prompts': ({ org, ws }) => ({ query: `?organization=${org}&workspace=${ws}` }),
  'POST /api/prompts': ({ org, ws }) => ({ body: { organization: org, workspace: ws, name: 'x', text: 'x' } }),
  'GET /api/threads': ({ org, ws }) => ({ query: `?organization=${org}&workspace=${ws}` }),
  'GET /api/threads/search': ({ org, ws }) => ({ query: `?organization=${org}&workspace=${ws}&q=x` }),
};

/** The same for invalid input: a validation error must not reveal anything either. */
const INVALID: Readonly<Record<string, (lookup: Place) => { readonly query?: string; readonly body?: object }>> = {
  'PATCH /api/workspaces/{ws}': () => ({ body: { name: 7 } }),
  'POST /api/workspaces/{ws}/members': () => ({ body: {} }),
  'PATCH /api/workspaces/{ws}/members/{user}': () => ({ body: {} }),
  'PUT /api/workspaces/{ws}/models-account': () => ({ body: {} }),
  'POST /api/workspaces/{ws}/models-accounts': () => ({ body: {} }),
  'PUT /api/workspaces/{ws}/models-accounts': () => ({ body: {} }),
  'PUT /api/workspaces/{ws}/models-accounts/{account}': () => ({ body: {} }),
  'PUT /api/provider-keys/{provider}': ({ org, ws }) => ({ body: { organization: org, workspace: ws, key: 7 } }),
  'POST /api/projects': ({ org, ws }) => ({ body: { organization: org, workspace: ws, name: 7 } }),
  'POST /api/prompts': ({ org, ws }) => ({ body: { organization: org, workspace: ws, name: 7 } }),
  'POST /api/imports': ({ org, ws }) => ({ body: { organization: org, workspace: ws, name: 7 } }),
};

/** Narrow a list of what the caller has or sees, which is then empty. */
const NARROWED = ['GET /api/threads', 'GET /api/threads/search', 'GET /api/projects', 'GET /api/prompts'];

const ROUTES = routesOf(webContract).filter(({ takes }) => takes.length > 0);

let web: SettingsWeb;
let member: Client;
let hidden: Place & { slug: string };

beforeAll(async () => {
  web = await openSettingsWeb();
  const owner = await web.signIn();
  const { id: org } = await addOrganization(web.db, owner);
  member = await web.signIn();
  await join(web.db, org, member, 'member');
  const workspace = await createWorkspace(web.db, { userId: owner.id, organizationId: org }, { name: 'Lab' });
  hidden = { org, ws: workspace.id, user: member.id, slug: workspace.slug };
});
afterAll(() => web.close());

async function ask(key: string, table: typeof REQUESTS, lookup: Place): Promise<{ status: number; text: string }> {
  const [method = '', path = ''] = key.split(' ');
  const { query = '', body } = table[key]?.(lookup) ?? {};
  const filled = path.replace('{ws}', lookup.ws).replace('{user}', lookup.user).replace('{provider}', 'openai');
  const { status, text } = await member.call(method, filled + query, body);
  return { status, text };
}

it('knows every route that takes a workspace', () => {
  expect(ROUTES.map(({ key }) => key).toSorted()).toEqual(Object.keys(REQUESTS).toSorted());
});

it.each([
  ...Object.keys(REQUESTS).map((key) => ({ key, what: 'a request', table: REQUESTS })),
  ...Object.keys(INVALID).map((key) => ({ key, what: 'one that is not valid', table: INVALID })),
])('$key: $what to a hidden workspace is one to no workspace at all', async ({ key, table }) => {
  const nothing = await ask(key, table, { ...hidden, ws: newId('ws') });
  expect(NARROWED.includes(key) ? [200] : [400, 404]).toContain(nothing.status);
  expect(await ask(key, table, hidden)).toEqual(nothing);
});
