// Sign-in through a provider that misbehaves, asked over HTTP: what is refused leaves nothing behind.
import { generateKeyPair } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { quiet } from '../../../test/support/database.ts';
import { type Answer, PUBLIC_URL, openTestWeb, type TestWeb } from '../../../test/support/http/web-app.ts';
import { createJar, type Jar } from '../../../test/support/openid/cookie-jar.ts';
import { CLIENT, type HostileProvider, startHostileProvider } from '../../../test/support/openid/hostile-provider.ts';
import { addOrganization, addPerson, addSession, join, outcome, type Person } from '../../../test/support/people.ts';
import { quickHashing } from '../../../test/support/quick-hashing.ts';
import { readConfig } from '../../base/config.ts';
import { readOpenIdSettings, type OpenIdSettings } from '../../identity/openid/openid-settings.ts';
import { createOpenIdProvider, type OpenIdProvider } from '../../identity/openid/provider.ts';
import { parseGroupsTable } from '../../identity/openid/groups-table.ts';
import { REREADS_PER_MINUTE } from '../../identity/openid/provider-keys.ts';
import { createWorkspace } from '../../tenancy/workspaces/create-workspace.ts';

const BREAK_GLASS = 'break.glass@example.com';
const PASSWORD = 'correct horse battery';

let provider: HostileProvider;
let openid: OpenIdProvider;
let web: TestWeb;

function open(settings: Partial<OpenIdSettings> = {}): OpenIdProvider {
  const read = readOpenIdSettings(
    readConfig({
      SERVICE_OIDC_ISSUER: provider.url,
      SERVICE_OIDC_CLIENT_ID: CLIENT.id,
      SERVICE_OIDC_CLIENT_SECRET: CLIENT.secret,
      SERVICE_OIDC_NAME: 'Example',
      SERVICE_OIDC_ALLOWED_DOMAINS: 'example.com',
      SERVICE_OIDC_BREAK_GLASS: BREAK_GLASS,
    }),
  );
  if (!read) throw new Error('a provider is configured');
  return createOpenIdProvider({ settings: { ...read, ...settings }, publicUrl: PUBLIC_URL, log: quiet });
}

beforeAll(async () => {
  provider = await startHostileProvider();
  openid = open();
  web = await openTestWeb({ openid, hashing: quickHashing });
});
afterEach(() => {
  provider.down = false;
  provider.metadata = {};
});
afterAll(async () => {
  await openid.close();
  await web.close();
  await provider.close();
});

let people = 0;
const newClaims = (more: Record<string, unknown> = {}) => {
  const sub = `person-${++people}`;
  return { sub, email: `${sub}@example.com`, email_verified: true, name: `Person ${people}`, ...more };
};

async function visit(jar: Jar, path: string, on: TestWeb = web): Promise<Answer> {
  const answer = await on.call('GET', path, undefined, { cookie: jar.header() });
  jar.take(answer.headers);
  return answer;
}
const location = ({ headers }: Answer): string => headers.get('location') ?? '';
const start = async (jar: Jar, query = '', on = web): Promise<string> =>
  location(await visit(jar, `/api/auth/openid/start${query}`, on));
const callback = (jar: Jar, query: string, on = web): Promise<Answer> =>
  visit(jar, `/api/auth/openid/callback${query}`, on);
const codeOf = (answer: Answer): string | null => new URL(location(answer), PUBLIC_URL).searchParams.get('error');

/** A sign-in from the button to the page behind it. */
async function signIn(claims: Record<string, unknown>, { jar = createJar(), query = '', on = web } = {}) {
  const answer = await callback(jar, provider.letIn(await start(jar, query, on), claims), on);
  return { jar, answer, me: await on.call('GET', '/api/me', undefined, { cookie: jar.header() }) };
}
const count = async (table: string, on = web): Promise<number> =>
  (await on.db.query<{ n: number }>(`select count(*)::int as n from :schema.${table}`)).rows[0]?.n ?? 0;
