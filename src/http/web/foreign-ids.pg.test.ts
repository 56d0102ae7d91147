// An id of another organization and an id of nothing are answered byte for byte alike, on every route, for every
// parameter. The routes are read from the contract, so that a new one cannot be forgotten.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../base/ids.ts';
import { invitations, organizations } from '../../contract/organizations.ts';
import { tokens } from '../../contract/tokens.ts';
import { workspaces } from '../../contract/workspaces.ts';
import { createWorkspace } from '../../tenancy/workspaces/create-workspace.ts';
import { type Client, openTestWeb, type TestWeb } from '../../../test/support/http/web-app.ts';

interface Route {
  readonly method: string;
  readonly path: string;
}

function routesOf(contract: object): Route[] {
  const definition = (contract as { '~orpc'?: { route: Route } })['~orpc'];
  return definition ? [definition.route] : Object.values(contract).flatMap((part: object) => routesOf(part));
}

type Ids = Record<'org' | 'user' | 'ws' | 'invitation' | 'token', string>;

/** A valid body for each route that takes one; ids in it are tried like those in the path. */
const BODIES: Readonly<Record<string, (ids: Ids) => object>> = {
  'POST /api/organizations': () => ({ name: 'x' }),
  'PATCH /api/organizations/{org}': () => ({ name: 'x' }),
  'POST /api/organizations/{org}/members': () => ({ email: 'a@example.test', role: 'member' }),
  'PATCH /api/organizations/{org}/members/{user}': () => ({ role: 'admin' }),
  'POST /api/organizations/{org}/invitations': () => ({ email: 'a@example.test', role: 'member' }),
  'POST /api/organizations/{org}/workspaces': () => ({ name: 'x' }),
  'PATCH /api/workspaces/{ws}': () => ({ name: 'x' }),
  'POST /api/workspaces/{ws}/members': (ids) => ({ user: ids.user, role: 'member' }),
  'PATCH /api/workspaces/{ws}/members/{user}': () => ({ role: 'admin' }),
  'POST /api/tokens': (ids) => ({ organization: ids.org, workspace: ids.ws, scopes: ['chat'] }),
};
const QUERIES: Readonly<Record<string, (ids: Ids) => string>> = {
  'GET /api/tokens': (ids) => `?organization=${ids.org}`,
};

let web: TestWeb;
let owner: Client;
let mine: Ids;
let theirs: Ids & { slug: string };

async function settle(client: Client): Promise<Ids & { slug: string }> {
  const { organization } = (await client.call('POST', '/api/organizations', { name: 'Org' })).body as unknown as {
    organization: { id: string; slug: string };
  };
  const ws = await createWorkspace(web.db, { userId: client.id, organizationId: organization.id }, { name: 'Lab' });
  const { invitation } = (
    await client.call('POST', `/api/organizations/${organization.id}/invitations`, {
      email: `${newId('x')}@example.test`,
      role: 'member',
    })
  ).body as unknown as { invitation: { id: string } };
  const token = (
    await client.call('POST', '/api/tokens', { name: 't', organization: organization.id, scopes: ['chat'] })
  ).body as unknown as { id: string };
  return {
    org: organization.id,
    slug: organization.slug,
    user: client.id,
    ws: ws.id,
    invitation: invitation.id,
    token: token.id,
  };
}

beforeAll(async () => {
  web = await openTestWeb();
  owner = await web.signIn();
  const { slug: _slug, ...own } = await settle(owner);
  mine = own;
  theirs = await settle(await web.signIn());
});
afterAll(() => web.close());

const ROUTES = routesOf({ organizations, invitations, workspaces, tokens });
const CASES = ROUTES.flatMap(({ method, path }) => {
  const key = `${method} ${path}`;
  const uses = (name: keyof Ids): boolean => {
    const probe = { org: '1', user: '1', ws: '1', invitation: '1', token: '1' };
    const differs = (of: ((ids: Ids) => unknown) | undefined): boolean =>
      JSON.stringify(of?.(probe)) !== JSON.stringify(of?.({ ...probe, [name]: '2' }));
    return path.includes(`{${name}}`) || differs(BODIES[key]) || differs(QUERIES[key]);
  };
  return (['org', 'user', 'ws', 'invitation', 'token'] as const)
    .filter(uses)
    .map((parameter) => ({ key, method, path, parameter }));
});

async function ask({ key, method, path }: (typeof CASES)[number], ids: Ids): Promise<string> {
  const filled = path.replace(/\{(\w+)\}/g, (_match, name: keyof Ids) => encodeURIComponent(ids[name]));
  const { status, headers, text } = await owner.call(method, filled + (QUERIES[key]?.(ids) ?? ''), BODIES[key]?.(ids));
  return JSON.stringify({ status, headers: [...headers].sort(), text });
}

it('knows every route that takes an id', () => {
  expect(CASES.length).toBeGreaterThan(25);
  const changing = ROUTES.filter(({ method }) => method === 'PATCH' || method === 'PUT').map(
    ({ method, path }) => `${method} ${path}`,
  );
  expect(Object.keys(BODIES)).toEqual(expect.arrayContaining(changing));
});

it.each(CASES)('$key: a foreign $parameter is treated as nonexistent', async (route) => {
  const { parameter } = route;
  const random = newId(
    parameter === 'user' ? 'usr' : parameter === 'invitation' ? 'inv' : parameter === 'token' ? 'tok' : parameter,
  );
  const nothing = await ask(route, { ...mine, [parameter]: random });
  expect(JSON.parse(nothing)).toMatchObject({ status: 404 });
  const foreign = parameter === 'org' ? [theirs.org, theirs.slug] : [theirs[parameter]];
  for (const id of foreign) expect(await ask(route, { ...mine, [parameter]: id })).toBe(nothing);
});
