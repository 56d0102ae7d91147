import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuth } from '../../src/identity/create-auth.ts';
import { findSession } from '../../src/identity/sessions/find-session.ts';
import { signSessionToken } from '../../src/identity/sessions/session-cookie.ts';
import type { Database } from '../../src/store/database.ts';
import { openTestDatabase, quiet } from '../support/database.ts';
import { cookieOf, type IdentityServer, post, signUp, startIdentityServer } from '../support/http/identity-server.ts';

let db: Database;
let server: IdentityServer;

// One connection: a step of the library that waited for a second one while holding the first would hang here.
beforeAll(async () => {
  db = await openTestDatabase({ poolMax: 1 });
  server = await startIdentityServer(db);
});
afterAll(async () => {
  await server.close();
  await db.close();
});

const auth = (path: string): string => `${server.url}/api/auth${path}`;
const me = (headers: Record<string, string>): Promise<Response> => fetch(`${server.url}/api/me`, { headers });

describe('signing up, in and out', () => {
  it('gives a new person a session cookie and creates nothing else', async () => {
    const answer = await post(auth('/sign-up/email'), {
      name: 'Ada',
      email: 'Ada@Example.test',
      password: 'correct horse battery',
    });
    expect(answer.status).toBe(200);
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^service\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(await answer.json()).toMatchObject({ user: { name: 'Ada', email: 'ada@example.test' } });
    const seen = await (await me({ cookie: cookieOf(answer) })).json();
    expect(seen).toEqual({
      user: { id: expect.stringMatching(/^usr_/), name: 'Ada', email: 'ada@example.test' },
      organizations: [],
    });
  });

  it('keeps the session token out of what scripts can read', async () => {
    const { email, cookie } = await signUp(server);
    const signedIn = await (await post(auth('/sign-in/email'), { email, password: 'correct horse battery' })).json();
    expect(signedIn).not.toHaveProperty('token');
    const session = await (await fetch(auth('/get-session'), { headers: { cookie } })).json();
    expect(session).toMatchObject({ user: { email }, session: { id: expect.any(String) } });
    expect(JSON.stringify(session)).not.toContain('token');
  });

  it('signs in with the address in any case, and signs out for good', async () => {
    const { email } = await signUp(server);
    const answer = await post(auth('/sign-in/email'), {
      email: email.toUpperCase(),
      password: 'correct horse battery',
    });
    expect(answer.status).toBe(200);
    const cookie = cookieOf(answer);
    expect((await me({ cookie })).status).toBe(200);
    expect((await post(auth('/sign-out'), {}, { cookie })).status).toBe(200);
    expect((await me({ cookie })).status).toBe(401);
  });

  it.each([
    ['a wrong password', (email: string) => ({ email, password: 'wrong horse battery' })],
    ['an unknown address', () => ({ email: 'nobody@example.test', password: 'wrong horse battery' })],
  ])('answers %s with the same refusal', async (_what, body) => {
    const { email } = await signUp(server);
    const answer = await post(auth('/sign-in/email'), body(email));
    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({ ok: false, error: 'invalid_credentials', message: expect.any(String) });
  });

  it('refuses an address that is taken, also for simultaneous sign-ups', async () => {
    const body = { name: 'Twin', email: 'twin@example.test', password: 'correct horse battery' };
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(auth('/sign-up/email'), body)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    const refused = answers.find((answer) => answer.status === 409);
    expect(await refused?.json()).toMatchObject({ ok: false, error: 'user_exists' });
    const { rows } = await db.query(
      'select count(*) as n from :schema.identity_account a join :schema.identity_user u on u.id = a.user_id where u.email = $1',
      [body.email],
    );
    expect(rows[0]?.['n']).toBe(1);
  });

  it('names each bad field', async () => {
    const answer = await post(auth('/sign-up/email'), { name: '', email: 'not an address', password: 'short' });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      ok: false,
      error: 'invalid_request',
      details: { name: expect.any(String), email: expect.any(String), password: expect.stringContaining('8') },
    });
    const notJson = await fetch(auth('/sign-in/email'), { method: 'POST', body: '{' });
    expect(await notJson.json()).toMatchObject({ error: 'invalid_request', details: { body: expect.any(String) } });
  });

  it('refuses text that the database cannot hold', async () => {
    const signUpAnswer = await post(auth('/sign-up/email'), {
      name: 'A\0da',
      email: 'nul@example.test',
      password: 'correct horse battery',
    });
    expect([signUpAnswer.status, await signUpAnswer.json()]).toEqual([
      400,
      expect.objectContaining({ error: 'invalid_request' }),
    ]);
    const { cookie } = await signUp(server);
    expect((await fetch(auth('/device?user_code=A%00'), { headers: { cookie } })).status).toBe(400);
    expect((await post(auth('/device/approve'), { userCode: 'A\0' }, { cookie })).status).toBe(400);
  });

  it('refuses an over-large body', async () => {
    const answer = await post(auth('/sign-in/email'), { email: 'a@example.test', password: 'x'.repeat(20_000) });
    expect([answer.status, await answer.json()]).toEqual([
      413,
      expect.objectContaining({ error: 'request_too_large' }),
    ]);
  });

  it('offers no other route of the library', async () => {
    for (const path of [
      '/sign-in/social',
      '/request-password-reset',
      '/delete-user',
      '/ok',
      '/list-sessions',
      '/nothing',
    ]) {
      const answer = await post(auth(path), {});
      expect([path, answer.status, await answer.json()]).toEqual([
        path,
        404,
        expect.objectContaining({ ok: false, error: 'not_found' }),
      ]);
    }
  });

  it('stops guessing at one account from one address, without stopping others', async () => {
    const { email } = await signUp(server);
    const guess = (): Promise<Response> => post(auth('/sign-in/email'), { email, password: 'a wrong guess' });
    for (let attempt = 0; attempt < 10; attempt++) expect((await guess()).status).toBe(401);
    const stopped = await guess();
    expect(stopped.status).toBe(429);
    expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await stopped.json()).toMatchObject({ ok: false, error: 'rate_limited' });
    const other = await signUp(server);
    expect((await post(auth('/sign-in/email'), { email: other.email, password: 'correct horse battery' })).status).toBe(
      200,
    );
  });

  it('changes a password and ends the other sessions', async () => {
    const { email, cookie } = await signUp(server);
    const elsewhere = cookieOf(await post(auth('/sign-in/email'), { email, password: 'correct horse battery' }));
    const changed = await post(
      auth('/change-password'),
      { currentPassword: 'correct horse battery', newPassword: 'another horse battery', revokeOtherSessions: true },
      { cookie },
    );
    expect(changed.status).toBe(200);
    expect((await me({ cookie: elsewhere })).status).toBe(401);
    expect((await me({ cookie: cookieOf(changed) })).status).toBe(200);
    expect((await post(auth('/sign-in/email'), { email, password: 'another horse battery' })).status).toBe(200);
  });
});