const post = (jar: Jar, path: string, body: object = {}, on = web): Promise<Answer> =>
  on.call('POST', path, body, { cookie: jar.header(), origin: PUBLIC_URL });

it('makes an account at the first sign-in, finds it by its subject ever after, and goes on to where the person was', async () => {
  const claims = newClaims({ amr: ['pwd', 'mfa'], sid: 'provider-session' });
  const first = await signIn(claims, { query: '?next=/chat/one%3Fa=b' });
  expect(location(first.answer)).toBe('/chat/one?a=b');
  expect(first.me.body).toMatchObject({ user: { email: claims.email, name: claims.name } });
  const second = await signIn({ ...claims, email: 'another@example.com' }, { query: '?next=https://evil.example/' });
  expect(location(second.answer)).toBe('/');
  expect(second.me.body).toMatchObject({ user: { email: claims.email } });
  const { rows } = await web.db.query(
    `select method, second_factor, issuer, subject, provider_session, email_verified from :schema.identity_session s
       join :schema.identity_user u on u.id = s.user_id where u.email = $1 limit 1`,
    [claims.email],
  );
  expect(rows).toEqual([
    {
      method: 'openid',
      second_factor: true,
      issuer: provider.url,
      subject: claims.sub,
      provider_session: 'provider-session',
      email_verified: true,
    },
  ]);
});

describe('an answer that is not what was asked for', () => {
  const now = (): number => Math.floor(Date.now() / 1000);

  it.each<[string, (claims: Record<string, unknown>) => Record<string, unknown>]>([
    ['of another issuer', (claims) => ({ ...claims, iss: 'https://issuer.example' })],
    ['for another client', (claims) => ({ ...claims, aud: 'another-client' })],
    ['for several clients, and asked for by another', (claims) => ({ ...claims, aud: [CLIENT.id, 'b'], azp: 'b' })],
    ['with another nonce', (claims) => ({ ...claims, nonce: 'of another sign-in' })],
    ['without a nonce', (claims) => ({ ...claims, nonce: undefined })],
    ['that has expired beyond the tolerated skew', (claims) => ({ ...claims, iat: now() - 600, exp: now() - 90 })],
    ['without a subject', (claims) => ({ ...claims, sub: undefined })],
  ])('is refused: a token %s', async (_what, change) => {
    const before = await count('identity_user');
    const { answer, me } = await signIn(change(newClaims()));
    expect(codeOf(answer)).toBe('openid_refused');
    expect(me.status).toBe(401);
    expect(await count('identity_user')).toBe(before);
  });

  it('is refused: a token that somebody else signed under a known key id, or by no algorithm', async () => {
    const { privateKey } = await generateKeyPair('RS256');
    const jar = createJar();
    const asked = await start(jar);
    const known = await provider.sign({});
    const { kid } = JSON.parse(Buffer.from(known.split('.')[0] ?? '', 'base64url').toString()) as { kid: string };
    expect(codeOf(await callback(jar, provider.letIn(asked, newClaims(), { kid, key: privateKey })))).toBe(
      'openid_refused',
    );
  });

  it('is accepted within the skew of two clocks', async () => {
    const { answer } = await signIn({ ...newClaims(), iat: now() - 300, exp: now() - 20 });
    expect(location(answer)).toBe('/');
  });
});

