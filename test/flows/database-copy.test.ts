// An attacker has a copy of the database, perhaps of last night, and nothing else: whatever is in it, presented in any
// way that a caller may prove anything, opens nothing. The secret that signs cookies is not in the database, but here
// it is given away as well: what is in a row is not what a cookie holds either.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sessionCookieName, signSessionToken } from '../../src/identity/sessions/session-cookie.ts';
import type { Database } from '../../src/store/database.ts';
import { openTestDatabase } from '../support/database.ts';
import {
  type IdentityServer,
  post,
  signUpWithOrganization,
  startIdentityServer,
} from '../support/http/identity-server.ts';
import {
  approveClient,
  type Approved,
  obtainTokens,
  openRequest,
  opens,
  redeemCode,
  refreshTokens,
} from '../support/http/oauth-grant.ts';
import { quickHashing } from '../support/quick-hashing.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

let db: Database;
let server: IdentityServer;
let person: Awaited<ReturnType<typeof signUpWithOrganization>>;
let cookie: string;
let device: { device_code: string; user_code: string };
let waiting: { user_code: string };
let approved: Approved;
let tokens: Awaited<ReturnType<typeof obtainTokens>>;
let handle: string;
let named: string;

/** One of everything that is alive. */
beforeAll(async () => {
  db = await openTestDatabase();
  server = await startIdentityServer(db, { hashing: quickHashing });
  person = await signUpWithOrganization(server, db);
  cookie = person.cookie;
  const begin = async () =>
    (await (await post(auth('/device/code'), { client_id: 'servicectl' })).json()) as {
      device_code: string;
      user_code: string;
    };
  device = await begin();
  await fetch(auth(`/device?user_code=${device.user_code}`), { headers: { cookie } });
  await post(auth('/device/approve'), { userCode: device.user_code }, { cookie });
  waiting = await begin();
  approved = await approveClient(server, person);
  tokens = await obtainTokens(server, person);
  ({ handle } = await openRequest(server, cookie));
  named = (
    (await (
      await post(
        `${server.url}/api/tokens`,
        { name: 'Mine', organization: person.organizationId, scopes: ['connect:read'] },
        { cookie },
      )
    ).json()) as { token: string }
  ).token;
});
afterAll(async () => {
  await server.close();
  await db.close();
});

const auth = (path: string): string => `${server.url}/api/auth${path}`;
const me = async (headers: Record<string, string>): Promise<boolean> =>
  (await fetch(`${server.url}/api/me`, { headers })).status === 200;
const redeemDevice = (device_code: string): Promise<Response> =>
  post(auth('/device/token'), { grant_type: GRANT, device_code, client_id: 'servicectl' });
const cookieName = (): string => sessionCookieName(server.settings);

/** Every way in, each answering whether it opened. */
const WAYS: Record<string, (value: string) => Promise<boolean>> = {
  'a bearer of the web server': (value) => me({ authorization: `Bearer ${value}` }),
  'a bearer of the runtime': (value) => opens(server, value),
  'a cookie': (value) => me({ cookie: `${cookieName()}=${encodeURIComponent(value)}` }),
  'a cookie that is signed': (value) =>
    me({ cookie: `${cookieName()}=${encodeURIComponent(signSessionToken(value, server.settings.authSecret))}` }),
  'a signed cookie of the library': async (value) =>
    (await (
      await fetch(auth('/get-session'), {
        headers: {
          cookie: `${cookieName()}=${encodeURIComponent(signSessionToken(value, server.settings.authSecret))}`,
        },
      })
    ).json()) !== null,
  'a device code': async (value) => (await redeemDevice(value)).ok,
  'a user code': async (value) =>
    (await fetch(auth(`/device?${new URLSearchParams({ user_code: value })}`), { headers: { cookie } })).ok,
  'a code': async (value) => (await redeemCode(server, { ...approved, code: value })).ok,
  'a refresh token': async (value) => (await refreshTokens(server, tokens.clientId, value)).ok,
  'the handle of a request': async (value) =>
    (await fetch(`${server.url}/api/oauth/requests/${encodeURIComponent(value)}`, { headers: { cookie } })).ok,
};

/** Every text, and every row of bytes in the forms in which bytes are sent, of every table that identifies people. */
async function everyValue(): Promise<Set<string>> {
  const columns = await db.query<{ table_name: string; column_name: string; data_type: string }>(
    `select table_name, column_name, data_type from information_schema.columns
      where table_schema = $1 and (table_name like 'identity\\_%' or table_name like 'oauth\\_%' or table_name = 'connect_token') and data_type in ('text', 'ARRAY', 'bytea')`,
    [db.schema],
  );
  expect(columns.rows.length).toBeGreaterThan(50);
  const found = new Set<string>();
  for (const { table_name: table, column_name: column } of columns.rows) {
    const { rows } = await db.query<{ value: string | string[] | Buffer | null }>(
      `select "${column}" as value from :schema."${table}"`,
    );
    for (const { value } of rows) {
      if (value === null) continue;
      const texts = Buffer.isBuffer(value)
        ? (['hex', 'base64', 'base64url', 'latin1'] as const).map((form) => value.toString(form))
        : [value].flat();
      for (const text of texts)
        for (const part of [text, ...text.split(':')]) if (/^[\x21-\x7e]+$/.test(part)) found.add(part);
    }
  }
  return found;
}

it('finds nothing in a copy of the database that opens anything', async () => {
  const values = await everyValue();
  expect(values.size).toBeGreaterThan(40);
  const accepted: string[] = [];
  for (const value of values) {
    for (const [way, isOpen] of Object.entries(WAYS)) if (await isOpen(value)) accepted.push(`${value} as ${way}`);
  }
  expect(accepted).toEqual([]);
});

it('was tried on a server where the secrets themselves open everything', async () => {
  const session = decodeURIComponent(new RegExp(`${cookieName()}=([^;]+)`).exec(cookie)?.[1] ?? '').split('.')[0] ?? '';
  expect({
    bearer: await WAYS['a bearer of the web server']?.(session),
    runtime: [
      await WAYS['a bearer of the runtime']?.(tokens.access_token),
      await WAYS['a bearer of the runtime']?.(named),
    ],
    cookie: await WAYS['a cookie that is signed']?.(session),
    library: await WAYS['a signed cookie of the library']?.(session),
    device: await WAYS['a device code']?.(device.device_code),
    user: await WAYS['a user code']?.(waiting.user_code),
    code: await WAYS['a code']?.(approved.code),
    refresh: await WAYS['a refresh token']?.(tokens.refresh_token),
    handle: await WAYS['the handle of a request']?.(handle),
  }).toEqual({
    bearer: true,
    runtime: [true, true],
    cookie: true,
    library: true,
    device: true,
    user: true,
    code: true,
    refresh: true,
    handle: true,
  });
});
