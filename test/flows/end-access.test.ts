// Changing a password, or ending all sessions, is what a person does who suspects that someone else has access: everything
// that lets anybody in as them ends with it, unless they say otherwise.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { digestSecret } from '../../src/identity/secret-digests.ts';
import type { Database } from '../../src/store/database.ts';
import { openTestDatabase } from '../support/database.ts';
import {
  cookieOf,
  type IdentityServer,
  post,
  signUpWithOrganization,
  startIdentityServer,
} from '../support/http/identity-server.ts';
import { obtainTokens, opens, refreshTokens } from '../support/http/oauth-grant.ts';
import { quickHashing } from '../support/quick-hashing.ts';

const PASSWORD = 'correct horse battery';
let db: Database;
let server: IdentityServer;

beforeAll(async () => {
  db = await openTestDatabase();
  server = await startIdentityServer(db, { hashing: quickHashing });
});
afterAll(async () => {
  await server.close();
  await db.close();
});

const auth = (path: string): string => `${server.url}/api/auth${path}`;
const me = async (headers: Record<string, string>): Promise<boolean> =>
  (await fetch(`${server.url}/api/me`, { headers })).status === 200;
const begin = async () =>
  (await (await post(auth('/device/code'), { client_id: 'servicectl' })).json()) as {
    device_code: string;
    user_code: string;
  };
const poll = (device_code: string): Promise<Response> =>
  post(auth('/device/token'), {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code,
    client_id: 'servicectl',
  });

/** A person with everything that grants access: another browser, a command line, a device on its way, a token, a client. */
async function everywhere() {
  const person = await signUpWithOrganization(server, db);
  const { cookie } = person;
  const elsewhere = cookieOf(await post(auth('/sign-in/email'), { email: person.email, password: PASSWORD }));
  const approve = async () => {
    const device = await begin();
    await fetch(auth(`/device?user_code=${device.user_code}`), { headers: { cookie } });
    await post(auth('/device/approve'), { userCode: device.user_code }, { cookie });
    return device;
  };
  const { access_token: commandLine } = (await (await poll((await approve()).device_code)).json()) as {
    access_token: string;
  };
  const onItsWay = await approve();
  const named = (
    (await (
      await post(
        `${server.url}/api/tokens`,
        { name: 'Mine', organization: person.organizationId, scopes: ['connect:read'] },
        { cookie },
      )
    ).json()) as { token: string }
  ).token;
  const minted = async (headers: Record<string, string>): Promise<string> =>
    (
      (await (
        await post(
          `${server.url}/api/tokens`,
          { organization: person.organizationId, scopes: ['connect:read'] },
          headers,
        )
      ).json()) as { token: string }
    ).token;
  const short = {
    own: await minted({ cookie }),
    elsewhere: await minted({ cookie: elsewhere }),
    commandLine: await minted({ authorization: `Bearer ${commandLine}` }),
  };
  const first = await obtainTokens(server, person);
  const renewed = (await (await refreshTokens(server, first.clientId, first.refresh_token)).json()) as {
    access_token: string;
    refresh_token: string;
  };
  const alive = async () => ({
    elsewhere: await me({ cookie: elsewhere }),
    commandLine: await me({ authorization: `Bearer ${commandLine}` }),
    named: await opens(server, named),
    short: [await opens(server, short.elsewhere), await opens(server, short.commandLine)],
    client: [await opens(server, first.access_token), await opens(server, renewed.access_token)],
    refresh: (await refreshTokens(server, first.clientId, renewed.refresh_token)).ok,
    onItsWay: (await poll(onItsWay.device_code)).ok,
  });
  return { ...person, alive, own: short.own };
}

const ALL = {
  elsewhere: true,
  commandLine: true,
  named: true,
  short: [true, true],
  client: [true, true],
  refresh: true,
  onItsWay: true,
};
const NONE = {
  elsewhere: false,
  commandLine: false,
  named: false,
  short: [false, false],
  client: [false, false],
  refresh: false,
  onItsWay: false,
};
const change = { currentPassword: PASSWORD, newPassword: 'another horse battery' };

it.each([
  ['a new password', '/change-password', change],
  ['ending the other sessions', '/revoke-other-sessions', {}],
  ['ending all sessions', '/revoke-sessions', {}],
])('ends everything with %s', async (_what, path, body) => {
  const { cookie, alive, own } = await everywhere();
  const answer = await post(auth(path), body, { cookie });
  expect(answer.status).toBe(200);
  expect(await alive()).toEqual(NONE);
  // What the session that stays made for the moment stays with it.
  expect(await opens(server, own)).toBe(path !== '/revoke-sessions');
});