describe('the state', () => {
  it('counts once, in the browser that it was made for, and for a few minutes', async () => {
    const jar = createJar();
    const asked = await start(jar);
    const query = provider.letIn(asked, newClaims());
    expect(codeOf(await callback(createJar(), query)), 'another browser').toBe('openid_state_invalid');
    const other = createJar();
    await start(other);
    expect(codeOf(await callback(other, query)), 'a browser with a sign-in of its own').toBe('openid_state_invalid');
    const kept = createJar();
    for (const [name, value] of jar.cookies) kept.cookies.set(name, value);
    expect(location(await callback(jar, query))).toBe('/');
    expect(codeOf(await callback(kept, query)), 'the same answer again').toBe('openid_state_invalid');
    expect(codeOf(await callback(kept, provider.letIn(asked, newClaims()))), 'another code for it').toBe(
      'openid_state_invalid',
    );
  });

  it('cannot be made up or changed', async () => {
    const jar = createJar();
    const query = provider.letIn(await start(jar), newClaims());
    const [name = '', value = ''] = [...jar.cookies][0] ?? [];
    const [text = '', signature = ''] = value.split('.');
    const [, facts] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [number, object];
    jar.cookies.set(name, `${Buffer.from(JSON.stringify([9_999_999_999, facts])).toString('base64url')}.${signature}`);
    expect(codeOf(await callback(jar, query))).toBe('openid_state_invalid');
  });

  it('holds no secret that the code could be redeemed with', async () => {
    const jar = createJar();
    const asked = new URL(await start(jar)).searchParams;
    const text = Buffer.from([...jar.cookies.values()].join('').split('.')[0] ?? '', 'base64url').toString();
    expect(text).toContain(asked.get('state'));
    expect(text).not.toContain(asked.get('nonce'));
    expect(asked.get('code_challenge_method')).toBe('S256');
  });
});

it('refuses a code that was redeemed before, even with a state of its own', async () => {
  const [one, two] = [createJar(), createJar()];
  const query = provider.letIn(await start(one), newClaims());
  expect(location(await callback(one, query))).toBe('/');
  const state = new URL(await start(two)).searchParams.get('state') ?? '';
  const code = new URLSearchParams(query).get('code') ?? '';
  expect(codeOf(await callback(two, `?${new URLSearchParams({ code, state })}`))).toBe('openid_refused');
});

it('says that the person cancelled', async () => {
  const jar = createJar();
  const state = new URL(await start(jar)).searchParams.get('state') ?? '';
  const answer = await callback(jar, `?${new URLSearchParams({ error: 'access_denied', state })}`);
  expect(codeOf(answer)).toBe('openid_cancelled');
});

it('follows the provider to new keys, but reads them again only so often', async () => {
  await signIn(newClaims());
  await provider.changeKeys();
  expect(location((await signIn(newClaims())).answer)).toBe('/');
  const before = provider.asked('/jwks');
  const stranger = await generateKeyPair('RS256');
  for (let tries = 0; tries < REREADS_PER_MINUTE + 3; tries++) {
    const jar = createJar();
    const query = provider.letIn(await start(jar), newClaims(), { kid: `unknown-${tries}`, key: stranger.privateKey });
    expect(codeOf(await callback(jar, query))).toBe('openid_refused');
  }
  expect(provider.asked('/jwks') - before).toBeLessThanOrEqual(REREADS_PER_MINUTE);
});

it('works once a provider that was down at the start is up, and goes on with what it knows when it is down again', async () => {
  const late = open();
  const on = await openTestWeb({ openid: late });
  provider.down = true;
  expect(codeOf(await visit(createJar(), '/api/auth/openid/start?next=/usage', on))).toBe('openid_unavailable');
  provider.down = false;
  const jar = createJar();
  const asked = await start(jar, '', on);
  expect(asked).toMatch(new RegExp(`^${provider.url}/authorize`));
  provider.down = true;
  expect(await start(createJar(), '', on)).toMatch(new RegExp(`^${provider.url}/authorize`));
  expect(codeOf(await callback(jar, provider.letIn(asked, newClaims()), on))).toBe('openid_unavailable');
  await late.close();
  await on.close();
});

