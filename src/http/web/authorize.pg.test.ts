// Every route of the web contract, called by everyone there is with a body that is not JSON: those who may not call it
// are refused as the table says before the body is parsed, the others reach their input.
import { traverseContractProcedures } from '@orpc/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addOrganization,
  addPerson,
  addSession,
  join,
  joinWorkspace,
  type Person,
  type TestOrganization,
} from '../../../test/support/people.ts';
import { type Answer, openTestWeb, PUBLIC_URL, type TestWeb } from '../../../test/support/http/web-app.ts';
import type { Authority, Need, WebRouteMeta } from '../../contract/authority.ts';
import { webContract } from '../../contract/contract.ts';
import { createWorkspace } from '../../tenancy/workspaces/create-workspace.ts';

/** Outsider, admin and owner are in the organization; insider and owner are in its workspace. */
const CALLERS = ['stranger', 'outsider', 'insider', 'admin', 'owner'] as const;
type CallerName = (typeof CALLERS)[number];
type Expected = readonly [404 | 'passes', ...(403 | 404 | 'passes')[]];

const ANYONE: Expected = ['passes', 'passes', 'passes', 'passes', 'passes'];
const MEMBERS: Expected = [404, 'passes', 'passes', 'passes', 'passes'];
const SETTINGS: Expected = [404, 403, 403, 'passes', 'passes'];
const SEES: Expected = [404, 404, 'passes', 'passes', 'passes'];
const MANAGES: Expected = [404, 404, 403, 'passes', 'passes'];

/** In the order of CALLERS. */
const EXPECTED: Readonly<Record<Need, Expected>> = {
  'signed-in': ANYONE,
  own: ANYONE,
  shared: ANYONE,
  project: ANYONE,
  'project:change': ANYONE,
  'project:manage': ANYONE,
  'project:take-over': ANYONE,
  // The statement that finds a prompt decides.
  'prompt:change': ANYONE,
  member: MEMBERS,
  'member-if-named': MEMBERS,
  'organization:owner': [404, 403, 403, 403, 'passes'],
  'organization:restore': ANYONE,
  'settings:general': SETTINGS,
  'settings:members': SETTINGS,
  'settings:members-or-oneself': SETTINGS,
  'settings:guardrails': SETTINGS,
  'settings:models': SETTINGS,
  'settings:policy': SETTINGS,
  'settings:feedback': SETTINGS,
  'settings:plan': SETTINGS,
  'settings:provisioning': [404, 403, 403, 403, 'passes'],
  'organization-scope': MEMBERS,
  'organization-scope:manage': SETTINGS,
  workspace: SEES,
  'workspace:manage': MANAGES,
  'workspace:manage-or-oneself': MANAGES,
  'workspace-member': [404, 404, 'passes', 403, 'passes'],
  'models-account:manage': MANAGES,
  'turn-scope': [404, 404, 'passes', 404, 'passes'],
  'key-scope': SEES,
  'key-scope:manage': MANAGES,
};

interface Route {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly authority: Authority;
}

const ROUTES: Route[] = [];
traverseContractProcedures({ router: webContract, path: [] }, ({ contract, path: names }) => {
  const { route, meta } = contract['~orpc'];
  const { method = 'POST', path = '/' } = route;
  ROUTES.push({ name: names.join('.'), method, path, authority: (meta as WebRouteMeta).authority });
});

let web: TestWeb;
let org: TestOrganization;
let team: string;
let people: Record<CallerName, Person & { session: string }>;

const placed = (): Record<string, string> => ({ organization: org.id, workspace: team });

beforeAll(async () => {
  web = await openTestWeb();
  const signIn = async (name: CallerName): Promise<Person & { session: string }> => {
    const person = await addPerson(web.db, name);
    return { ...person, session: await addSession(web.db, person) };
  };
  people = Object.fromEntries(
    await Promise.all(CALLERS.map(async (name) => [name, await signIn(name)] as const)),
  ) as typeof people;
  const { owner, admin, insider, outsider } = people;
  org = await addOrganization(web.db, owner);
  await join(web.db, org.id, admin, 'admin');
  for (const person of [insider, outsider]) await join(web.db, org.id, person, 'member');
  team = (await createWorkspace(web.db, { userId: owner.id, organizationId: org.id }, { name: 'Team' })).id;
  await joinWorkspace(web.db, org.id, team, insider, 'member');
});
afterAll(() => web.close());

const NOT_JSON = [400, { body: 'must be valid JSON' }];

interface Sending {
  readonly session?: string | undefined;
  /** Of the member whom the path names; the owner's when left out. */
  readonly user?: string;
}

async function send(route: Route, { session, user = people.owner.id }: Sending): Promise<[number, unknown]> {
  const ids: Record<string, string> = { org: org.id, ws: team, user };
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => ids[name] ?? 'unknown_1');
  const query = new URLSearchParams({ ...(route.authority.namedIn === 'query' ? placed() : {}), unheardOf: '1' });
  const request = new Request(`${PUBLIC_URL}${path}?${query}`, {
    method: route.method,
    headers: { 'content-type': 'application/json', ...(session ? { authorization: `Bearer ${session}` } : {}) },
    ...(route.method === 'GET' ? {} : { body: '{{' }),
  });
  const response = await web.app.fetch(request);
  const { error, details } = (await response.json()) as { error?: string; details?: unknown };
  return [response.status, details ?? error];
}

describe.each(ROUTES.filter(({ authority }) => authority.namedIn !== 'body'))('$name', (route) => {
  const { need } = route.authority;

  it('refuses anyone who is not signed in', async () => {
    expect(await send(route, {})).toEqual([401, 'unauthenticated']);
  });

  it.each(CALLERS.map((caller, at) => [EXPECTED[need][at], caller] as const))(
    'answers %s to the %s',
    async (expected, caller) => {
      const [status, fault] = await send(route, { session: people[caller].session });
      if (expected !== 'passes') expect(status).toBe(expected);
      else if (route.method === 'GET') expect([200, 400]).toContain(status);
      else expect([status, fault]).toEqual(NOT_JSON);
    },
  );
});

it.each(ROUTES.filter(({ authority }) => authority.need.endsWith('-or-oneself')))(
  '$name passes the member whom it is about',
  async (route) => {
    const { id: user, session } = people.insider;
    expect(await send(route, { session, user })).toEqual(NOT_JSON);
  },
);

describe.each(ROUTES.filter(({ authority }) => authority.namedIn === 'body'))('$name, by its body', (route) => {
  const { need } = route.authority;
  const ask = (caller: CallerName | undefined, body: object): Promise<Answer> =>
    web.call(
      route.method,
      route.path.replaceAll(/\{\w+\}/g, 'openai'),
      body,
      caller ? { authorization: `Bearer ${people[caller].session}` } : {},
    );

  it('refuses anyone who is not signed in, before the body is read', async () => {
    expect(await send(route, {})).toEqual([401, 'unauthenticated']);
  });

  it.each(CALLERS.map((caller, at) => [EXPECTED[need][at], caller] as const))(
    'answers %s to the %s, whatever else is wrong',
    async (expected, caller) => {
      const { status } = await ask(caller, { ...placed(), unheardOf: 1 });
      expect(status).toBe(expected === 'passes' ? 400 : expected);
    },
  );

  it('names every wrong field where the body names no place', async () => {
    expect(await ask('owner', { organization: 7, workspace: 7, unheardOf: 1 })).toMatchObject({
      status: 400,
      body: {
        details: { organization: expect.any(String), workspace: expect.any(String), unheardOf: expect.any(String) },
      },
    });
  });
});