it('refuses the second of two sign-ups that find the address free at the same time', async () => {
  const wide = await openTestDatabase({ poolMax: 4 });
  const other = await startIdentityServer(wide);
  const body = { name: 'Twin', email: 'twin@example.test', password: 'correct horse battery' };
  const answers = await Promise.all(Array.from({ length: 4 }, () => post(`${other.url}/api/auth/sign-up/email`, body)));
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409]);
  await other.close();
  await wide.close();
});

describe('another origin', () => {
  it('cannot sign anybody in or out', async () => {
    const { email, cookie } = await signUp(server);
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const signIn = await post(auth('/sign-in/email'), { email, password: 'correct horse battery' }, headers);
      expect([signIn.status, await signIn.json()]).toEqual([
        403,
        expect.objectContaining({ ok: false, error: 'cross_origin' }),
      ]);
      expect((await post(auth('/sign-out'), {}, { cookie, ...(headers as Record<string, string>) })).status).toBe(403);
    }
    expect((await me({ cookie })).status).toBe(200);
    expect((await post(auth('/sign-out'), {}, { cookie, origin: server.url })).status).toBe(200);
  });
});

describe('findSession', () => {
  it('sees what the library itself sees', async () => {
    const { cookie } = await signUp(server);
    const library = createAuth({ db, log: quiet, settings: server.settings });
    const theirs = async (header: string) =>
      (await (await library.handler(new Request(auth('/get-session'), { headers: { cookie: header } }))).json()) as {
        session: { id: string; expiresAt: string };
        user: { id: string; name: string; email: string };
      } | null;
    const ours = (header: string) => findSession({ db, settings: server.settings }, new Headers({ cookie: header }));

    const expected = await theirs(`other=1; ${cookie}`);
    expect(await ours(`other=1; ${cookie}`)).toMatchObject({
      sessionId: expected?.session.id,
      expiresAt: new Date(expected?.session.expiresAt ?? 0),
      user: { id: expected?.user.id, name: expected?.user.name, email: expected?.user.email },
    });

    const value = decodeURIComponent((cookie.split(';')[0] ?? '').split('=').slice(1).join('='));
    const token = value.split('.')[0] ?? '';
    const forged = [
      '',
      token,
      `${token}.`,
      `${token}.${'A'.repeat(43)}=`,
      signSessionToken(token, 'another secret'),
      signSessionToken('x'.repeat(32), server.settings.authSecret),
      `x${value}`,
    ];
    for (const wrong of forged) {
      const header = `service.session_token=${encodeURIComponent(wrong)}`;
      expect([wrong, await ours(header), await theirs(header)]).toEqual([wrong, undefined, null]);
    }
    expect(await ours('service.session_token=%E0%A4%A')).toBeUndefined();
  });

  it('knows an expired session no more', async () => {
    const { cookie } = await signUp(server);
    const later = (days: number) => ({
      db,
      settings: server.settings,
      clock: () => new Date(Date.now() + days * 86_400_000),
    });
    expect(await findSession(later(29), new Headers({ cookie }))).toBeDefined();
    expect(await findSession(later(31), new Headers({ cookie }))).toBeUndefined();
  });

  it('slides: a session used after a day lives thirty more', async () => {
    const { id, cookie } = await signUp(server);
    await db.query("update :schema.identity_session set expires_at = now() + interval '20 days' where user_id = $1", [
      id,
    ]);
    const renewed = await fetch(auth('/get-session'), { headers: { cookie } });
    expect(renewed.headers.getSetCookie()[0]).toContain('Max-Age=2592000');
    const session = await findSession({ db, settings: server.settings }, new Headers({ cookie }));
    expect(session?.expiresAt.getTime()).toBeGreaterThan(Date.now() + 29 * 86_400_000);
  });

  it('reads the secure cookie that an https address sets', async () => {
    const { email } = await signUp(server);
    const settings = { ...server.settings, publicUrl: 'https://service.example' };
    const library = createAuth({ db, log: quiet, settings });
    const signIn = new Request('https://service.example/api/auth/sign-in/email', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: 'correct horse battery' }),
    });
    const answer = await library.handler(signIn);
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^__Secure-service\.session_token=.*; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(await findSession({ db, settings }, new Headers({ cookie: cookieOf(answer) }))).toMatchObject({
      user: { email },
    });
  });

  it('lets a bearer token decide alone', async () => {
    const { cookie } = await signUp(server);
    expect((await me({ cookie, authorization: 'Bearer abc.def.ghi' })).status).toBe(401);
    expect((await me({ cookie, authorization: `Bearer ${'x'.repeat(32)}` })).status).toBe(401);
  });

  it.each(['Bearer a b', 'Bearer', 'Basic eDp5', 'nonsense'])(
    'refuses access and changes with %j beside a cookie',
    async (authorization) => {
      const { cookie } = await signUp(server);
      const headers = { cookie, authorization, origin: 'https://evil.example' };
      expect((await me(headers)).status).toBe(401);
      for (const [path, body] of [
        ['/api/organizations', { name: 'Foreign' }],
        [
          '/api/auth/change-password',
          { currentPassword: 'correct horse battery', newPassword: 'foreign horse battery' },
        ],
        ['/api/auth/revoke-sessions', {}],
        ['/api/oauth/requests/x', { approve: false }],
      ] as const) {
        const answer = await post(server.url + path, body, headers);
        expect([path, answer.status, await answer.json()]).toEqual([
          path,
          401,
          expect.objectContaining({ error: 'unauthenticated' }),
        ]);
      }
      expect(await (await me({ cookie })).json()).toMatchObject({ user: { name: 'A Person' }, organizations: [] });
    },
  );
});