it('trusts no discovery document of another issuer, and no endpoint outside https', async () => {
  for (const metadata of [
    { issuer: 'https://issuer.example' },
    { token_endpoint: 'file:///etc/passwd' },
    { jwks_uri: 'file:///etc/passwd' },
  ]) {
    provider.metadata = metadata;
    const late = open();
    const ask = { state: 'state', nonce: 'nonce', verifier: 'v'.repeat(43), fresh: false };
    const redeemed = late
      .authorizationUrl(ask)
      .then((asked) => late.redeem({ ...ask, search: provider.letIn(asked, newClaims()), wanted: [] }));
    expect(await outcome(redeemed)).toMatch(/^openid_(?:refused|unavailable)$/);
    await late.close();
  }
});

it.each([
  ['that is not verified', { email_verified: false }, 'openid_address_unverified'],
  ['that is verified in a word of its own', { email_verified: 'no' }, 'openid_address_unverified'],
  ['that is none', { email: 'nowhere' }, 'openid_address_unverified'],
  ['of another domain', { email: 'someone@elsewhere.example' }, 'openid_domain_refused'],
  [
    'that only looks like the domain',
    { email: 'someone@elsewhere.example@notexample.com' },
    'openid_address_unverified',
  ],
  ['of a domain below it', { email: 'someone@sub.example.com' }, 'openid_domain_refused'],
])('lets nobody in with an address %s', async (_what, claims, code) => {
  const before = await count('identity_user');
  expect(codeOf((await signIn(newClaims(claims))).answer)).toBe(code);
  expect(await count('identity_user')).toBe(before);
});

it('lets a shut account in by no way', async () => {
  const claims = newClaims();
  await signIn(claims);
  await web.db.query('update :schema.identity_user set disabled_at = now() where email = $1', [claims.email]);
  expect(codeOf((await signIn(claims)).answer)).toBe('account_disabled');
  expect(codeOf((await signIn({ ...newClaims(), email: claims.email })).answer)).toBe('account_disabled');
});

describe('an account that was there before', () => {
  const password = async (email: string): Promise<void> => {
    await web.call(
      'POST',
      '/api/auth/sign-up/email',
      { name: 'Before', email, password: PASSWORD },
      { origin: PUBLIC_URL },
    );
  };
  const connected = async (email: string): Promise<number> =>
    (
      await web.db.query(
        'select 1 from :schema.identity_account a join :schema.identity_user u on u.id = a.user_id where u.email = $1 and a.provider_id = $2',
        [email, provider.url],
      )
    ).rowCount;

  it('is connected only once its owner has signed in to it and confirmed', async () => {
    const claims = newClaims();
    await password(claims.email);
    const { answer, me, jar } = await signIn(claims, { query: '?next=/usage' });
    expect(location(answer)).toBe('/connect-account');
    expect(me.status).toBe(401);
    expect((await visit(jar, '/api/auth/openid/link')).body).toEqual({
      link: { provider: 'Example', email: claims.email },
    });
    expect((await post(jar, '/api/auth/openid/link')).status, 'without a session').toBe(401);
    expect(await connected(claims.email)).toBe(0);

    const signedIn = await post(jar, '/api/auth/sign-in/email', { email: claims.email, password: PASSWORD });
    jar.take(signedIn.headers);
    const foreign = await web.call(
      'POST',
      '/api/auth/openid/link',
      {},
      { cookie: jar.header(), origin: 'https://evil.example' },
    );
    expect(foreign.body).toMatchObject({ error: 'cross_origin' });
    const confirmed = await post(jar, '/api/auth/openid/link');
    expect(confirmed.body).toEqual({ next: '/api/auth/openid/start?next=%2Fusage' });
    expect(await connected(claims.email)).toBe(1);
    expect((await signIn(claims)).me.body).toMatchObject({ user: { email: claims.email, name: 'Before' } });
  });

  it('is not connected by a session of another account, nor without a sign-in at the provider', async () => {
    const claims = newClaims();
    await password(claims.email);
    const { jar } = await signIn(claims);
    const other = newClaims();
    await password(other.email);
    jar.take((await post(jar, '/api/auth/sign-in/email', { email: other.email, password: PASSWORD })).headers);
    expect((await post(jar, '/api/auth/openid/link')).body).toMatchObject({ error: 'openid_link_other_account' });
    const without = createJar();
    without.take((await post(without, '/api/auth/sign-in/email', { email: claims.email, password: PASSWORD })).headers);
    expect((await post(without, '/api/auth/openid/link')).body).toMatchObject({ error: 'openid_link_gone' });
    expect([await connected(claims.email), await connected(other.email)]).toEqual([0, 0]);
  });
});

