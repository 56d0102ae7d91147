// What an identity provider may do in the organization of its token, and that it reaches nothing else.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Client, openTestWeb, type TestWeb } from '../../../test/support/http/web-app.ts';
import { setPlan } from '../../tenancy/organizations/set-plan.ts';

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';
const at = '/api/scim/v2';

let web: TestWeb;
let count = 0;
beforeAll(async () => {
  web = await openTestWeb();
});
afterAll(() => web.close());

const address = (): string => `person${++count}.${Date.now()}@example.test`;
const patchOf = (...Operations: object[]): object => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
});
const setActive = (active: boolean): object => patchOf({ op: 'replace', value: { active } });

interface Scim {
  readonly owner: Client;
  readonly org: string;
  readonly token: string;
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Provisions a new person. */
  provision(fields?: object): Promise<{ id: string; email: string }>;
}

async function openScim(owner?: Client, plan: 'free' | 'business' = 'business'): Promise<Scim> {
  const person = owner ?? (await web.signIn());
  const { body } = await person.call('POST', '/api/organizations', { name: 'Acme' });
  const org = (body as unknown as { organization: { id: string } }).organization.id;
  await setPlan(web.db, org, plan);
  const made = await person.call('POST', `/api/organizations/${org}/scim-tokens`);
  expect(made.status).toBe(201);
  const { token, url } = made.body as unknown as { token: string; url: string };
  expect(url).toBe(`http://localhost:4000${at}`);
  const call: Scim['call'] = (method, path, sent) =>
    web.call(method, `${at}${path}`, sent, { authorization: `Bearer ${token}` });
  return {
    owner: person,
    org,
    token,
    call,
    async provision(fields = {}) {
      const email = address();
      const answer = await call('POST', '/Users', { userName: email, ...fields });
      expect(answer.status, answer.text).toBe(201);
      return { id: (answer.body as unknown as { id: string }).id, email };
    },
  };
}

const refused = (status: number, scimType?: string) => ({
  status,
  body: { schemas: [ERROR], status: String(status), detail: expect.any(String), ...(scimType ? { scimType } : {}) },
});

async function sessionOf(userId: string): Promise<string> {
  const { addSession } = await import('../../../test/support/people.ts');
  return addSession(web.db, { id: userId, name: '', email: '' });
}

const me = (session: string): Promise<Answer> =>
  web.call('GET', '/api/me', undefined, { authorization: `Bearer ${session}` });

describe('the token', () => {
  it('is made by an owner who has just proved who they are, twice at most, and opens nothing once it is revoked', async () => {
    const { owner, org, call } = await openScim();
    const tokens = `/api/organizations/${org}/scim-tokens`;
    const second = await owner.call('POST', tokens);
    expect(await owner.call('POST', tokens)).toMatchObject({ status: 409, body: { error: 'too_many_scim_tokens' } });
    const { id } = second.body as unknown as { id: string };
    expect((await owner.call('DELETE', `${tokens}/${id}`)).status).toBe(200);
    await web.db.query("update :schema.identity_session set proved_at = now() - interval '1 hour' where user_id = $1", [
      owner.id,
    ]);
    expect(await owner.call('POST', tokens)).toMatchObject({ status: 403, body: { error: 'proof_required' } });
    expect((await call('GET', '/Users')).status).toBe(200);
    const { body } = await owner.call('GET', tokens);
    const [listed] = (body as unknown as { tokens: { id: string; lastUsedAt: string }[] }).tokens;
    expect(listed).toEqual({
      id: expect.any(String),
      createdAt: expect.any(String),
      createdBy: 'person',
      lastUsedAt: expect.any(String),
    });
    expect((await owner.call('DELETE', `${tokens}/${listed?.id}`)).status).toBe(200);
    expect(await call('GET', '/Users')).toMatchObject(refused(401));
  });

  it('is the only thing that opens the interface, and opens nothing else', async () => {
    const { owner, org, token, call } = await openScim();
    for (const headers of [{}, { authorization: 'Bearer scim_x' }, { authorization: 'Basic eDp5' }])
      expect(await web.call('GET', `${at}/Users`, undefined, headers)).toMatchObject(refused(401));
    expect(await owner.call('GET', `${at}/Users`)).toMatchObject(refused(401));
    expect((await me(token)).status).toBe(401);
    expect(await call('GET', '/Nothing')).toMatchObject(refused(404));
    await web.db.query('update :schema.organization set disabled_at = now() where id = $1', [org]);
    expect((await call('GET', '/Users')).status).toBe(401);
  });

  it('reaches its own organization only', async () => {
    const [mine, other] = [await openScim(), await openScim()];
    const { id } = await other.provision();
    const group = (await other.call('POST', '/Groups', { displayName: 'Ops' })).body as unknown as { id: string };
    for (const path of [`/Users/${id}`, `/Groups/${group.id}`, '/Users/usr_1', '/Users/%27']) {
      expect(await mine.call('GET', path)).toMatchObject(refused(404));
      expect(await mine.call('DELETE', path)).toMatchObject(refused(404));
      const rename = patchOf({ op: 'replace', path: 'displayName', value: 'Mine' });
      expect(await mine.call('PATCH', path, rename)).toMatchObject(refused(404));
      expect(await mine.call('PUT', path, { userName: 'x@y.co', displayName: 'Mine' })).toMatchObject(refused(404));
    }
    expect(await mine.call('POST', '/Groups', { displayName: 'Ops', members: [{ value: id }] })).toMatchObject(
      refused(400, 'invalidValue'),
    );
    expect((await mine.call('GET', '/Groups')).body).toMatchObject({ totalResults: 0, Resources: [] });
  });
});

