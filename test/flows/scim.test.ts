// The requests that Okta and Entra ID send, word by word, through the gateway, and what they end: a session, a token, an
// open stream and a run of the person who is deactivated.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '../support/http-client.ts';
import { addPerson, addSession, join, type Person } from '../support/people.ts';
import { openRuntimeStand, type RuntimeStand } from '../support/runs/runtime-stand.ts';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

let stand: RuntimeStand;
let scimToken: string;
beforeAll(async () => {
  stand = await openRuntimeStand();
  await stand.start('api');
  const parts = ['broker', 'web', 'driver', 'worker-chat'] as const;
  await Promise.all(parts.map((part) => stand.start(part)));
  await stand.start('gateway');
  const session = await addSession(stand.db, stand.owner);
  const { status, body } = await ask('POST', `/api/organizations/${stand.organization.id}/scim-tokens`, session);
  if (status !== 201) throw new Error(`the token was answered with ${status}`);
  scimToken = body.token;
});
afterAll(() => stand?.close());

async function ask(
  method: string,
  path: string,
  bearer: string,
  body?: unknown,
): Promise<{ status: number; body: Body }> {
  const response = await fetch(`${stand.gatewayUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${bearer}`,
      accept: 'application/scim+json',
      ...(body === undefined ? {} : { 'content-type': 'application/scim+json; charset=utf-8' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}

const scim = (method: string, path: string, body?: unknown) => ask(method, `/api/scim/v2${path}`, scimToken, body);
const eq = (attribute: string, value: string): string => `filter=${encodeURIComponent(`${attribute} eq "${value}"`)}`;

/** Everything by which a person acts here, and whether each still works. */
async function everywhere(person: Person) {
  const session = await addSession(stand.db, person);
  const json = async (path: string, body: object): Promise<Body> => {
    const response = await fetch(`${stand.gatewayUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${session}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(201);
    return (await response.json()) as Body;
  };
  const { token } = await json('/api/tokens', {
    name: 'of mine',
    organization: stand.organization.id,
    scopes: ['chat', 'jobs:read', 'jobs:write'],
  });
  const stream = await fetch(`${stand.gatewayUrl}/api/changes?organization=${stand.organization.id}`, {
    headers: { authorization: `Bearer ${session}` },
  });
  expect(stream.status).toBe(200);
  const ended = (async () => {
    for await (const _ of stream.body ?? []) continue;
  })().catch(() => {});
  const { status, body } = await stand.request('POST', '/agents/factory/jobs', {
    token,
    body: { objective: 'sleep 600000' },
  });
  expect(status).toBe(202);
  await stand.until(body.job.id, 'running');
  return {
    ended,
    run: body.job.id as string,
    opens: async () => ({
      session: (await ask('GET', '/api/me', session)).status === 200,
      organization: (await ask('GET', `/api/organizations/${stand.organization.id}/members`, session)).status === 200,
      token: (await stand.request('GET', '/jobs', { token })).status === 200,
    }),
  };
}

describe('Okta', () => {
  const userName = 'ada.lovelace@okta.example.test';
  const ada = {
    schemas: [USER],
    userName,
    name: { givenName: 'Ada', familyName: 'Lovelace' },
    emails: [{ primary: true, value: userName, type: 'work' }],
    displayName: 'Ada Lovelace',
    locale: 'en-US',
    externalId: '00u1b2c3',
    groups: [],
    active: true,
  };
  let id: string;

  it('tests the connection, looks for the person and creates them', async () => {
    expect((await scim('GET', '/Users?startIndex=1&count=2')).body).toMatchObject({ startIndex: 1, totalResults: 1 });
    expect((await scim('GET', '/Groups?startIndex=1&count=100')).body).toMatchObject({ totalResults: 0 });
    expect((await scim('GET', `/Users?${eq('userName', userName)}&startIndex=1&count=100`)).body).toMatchObject({
      totalResults: 0,
      Resources: [],
    });
    const made = await scim('POST', '/Users', ada);
    const { locale: _notKept, ...kept } = ada;
    expect(made).toMatchObject({ status: 201, body: { ...kept, id: expect.stringMatching(/^usr_/) } });
    expect(made.body).not.toHaveProperty('locale');
    ({ id } = made.body);
    expect((await scim('POST', '/Users', ada)).body).toMatchObject({ status: '409', scimType: 'uniqueness' });
  });

  it('replaces the profile and pushes a group', async () => {
    const { body } = await scim('GET', `/Users/${id}`);
    const renamed = { ...body, name: { ...body.name, familyName: 'King' }, displayName: 'Ada King' };
    expect(await scim('PUT', `/Users/${id}`, renamed)).toMatchObject({
      status: 200,
      body: { id, externalId: ada.externalId, displayName: 'Ada King', active: true },
    });
    const group = await scim('POST', '/Groups', { schemas: [GROUP], displayName: 'Engineers', members: [] });
    expect(group.status).toBe(201);
    const patch = (...Operations: object[]) =>
      scim('PATCH', `/Groups/${group.body.id}`, { schemas: [PATCH], Operations });
    expect((await patch({ op: 'replace', value: { id: group.body.id, displayName: 'Engineering' } })).status).toBe(204);
    expect((await patch({ op: 'add', path: 'members', value: [{ value: id, display: userName }] })).status).toBe(204);
    expect((await scim('GET', `/Groups/${group.body.id}`)).body).toMatchObject({
      displayName: 'Engineering',
      members: [{ value: id }],
    });
    expect((await patch({ op: 'remove', path: `members[value eq "${id}"]` })).status).toBe(204);
    expect((await scim('GET', `/Groups/${group.body.id}`)).body.members).toEqual([]);
  });

  it('deactivates the person, which ends everything of theirs at once, and brings them back', async () => {
    const { opens, ended, run } = await everywhere({ id, name: 'Ada King', email: userName });
    expect(await opens()).toEqual({ session: true, organization: true, token: true });
    const setActive = (active: boolean) =>
      scim('PATCH', `/Users/${id}`, { schemas: [PATCH], Operations: [{ op: 'replace', value: { active } }] });
    expect(await setActive(false)).toMatchObject({ status: 200, body: { id, active: false } });
    expect(await opens()).toEqual({ session: false, organization: false, token: false });
    await ended;
    expect(await stand.until(run, 'aborted')).toMatchObject({ status: 'aborted' });
    expect(await setActive(true)).toMatchObject({ status: 200, body: { id, active: true } });
    // What was ended stays so: they sign in again.
    expect(await opens()).toEqual({ session: false, organization: false, token: false });
    expect((await ask('GET', '/api/me', await addSession(stand.db, { id } as Person))).body).toMatchObject({
      organizations: [{ id: stand.organization.id, role: 'member' }],
    });
  });
});

describe('Entra ID', () => {
  const mail = 'grace.hopper@entra.example.test';
  const userName = 'grace.hopper@corp.example.test';
  let id: string;

  it('tests the connection with someone who is not there, and creates the person', async () => {
    const probe = await scim('GET', `/Users?${eq('userName', '0f8fad5b-d9cb-469f-a165-70867728950e')}`);
    expect(probe).toMatchObject({ status: 200, body: { totalResults: 0, Resources: [] } });
    expect((await scim('GET', `/Users?${eq('externalId', 'grace')}`)).body.totalResults).toBe(0);
    const made = await scim('POST', '/Users', {
      schemas: [USER, ENTERPRISE],
      externalId: 'grace',
      userName,
      active: true,
      addresses: [{ primary: false, type: 'work', country: 'US' }],
      displayName: 'Grace Hopper',
      emails: [{ primary: true, type: 'work', value: mail }],
      meta: { resourceType: 'User' },
      name: { formatted: 'Grace Hopper', familyName: 'Hopper', givenName: 'Grace' },
      roles: [],
      [ENTERPRISE]: { department: 'Navy' },
    });
    expect(made).toMatchObject({
      status: 201,
      body: { userName, emails: [{ value: mail, type: 'work', primary: true }] },
    });
    ({ id } = made.body);
    expect((await scim('GET', `/Users?${eq('userName', userName.toUpperCase())}`)).body.Resources).toHaveLength(1);
    expect((await scim('GET', `/Users?${eq('emails[type eq "work"].value', mail)}`)).body.Resources).toHaveLength(1);
  });

  it('changes attributes in its own forms', async () => {
    const changed = await scim('PATCH', `/Users/${id}`, {
      schemas: [PATCH],
      Operations: [
        { op: 'Replace', path: 'name.familyName', value: 'Murray' },
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'g.murray@entra.example.test' },
        { op: 'Add', path: `${ENTERPRISE}:manager`, value: 'usr_of-another' },
        {
          op: 'Add',
          value: { displayName: 'Grace Murray', 'name.formatted': 'Grace Murray', [`${ENTERPRISE}:department`]: 'R' },
        },
        { op: 'Remove', path: 'externalId' },
      ],
    });
    expect(changed).toMatchObject({
      status: 200,
      body: {
        displayName: 'Grace Murray',
        name: { formatted: 'Grace Murray', familyName: 'Murray', givenName: 'Grace' },
        emails: [{ value: 'g.murray@entra.example.test' }],
      },
    });
    expect(changed.body).not.toHaveProperty('externalId');
  });

  it('keeps a group, which it reads without its members', async () => {
    const at = `/Groups?excludedAttributes=members&${eq('displayName', 'Compilers')}`;
    expect((await scim('GET', at)).body.totalResults).toBe(0);
    const made = await scim('POST', '/Groups', {
      schemas: [GROUP, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: '8aa1a0c0',
      displayName: 'Compilers',
      meta: { resourceType: 'Group' },
    });
    expect(made.status).toBe(201);
    const patch = (...Operations: object[]) =>
      scim('PATCH', `/Groups/${made.body.id}`, { schemas: [PATCH], Operations });
    expect((await patch({ op: 'Add', path: 'members', value: [{ $ref: null, value: id }] })).status).toBe(204);
    const { body } = await scim('GET', at);
    expect(body).toMatchObject({ totalResults: 1, Resources: [{ id: made.body.id, displayName: 'Compilers' }] });
    expect(body.Resources[0]).not.toHaveProperty('members');
    expect((await patch({ op: 'Remove', path: 'members', value: [{ $ref: null, value: id }] })).status).toBe(204);
    expect((await scim('GET', `/Groups/${made.body.id}`)).body.members).toEqual([]);
    expect((await scim('DELETE', `/Groups/${made.body.id}`)).status).toBe(204);
  });

  it('switches off someone who was here before: this organization ends for them, and nothing else', async () => {
    const person = await join(stand.db, stand.organization.id, await addPerson(stand.db, 'before'), 'member');
    const { opens, ended, run } = await everywhere(person);
    const off = { schemas: [PATCH], Operations: [{ op: 'Replace', path: 'active', value: 'False' }] };
    expect(await scim('PATCH', `/Users/${person.id}`, off)).toMatchObject({ status: 200, body: { active: false } });
    expect(await opens()).toEqual({ session: true, organization: false, token: false });
    await ended;
    expect(await stand.until(run, 'aborted')).toMatchObject({
      status: 'aborted',
      error: expect.stringMatching(/membership_removed|token_revoked/),
    });
  });

  it('deletes softly, and for good later', async () => {
    const off = { schemas: [PATCH], Operations: [{ op: 'Replace', path: 'active', value: 'False' }] };
    expect((await scim('PATCH', `/Users/${id}`, off)).body).toMatchObject({ active: false });
    expect((await scim('GET', `/Users/${id}`)).body).toMatchObject({ id, active: false });
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204);
    expect(await scim('GET', `/Users/${id}`)).toMatchObject({ status: 404, body: { status: '404' } });
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(404);
  });
});