describe('a fresh proof', () => {
  const proved = async (email: string): Promise<Date | undefined> =>
    (
      await web.db.query<{ proved_at: Date }>(
        'select s.proved_at from :schema.identity_session s join :schema.identity_user u on u.id = s.user_id where u.email = $1',
        [email],
      )
    ).rows[0]?.proved_at;
  const age = (email: string) =>
    web.db.query(
      "update :schema.identity_session set proved_at = now() - interval '1 day' where user_id = (select id from :schema.identity_user where email = $1)",
      [email],
    );
  const now = (): number => Math.floor(Date.now() / 1000);

  it('is given by signing in at the provider again, by the same person', async () => {
    const claims = newClaims();
    const { jar } = await signIn(claims);
    await age(claims.email);
    const asked = await start(jar, '?proof=1&next=/account');
    expect(Object.fromEntries(new URL(asked).searchParams)).toMatchObject({ prompt: 'login', max_age: '0' });
    const answer = await callback(jar, provider.letIn(asked, { ...claims, auth_time: now() }));
    expect(location(answer)).toBe('/account');
    expect(Date.now() - ((await proved(claims.email))?.getTime() ?? 0)).toBeLessThan(60_000);
  });

  it.each([
    ['signed in long ago', { auth_time: 1 }, 'openid_not_fresh'],
    ['does not say when they signed in', {}, 'openid_not_fresh'],
    ['is somebody else', { sub: 'somebody-else', auth_time: 9_999_999_999 }, 'openid_link_other_account'],
  ])('is not given if the person %s', async (_what, change, code) => {
    const claims = newClaims();
    const { jar } = await signIn(claims);
    await age(claims.email);
    const asked = await start(jar, '?proof=1');
    expect(codeOf(await callback(jar, provider.letIn(asked, { ...claims, ...change })))).toBe(code);
    expect(Date.now() - ((await proved(claims.email))?.getTime() ?? 0)).toBeGreaterThan(3_600_000);
  });

  it('needs a session', async () => {
    expect(codeOf(await visit(createJar(), '/api/auth/openid/start?proof=1'))).toBe('unauthenticated');
  });
});