describe('a user', () => {
  it('is read in pages, by filters, and with the attributes that were asked for', async () => {
    const { call, provision, owner } = await openScim();
    const ids = [await provision({ externalId: 'e-1', displayName: 'Ada' }), await provision(), await provision()];
    const page = await call('GET', '/Users?startIndex=2&count=2');
    expect(page.headers.get('content-type')).toBe('application/scim+json; charset=utf-8');
    expect(page.body).toMatchObject({ totalResults: 4, startIndex: 2, itemsPerPage: 2 });
    expect((await call('GET', '/Users?startIndex=0&count=0')).body).toMatchObject({
      totalResults: 4,
      startIndex: 1,
      Resources: [],
    });
    expect((await call('GET', '/Users?startIndex=9')).body).toMatchObject({ totalResults: 4, Resources: [] });
    const find = async (filter: string): Promise<string[]> => {
      const { body, status, text } = await call('GET', `/Users?filter=${encodeURIComponent(filter)}`);
      expect(status, text).toBe(200);
      return (body as unknown as { Resources: { id: string }[] }).Resources.map(({ id }) => id);
    };
    const [ada] = ids;
    for (const filter of [
      `userName eq "${ada?.email.toUpperCase()}"`,
      `emails[type eq "work"].value eq "${ada?.email}"`,
      `id eq "${ada?.id}" and active eq true`,
      'externalId eq "e-1"',
      'displayName eq "ADA"',
    ])
      expect(await find(filter)).toEqual([ada?.id]);
    // Members whom it did not make are there for it to find.
    expect(await find(`userName eq "${owner.email}"`)).toEqual([owner.id]);
    expect(await find('userName eq "no-one@example.test"')).toEqual([]);
    expect(await call('GET', '/Users?filter=userName%20co%20%22a%22')).toMatchObject(refused(400, 'invalidFilter'));
    expect(await call('GET', '/Users?count=x')).toMatchObject(refused(400, 'invalidValue'));
    expect(await call('GET', '/Users?filter=%00')).toMatchObject(refused(400, 'invalidSyntax'));
    expect((await call('GET', `/Users/${ada?.id}?attributes=userName`)).body).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id: ada?.id,
      userName: ada?.email,
    });
  });

  it('is refused with what is wrong, and nothing is kept of it', async () => {
    const { call, provision } = await openScim();
    const { email } = await provision({ externalId: 'e-1' });
    for (const [body, status, scimType] of [
      [{ userName: email.toUpperCase() }, 409, 'uniqueness'],
      [{ userName: 'other', emails: [{ value: email }] }, 409, 'uniqueness'],
      [{ userName: address(), externalId: 'e-1' }, 409, 'uniqueness'],
      [{ userName: 'no-address' }, 400, 'invalidValue'],
      [{}, 400, 'invalidValue'],
      [[], 400, 'invalidSyntax'],
      ['{', 400, 'invalidSyntax'],
      ['{"userName":"\\u0000@example.test"}', 400, 'invalidSyntax'],
      [{ userName: address(), active: 'perhaps' }, 400, 'invalidValue'],
    ] as const)
      expect(await call('POST', '/Users', body)).toMatchObject(refused(status, scimType));
    expect((await call('GET', '/Users?count=0')).body).toMatchObject({ totalResults: 2 });
    const large = await call('POST', '/Users', { userName: address(), title: 'x'.repeat(1024 * 1024) });
    expect(large).toMatchObject(refused(413));
  });

  it('takes a seat while they have access, and is refused without one', async () => {
    const { call, provision, owner, org } = await openScim(undefined, 'free');
    const [first] = [await provision(), await provision()];
    expect(await call('POST', '/Users', { userName: address() })).toMatchObject({
      ...refused(403),
      body: { detail: expect.stringContaining('All seats in your plan are taken.') },
    });
    expect((await call('PATCH', `/Users/${first.id}`, setActive(false))).status).toBe(200);
    await provision();
    expect(await call('PATCH', `/Users/${first.id}`, setActive(true))).toMatchObject(refused(403));
    const { body } = await owner.call('GET', `/api/organizations/${org}/members`);
    expect((body as unknown as { members: object[] }).members).toContainEqual(
      expect.objectContaining({ user: first.id, suspended: true }),
    );
    expect((await owner.call('GET', `/api/organizations/${org}/usage`)).body).toMatchObject({
      seats: { used: 3, capacity: 3 },
    });
  });

  it('whom the organization made is shut everywhere, and comes back only by the organization that shut them', async () => {
    const { call, provision } = await openScim();
    const { id } = await provision();
    const session = await sessionOf(id);
    expect((await me(session)).status).toBe(200);
    const put = { op: 'Replace', path: 'active', value: 'False' };
    expect((await call('PATCH', `/Users/${id}`, patchOf(put))).body).toMatchObject({ active: false });
    expect((await me(session)).status).toBe(401);
    expect((await call('PATCH', `/Users/${id}`, setActive(true))).body).toMatchObject({ id, active: true });
    expect((await me(await sessionOf(id))).status).toBe(200);
    // The operator's word counts for more.
    await call('PATCH', `/Users/${id}`, setActive(false));
    const { disablePerson } = await import('../../leaving/shut-person.ts');
    const { tenancyTokens } = await import('../shell/tenancy-tokens.ts');
    const { CONNECT_KEY } = await import('../../../test/support/http/web-app.ts');
    const deps = { db: web.db, clock: () => new Date(), key: CONNECT_KEY };
    await disablePerson({ ...deps, ...tenancyTokens(deps) }, id);
    expect(await call('PATCH', `/Users/${id}`, setActive(true))).toMatchObject(refused(403));
  });

  it('who had an account before stays who they are, and loses this organization only', async () => {
    const [here, there] = [await openScim(), await openScim()];
    const person = await web.signIn('Grace');
    const answer = await here.call('POST', '/Users', {
      userName: 'grace',
      displayName: 'Someone Else',
      emails: [{ value: person.email.toUpperCase(), primary: true }],
    });
    expect(answer).toMatchObject({
      status: 201,
      body: { id: person.id, userName: 'grace', displayName: 'Someone Else' },
    });
    await here.call(
      'PATCH',
      `/Users/${person.id}`,
      patchOf({ op: 'replace', path: 'emails', value: [{ value: address() }] }),
    );
    expect((await person.call('GET', '/api/me')).body).toMatchObject({ user: { name: 'Grace', email: person.email } });

    await there.owner.call('POST', `/api/organizations/${there.org}/members`, { email: person.email, role: 'member' });
    const token = async (org: string): Promise<string> =>
      (
        (await person.call('POST', '/api/tokens', { name: 'mine', organization: org, scopes: ['chat'] }))
          .body as unknown as { id: string }
      ).id;
    const [gone, kept] = [await token(here.org), await token(there.org)];
    expect((await here.call('PATCH', `/Users/${person.id}`, setActive(false))).body).toMatchObject({ active: false });
    const { body } = await person.call('GET', '/api/me');
    expect((body as unknown as { organizations: { id: string }[] }).organizations.map(({ id }) => id)).toEqual([
      there.org,
    ]);
    for (const path of [`/api/organizations/${here.org}/members`, `/api/organizations/${here.org}/workspaces`])
      expect((await person.call('GET', path)).status).toBe(404);
    const { rows } = await web.db.query(
      'select id from :schema.connect_token where user_id = $1 and revoked_at is null',
      [person.id],
    );
    expect(rows).toEqual([{ id: kept }]);
    expect(gone).not.toBe(kept);
    expect((await here.call('PATCH', `/Users/${person.id}`, setActive(true))).status).toBe(200);
    expect((await person.call('GET', `/api/organizations/${here.org}/members`)).status).toBe(200);

    expect((await here.call('DELETE', `/Users/${person.id}`)).status).toBe(204);
    expect((await here.call('GET', `/Users/${person.id}`)).status).toBe(404);
    expect((await person.call('GET', '/api/me')).status).toBe(200);
  });

  it('is deleted with an account that nobody else counts on, and brought back until it is erased', async () => {
    const { call, provision } = await openScim();
    const other = await openScim();
    const [leaver, shared] = [await provision({ displayName: 'Ada' }), await provision()];
    await other.owner.call('POST', `/api/organizations/${other.org}/members`, { email: shared.email, role: 'member' });
    for (const { id } of [leaver, shared]) expect((await call('DELETE', `/Users/${id}`)).status).toBe(204);
    const { rows } = await web.db.query<{ id: string; days: number }>(
      'select subject_id as id, extract(day from due_at - asked_at)::int as days from :schema.erasure where subject_id = any ($1)',
      [[leaver.id, shared.id]],
    );
    expect(rows).toEqual([{ id: leaver.id, days: 7 }]);
    const back = await call('POST', '/Users', { userName: leaver.email, displayName: 'Ada L.' });
    expect(back).toMatchObject({ status: 201, body: { id: leaver.id, active: true } });
    const session = await sessionOf(leaver.id);
    expect((await me(session)).body).toMatchObject({ user: { name: 'Ada L.' } });
    expect((await web.db.query('select 1 from :schema.erasure where subject_id = $1', [leaver.id])).rowCount).toBe(0);
  });

  it('who is the last owner keeps their place', async () => {
    const { call, owner } = await openScim();
    for (const answer of [
      await call('PATCH', `/Users/${owner.id}`, setActive(false)),
      await call('DELETE', `/Users/${owner.id}`),
    ])
      expect(answer).toMatchObject({ status: 409, body: { detail: expect.stringContaining('at least one owner') } });
    expect((await call('GET', `/Users/${owner.id}`)).body).toMatchObject({ active: true });
  });

  it('keeps the name that they gave themselves until the identity provider gives them another', async () => {
    const { call, provision } = await openScim();
    const { id } = await provision({ displayName: 'Ada' });
    await web.db.query("update :schema.identity_user set name = 'Countess' where id = $1", [id]);
    const nameOf = async (): Promise<unknown> =>
      (await web.db.query('select name, email from :schema.identity_user where id = $1', [id])).rows[0];
    await call('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { title: 'x' } }));
    expect(await nameOf()).toMatchObject({ name: 'Countess' });
    const email = address();
    await call(
      'PATCH',
      `/Users/${id}`,
      patchOf({ op: 'replace', value: { 'name.formatted': 'A', displayName: 'Augusta', userName: email } }),
    );
    expect(await nameOf()).toEqual({ name: 'Augusta', email });
    const taken = await web.signIn();
    expect(
      await call('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { userName: taken.email } })),
    ).toMatchObject(refused(409, 'uniqueness'));
  });
});