describe('device flow', () => {
  const begin = async () =>
    (await (await post(auth('/device/code'), { client_id: 'servicectl' })).json()) as Record<
      'device_code' | 'user_code' | 'verification_uri' | 'verification_uri_complete',
      string
    >;
  const poll = (device_code: string): Promise<Response> =>
    post(auth('/device/token'), {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code,
      client_id: 'servicectl',
    });

  it('hands the command line a bearer token once the person has approved', async () => {
    const { id, cookie } = await signUp(server);
    const { device_code, user_code, verification_uri, verification_uri_complete } = await begin();
    expect(verification_uri).toBe(`${server.url}/device`);
    expect(verification_uri_complete).toBe(`${server.url}/device?user_code=${user_code}`);

    const shown = await fetch(auth(`/device?user_code=${user_code}`), { headers: { cookie } });
    expect(await shown.json()).toMatchObject({ status: 'pending', client_id: 'servicectl' });
    expect((await post(auth('/device/approve'), { userCode: user_code }, { cookie })).status).toBe(200);

    const { access_token, token_type } = (await (await poll(device_code)).json()) as Record<string, string>;
    expect(token_type).toBe('Bearer');
    const authorization = `Bearer ${access_token}`;
    expect(await (await me({ authorization })).json()).toMatchObject({ user: { id } });
    const created = await post(`${server.url}/api/organizations`, { name: 'Mine' }, { authorization });
    const { organization } = (await created.json()) as { organization: { id: string } };
    const minted = await post(
      `${server.url}/api/tokens`,
      { organization: organization.id, scopes: ['connect:read'] },
      { authorization },
    );
    expect([minted.status, await minted.json()]).toEqual([201, expect.objectContaining({ token: expect.any(String) })]);
    expect(await (await poll(device_code)).json()).toMatchObject({ ok: false, error: 'invalid_grant' });

    expect((await post(auth('/sign-out'), {}, { authorization })).status).toBe(200);
    expect((await me({ authorization })).status).toBe(401);
    expect((await me({ cookie })).status).toBe(200);
  });

  it('says pending, then slow down, in the words of RFC 8628 and the shape of the service', async () => {
    const { device_code } = await begin();
    const pending = await poll(device_code);
    expect(pending.status).toBe(400);
    expect(await pending.json()).toMatchObject({
      ok: false,
      error: 'authorization_pending',
      error_description: expect.any(String),
      message: expect.any(String),
    });
    expect(await (await poll(device_code)).json()).toMatchObject({ error: 'slow_down' });
  });

  it('takes the form that RFC 8628 sends', async () => {
    const answer = await fetch(auth('/device/code'), {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'servicectl' }),
    });
    expect(await answer.json()).toMatchObject({ user_code: expect.any(String) });
  });

  it('gives nothing when the person denies', async () => {
    const { cookie } = await signUp(server);
    const { device_code, user_code } = await begin();
    await fetch(auth(`/device?user_code=${user_code}`), { headers: { cookie } });
    expect((await post(auth('/device/deny'), { userCode: user_code }, { cookie })).status).toBe(200);
    expect(await (await poll(device_code)).json()).toMatchObject({ error: 'access_denied' });
  });

  it('lets only the person who opened the code approve it, and no one without a session', async () => {
    const [owner, other] = [await signUp(server), await signUp(server)];
    const { user_code } = await begin();
    await fetch(auth(`/device?user_code=${user_code}`), { headers: { cookie: owner.cookie } });
    expect((await post(auth('/device/approve'), { userCode: user_code }, { cookie: other.cookie })).status).toBe(403);
    expect(await (await post(auth('/device/approve'), { userCode: user_code })).json()).toMatchObject({
      ok: false,
      error: 'unauthenticated',
    });
  });

  it('serves no unknown client and names a missing field', async () => {
    expect(await (await post(auth('/device/code'), { client_id: 'stranger' })).json()).toMatchObject({
      ok: false,
      error: 'invalid_client',
    });
    expect(await (await post(auth('/device/code'), {})).json()).toMatchObject({
      ok: false,
      error: 'invalid_request',
      details: { client_id: expect.any(String) },
    });
    expect(await (await fetch(auth('/device'))).json()).toMatchObject({ ok: false, error: 'unauthenticated' });
    expect(
      await (await fetch(auth('/device'), { headers: { cookie: (await signUp(server)).cookie } })).json(),
    ).toMatchObject({ ok: false, error: 'invalid_request', details: { user_code: expect.any(String) } });
  });
});