describe('back-channel logout', () => {
  const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  let tokens = 0;
  const logout = async (claims: Record<string, unknown>, typ = 'logout+jwt'): Promise<Answer> =>
    web.call(
      'POST',
      '/api/auth/openid/logout',
      new URLSearchParams({
        logout_token: await provider.sign({ jti: `token-${++tokens}`, events: EVENTS, ...claims }, { typ }),
      }).toString(),
      { 'content-type': 'application/x-www-form-urlencoded' },
    );
  const isIn = async (jar: Jar): Promise<boolean> =>
    (await web.call('GET', '/api/me', undefined, { cookie: jar.header() })).status === 200;

  it('ends the session that it names and the tokens made in it, and no other', async () => {
    const claims = newClaims();
    const [one, two] = [await signIn({ ...claims, sid: 'one' }), await signIn({ ...claims, sid: 'two' })];
    const other = await signIn(newClaims({ sid: 'three' }));
    const made = async (jar: Jar): Promise<string> => {
      const { id } = await addOrganization(
        web.db,
        (await web.call('GET', '/api/me', undefined, { cookie: jar.header() })).body['user'] as unknown as Person,
      );
      const answer = await post(jar, '/api/tokens', { organization: id, scopes: ['connect:read'] });
      expect(answer.status, answer.text).toBe(201);
      return (answer.body as unknown as { id: string }).id;
    };
    const [mine, others] = [await made(one.jar), await made(two.jar)];
    const answer = await logout({ sid: 'one', sub: claims.sub });
    expect({ status: answer.status, cache: answer.headers.get('cache-control') }).toEqual({
      status: 200,
      cache: 'no-store',
    });
    expect([await isIn(one.jar), await isIn(two.jar), await isIn(other.jar)]).toEqual([false, true, true]);
    const revoked = await web.db.query<{ id: string }>(
      'select id from :schema.connect_token where revoked_at is not null and id = any($1)',
      [[mine, others]],
    );
    expect(revoked.rows).toEqual([{ id: mine }]);
    expect((await logout({ sub: claims.sub })).status).toBe(200);
    expect([await isIn(two.jar), await isIn(other.jar)]).toEqual([false, true]);
  });

  it.each<[string, Record<string, unknown>, string?]>([
    ['of another issuer', { iss: 'https://issuer.example' }],
    ['for another client', { aud: 'another' }],
    ['with a nonce, like an ID token', { nonce: 'n' }],
    ['without the event', { events: {} }],
    ['without an id', { jti: undefined }],
    ['that names nobody', { sub: undefined }],
    ['that is old', { iat: Math.floor(Date.now() / 1000) - 3_600 }],
    ['from the future', { iat: Math.floor(Date.now() / 1000) + 3_600 }],
    ['of another type', {}, 'at+jwt'],
  ])('refuses a token %s', async (_what, change, typ) => {
    const claims = newClaims();
    const { jar } = await signIn(claims);
    expect((await logout({ sub: claims.sub, ...change }, typ)).status).toBe(400);
    expect(await isIn(jar)).toBe(true);
  });

  it('refuses one that was used before', async () => {
    const claims = newClaims();
    await signIn(claims);
    expect((await logout({ sub: claims.sub, jti: 'the same' })).status).toBe(200);
    const { jar } = await signIn(claims);
    expect((await logout({ sub: claims.sub, jti: 'the same' })).status).toBe(400);
    expect(await isIn(jar)).toBe(true);
  });
});

describe('groups', () => {
  it('give and take organization, role and workspaces at each sign-in, and leave last owners and what people gave alone', async () => {
    const groups = parseGroupsTable(JSON.stringify({ groups: [] }));
    const grouped = open({ groups });
    const on = await openTestWeb({ openid: grouped });
    const owner = await addPerson(on.db);
    const [managed, own] = [await addOrganization(on.db, owner), await addOrganization(on.db, owner)];
    const place = { userId: owner.id, organizationId: managed.id };
    const lab = await createWorkspace(on.db, place, { name: 'Lab' });
    const table = parseGroupsTable(
      JSON.stringify({
        groups: [
          { group: 'staff', organization: managed.slug },
          {
            group: 'lab',
            organization: managed.slug,
            role: 'member',
            workspaces: [{ workspace: lab.slug, role: 'admin' }],
          },
          { group: 'chiefs', organization: managed.slug, role: 'owner' },
          { group: 'staff', organization: 'not-there' },
        ],
      }),
    );
    Object.assign(groups, table);
    const claims = newClaims();
    const memberships = async (...given: string[]) => {
      const { me } = await signIn({ ...claims, groups: given }, { on });
      const user = (me.body as unknown as { user: { id: string } }).user.id;
      const { rows } = await on.db.query<{ place: string }>(
        `select o.slug || ':' || m.role as place from :schema.organization_member m join :schema.organization o on o.id = m.organization_id where m.user_id = $1
         union all select w.slug || ':' || m.role from :schema.workspace_member m join :schema.workspace w on w.id = m.workspace_id where m.user_id = $1 order by 1`,
        [user],
      );
      return { user, places: rows.map((row) => row.place).toSorted() };
    };
    const { user, places } = await memberships('staff', 'lab', 'unknown');
    expect(places).toEqual([`${lab.slug}:admin`, `${managed.slug}:member`].toSorted());
    await join(on.db, own.id, { id: user, name: '', email: '' }, 'admin');
    expect((await memberships('chiefs')).places).toEqual([`${managed.slug}:owner`, `${own.slug}:admin`].toSorted());
    await on.db.query('delete from :schema.organization_member where organization_id = $1 and user_id = $2', [
      managed.id,
      owner.id,
    ]);
    expect((await memberships()).places, 'the last owner').toContain(`${managed.slug}:owner`);
    await join(on.db, managed.id, owner, 'owner');
    expect((await memberships()).places).toEqual([`${own.slug}:admin`]);
    await grouped.close();
    await on.close();
  });
});