it('accounts are not made where the operator has closed sign-up', async () => {
  const closed = await openTestWeb({ rules: { signUp: 'closed' } });
  try {
    const owner = await closed.signIn();
    const known = await closed.signIn();
    const made = await owner.call('POST', '/api/organizations', { name: 'Acme' });
    const org = (made.body as unknown as { organization: { id: string } }).organization.id;
    const { body } = await owner.call('POST', `/api/organizations/${org}/scim-tokens`);
    const headers = { authorization: `Bearer ${(body as unknown as { token: string }).token}` };
    expect(await closed.call('POST', `${at}/Users`, { userName: address() }, headers)).toMatchObject(refused(403));
    expect((await closed.call('POST', `${at}/Users`, { userName: known.email }, headers)).status).toBe(201);
  } finally {
    await closed.close();
  }
});

describe('a group', () => {
  const membersOf = async ({ call }: Scim, id: string): Promise<string[]> =>
    ((await call('GET', `/Groups/${id}`)).body as unknown as { members: { value: string }[] }).members.map(
      ({ value }) => value,
    );

  it('is a workspace whose members it keeps; deleting it ends their access and keeps the workspace', async () => {
    const scim = await openScim();
    const { call, provision, owner, org } = scim;
    const people = [await provision(), await provision(), await provision()].map(({ id }) => id).sort();
    const [a = '', b = '', c = ''] = people;
    const made = await call('POST', '/Groups', { displayName: 'Research', externalId: 'g-1', members: [{ value: a }] });
    expect(made).toMatchObject({
      status: 201,
      body: { displayName: 'Research', members: [{ value: a, type: 'User' }] },
    });
    const { id } = made.body as unknown as { id: string };
    expect(made.headers.get('location')).toBe(`http://localhost:4000${at}/Groups/${id}`);
    const operate = async (...operations: object[]): Promise<number> =>
      (await call('PATCH', `/Groups/${id}`, patchOf(...operations))).status;
    expect(await operate({ op: 'Add', path: 'members', value: [{ value: b }, { value: c }, { value: a }] })).toBe(204);
    expect(await membersOf(scim, id)).toEqual(people);
    expect(
      await operate(
        { op: 'remove', path: `members[value eq "${b}"]` },
        { op: 'replace', value: { id, displayName: 'Lab' } },
      ),
    ).toBe(204);
    expect(await membersOf(scim, id)).toEqual([a, c].sort());
    expect(
      await call('PATCH', `/Groups/${id}`, patchOf({ op: 'add', path: 'members', value: [{ value: 'usr_x' }] })),
    ).toMatchObject(refused(400, 'invalidValue'));

    const session = await sessionOf(a);
    const read = (): Promise<Answer> =>
      web.call('GET', `/api/workspaces/${id}`, undefined, { authorization: `Bearer ${session}` });
    expect((await read()).body).toMatchObject({ workspace: { name: 'Lab', kind: 'named' } });
    expect(
      (
        await call(
          'GET',
          `/Groups?filter=${encodeURIComponent(`id eq "${id}" and members eq "${a}"`)}&excludedAttributes=members`,
        )
      ).body,
    ).toMatchObject({
      totalResults: 1,
      Resources: [expect.not.objectContaining({ members: expect.anything() })],
    });
    expect((await call('GET', `/Users/${a}`)).body).toMatchObject({ groups: [{ value: id, display: 'Lab' }] });
    expect(await call('POST', '/Groups', { displayName: 'LAB' })).toMatchObject(refused(409, 'uniqueness'));

    expect((await call('DELETE', `/Groups/${id}`)).status).toBe(204);
    expect((await call('GET', `/Groups/${id}`)).status).toBe(404);
    expect((await read()).status).toBe(404);
    expect((await owner.call('GET', `/api/workspaces/${id}`)).status).toBe(200);
    // It comes back to the same workspace.
    expect((await call('POST', '/Groups', { displayName: 'lab', members: [{ value: a }] })).body).toMatchObject({ id });
    expect((await owner.call('GET', `/api/organizations/${org}/workspaces`)).text).toContain(id);
  });

  it('of thousands is changed in as many statements as one of two', async () => {
    const scim = await openScim();
    const { call, org } = scim;
    await web.db.query(
      `with made as (insert into :schema.identity_user (id, name, email) select 'usr_' || $1 || n, 'n', $1 || n || '@example.test' from generate_series(1, 5000) n returning id)
       insert into :schema.organization_member (organization_id, user_id, role) select $2, id, 'member' from made`,
      [`many${Date.now()}x`, org],
    );
    const { rows } = await web.db.query<{ id: string }>(
      "select user_id as id from :schema.organization_member where organization_id = $1 and role = 'member'",
      [org],
    );
    const { id } = (await call('POST', '/Groups', { displayName: 'All' })).body as unknown as { id: string };
    let statements = 0;
    const { transaction } = web.db;
    const counted: typeof transaction = (work) =>
      transaction((tx) => work({ ...tx, query: (sql, values) => (statements++, tx.query(sql, values)) }));
    Object.assign(web.db, { transaction: counted });
    try {
      const add = { op: 'add', path: 'members', value: rows.map((row) => ({ value: row.id })) };
      expect((await call('PATCH', `/Groups/${id}`, patchOf(add))).status).toBe(204);
    } finally {
      Object.assign(web.db, { transaction });
    }
    expect(statements).toBeLessThan(12);
    expect(await membersOf(scim, id)).toHaveLength(5_000);
  });
});