it.each([
  [
    'a new password',
    '/change-password',
    { ...change, keepTokens: true },
    { ...NONE, named: true, short: [true, true], client: [true, true], refresh: true },
  ],
  [
    'a new password, sessions too',
    '/change-password',
    { ...change, keepTokens: true, revokeOtherSessions: false },
    ALL,
  ],
  [
    'a new password, sessions only',
    '/change-password',
    { ...change, revokeOtherSessions: false },
    { ...NONE, elsewhere: true, commandLine: true, onItsWay: true },
  ],
  [
    'ending all sessions',
    '/revoke-sessions',
    { keepTokens: true },
    { ...NONE, named: true, short: [true, true], client: [true, true], refresh: true },
  ],
])('keeps what the person wants kept with %s', async (_what, path, body, kept) => {
  const { cookie, alive } = await everywhere();
  expect((await post(auth(path), body, { cookie })).status).toBe(200);
  expect(await alive()).toEqual(kept);
});

it('gives the browser that changed the password a new session in place of the one it had', async () => {
  const { cookie } = await signUpWithOrganization(server, db);
  const answer = await post(auth('/change-password'), change, { cookie });
  expect(answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^service\.session_token=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/),
  ]);
  expect([await me({ cookie }), await me({ cookie: cookieOf(answer) })]).toEqual([false, true]);
});

it('signs the browser out that ended all sessions, and only the others otherwise', async () => {
  const { cookie, email } = await signUpWithOrganization(server, db);
  expect((await post(auth('/revoke-other-sessions'), {}, { cookie })).status).toBe(200);
  expect(await me({ cookie })).toBe(true);
  const ended = await post(auth('/revoke-sessions'), {}, { cookie });
  expect(ended.headers.getSetCookie()[0]).toMatch(/^service\.session_token=[^;]*; Max-Age=0;/);
  expect(await me({ cookie })).toBe(false);
  expect((await post(auth('/sign-in/email'), { email, password: PASSWORD })).status).toBe(200);
});

it('ends nothing for a wrong password, a bad body or without a session', async () => {
  const { cookie, alive } = await everywhere();
  expect(
    (await post(auth('/change-password'), { ...change, currentPassword: 'a wrong guess' }, { cookie })).status,
  ).toBe(401);
  expect((await post(auth('/change-password'), { ...change, keepTokens: 'no' }, { cookie })).status).toBe(400);
  expect((await post(auth('/revoke-sessions'), { keepTokens: 1 }, { cookie })).status).toBe(400);
  expect((await post(auth('/revoke-sessions'), {})).status).toBe(401);
  expect(await alive()).toEqual(ALL);
});

it('affects no one else', async () => {
  const [ada, bob] = [await everywhere(), await everywhere()];
  expect((await post(auth('/revoke-sessions'), {}, { cookie: ada.cookie })).status).toBe(200);
  expect(await bob.alive()).toEqual(ALL);
});

it('closes an organization that requires a second factor to weak sessions, and leaves named tokens alone', async () => {
  const person = await signUpWithOrganization(server, db);
  const { cookie, organizationId: organization } = person;
  const mint = (headers: Record<string, string>, name?: string): Promise<Response> =>
    post(`${server.url}/api/tokens`, { ...(name ? { name } : {}), organization, scopes: ['connect:read'] }, headers);
  const { token: named } = (await (await mint({ cookie }, 'Mine')).json()) as { token: string };
  const device = async (): Promise<Record<string, string>> => {
    const { user_code: userCode, device_code } = await begin();
    await fetch(auth(`/device?user_code=${userCode}`), { headers: { cookie } });
    await post(auth('/device/approve'), { userCode }, { cookie });
    const { access_token } = (await (await poll(device_code)).json()) as { access_token: string };
    return { authorization: `Bearer ${access_token}` };
  };
  const weak = await device();
  await db.query('update :schema.identity_session set second_factor = true where token = $1', [
    digestSecret(tokenIn(cookie)),
  ]);
  const strong = await device();
  const turnedOn = await fetch(`${server.url}/api/organizations/${organization}/policy`, {
    method: 'PATCH',
    headers: { cookie, origin: server.url, 'content-type': 'application/json' },
    body: JSON.stringify({ requireSecondFactor: true }),
  });
  expect(turnedOn.status).toBe(200);

  const refused = await mint(weak);
  expect([refused.status, await refused.json()]).toEqual([
    403,
    expect.objectContaining({ error: 'second_factor_required' }),
  ]);
  expect(await me(weak)).toBe(true);
  // A device is as strong as the session that approved it.
  expect((await mint(strong)).status).toBe(201);
  expect(await opens(server, named)).toBe(true);
});

/** Of the session cookie. */
const tokenIn = (cookie: string): string => decodeURIComponent(/session_token=([^;.]+)/.exec(cookie)?.[1] ?? '');