describe('as the only way in', () => {
  let only: OpenIdProvider;
  let on: TestWeb;
  beforeAll(async () => {
    only = open({ only: true });
    on = await openTestWeb({ openid: only, hashing: quickHashing });
  });
  afterAll(async () => {
    await only.close();
    await on.close();
  });
  const signUp = (email: string) =>
    post(createJar(), '/api/auth/sign-up/email', { name: 'N', email, password: PASSWORD }, on);
  const enter = (email: string, jar = createJar()) =>
    post(jar, '/api/auth/sign-in/email', { email, password: PASSWORD }, on);

  it('takes the password of the break-glass account alone, and says so beforehand', async () => {
    expect((await on.call('GET', '/api/sign-in-options')).body).toMatchObject({
      openid: { name: 'Example', only: true },
    });
    expect((await signUp(newClaims().email)).body).toMatchObject({ error: 'password_sign_in_closed' });
    expect((await enter(newClaims().email)).body).toMatchObject({ error: 'password_sign_in_closed' });
    expect((await signUp(BREAK_GLASS)).status).toBe(200);
    expect((await enter(BREAK_GLASS.toUpperCase())).status).toBe(200);
  });

  it('takes a password to prove the account that is to be connected', async () => {
    const claims = newClaims();
    const person = await addPerson(on.db);
    await on.db.query('update :schema.identity_user set email = $2 where id = $1', [person.id, claims.email]);
    await on.db.query(
      "insert into :schema.identity_account (id, user_id, account_id, provider_id, password) values ($1, $2, $2, 'credential', $3)",
      [`acc_${person.id}`, person.id, await quickHashing.hash(PASSWORD)],
    );
    const { jar } = await signIn(claims, { on });
    expect((await enter('somebody@example.com', jar)).body).toMatchObject({ error: 'password_sign_in_closed' });
    expect((await enter(claims.email, jar)).status).toBe(200);
  });
});

it('offers to sign out at the provider too', async () => {
  const { jar } = await signIn(newClaims());
  const out = await post(jar, '/api/auth/sign-out');
  jar.take(out.headers);
  expect(out.body).toMatchObject({ success: true, provider: 'Example' });
  const away = new URL(location(await visit(jar, '/api/auth/openid/sign-out')));
  expect(away.origin + away.pathname).toBe(`${provider.url}/end`);
  expect(away.searchParams.get('post_logout_redirect_uri')).toBe(`${PUBLIC_URL}/sign-in`);
  expect(away.searchParams.get('id_token_hint')).toMatch(/^ey/);
  expect(location(await visit(jar, '/api/auth/openid/sign-out')), 'only once').toBe('/sign-in');
  const person = await addPerson(web.db);
  const bearer = { authorization: `Bearer ${await addSession(web.db, person)}` };
  expect((await web.call('POST', '/api/auth/sign-out', {}, bearer)).body).toEqual({ success: true });
});
