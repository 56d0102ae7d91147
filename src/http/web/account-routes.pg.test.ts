// How people change what they sign in with, asked over HTTP, with the clock in the test's hand.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeBase32 } from '../../../test/support/http/decode-base32.ts';
import { SoftwarePasskey } from '../../../test/support/http/software-passkey.ts';
import { type Answer, type Client, openTestWeb, PUBLIC_URL, type TestWeb } from '../../../test/support/http/web-app.ts';
import { addOrganization, join } from '../../../test/support/people.ts';
import { quickHashing } from '../../../test/support/quick-hashing.ts';
import { codeOf, stepAt } from '../../identity/factors/one-time-codes.ts';
import type { Mail } from '../../mail/mail-kinds.ts';
import type { Mailer } from '../../mail/mailer.ts';

const PASSWORD = 'correct horse battery';
const MINUTE = 60_000;

let web: TestWeb;
let now: Date;
const mails: Mail[] = [];
const mailer = {
  configured: true,
  queue: async (_tx: unknown, mail: Mail) => void mails.push(mail),
} as unknown as Mailer;

beforeAll(async () => {
  now = new Date();
  web = await openTestWeb({ clock: () => now, hashing: quickHashing, mailer });
});
afterAll(() => web.close());

const later = (ms: number): void => {
  now = new Date(now.getTime() + ms);
};

/** A person with a password, signed in like a browser: cookies are kept. */
class Browser {
  readonly #cookies = new Map<string, string>();
  readonly email: string;
  constructor(email: string) {
    this.email = email;
  }
  async call(method: string, path: string, body?: unknown): Promise<Answer> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await web.call(method, path, body, { cookie, origin: PUBLIC_URL });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (/Max-Age=0/.test(set)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return answer;
  }
  post = (path: string, body: unknown = {}): Promise<Answer> => this.call('POST', path, body);
  signIn = (password = PASSWORD): Promise<Answer> =>
    this.post('/api/auth/sign-in/email', { email: this.email, password });
  async isSignedIn(): Promise<boolean> {
    return (await this.call('GET', '/api/me')).status === 200;
  }
  async session(): Promise<{ method: string; secondFactor: boolean }> {
    return ((await this.call('GET', '/api/me/sign-in')).body as unknown as { session: never }).session;
  }
}

let people = 0;
async function register(): Promise<Browser> {
  const browser = new Browser(`account${++people}@example.test`);
  const { status } = await browser.post('/api/auth/sign-up/email', {
    name: 'Somebody',
    email: browser.email,
    password: PASSWORD,
  });
  expect(status).toBe(200);
  expect((await browser.post('/api/me/proof', { password: PASSWORD })).status).toBe(200);
  return browser;
}

const refused = (status: number, error: string) =>
  expect.objectContaining({ status, body: expect.objectContaining({ error }) });

async function setUpCodes(browser: Browser): Promise<{ codeNow(): string; recovery: string[] }> {
  const { secret } = (await browser.post('/api/me/one-time-codes')).body as unknown as { secret: string };
  const codeNow = (): string => codeOf(decodeBase32(secret), stepAt(now));
  const { body } = await browser.post('/api/me/one-time-codes/confirm', { code: codeNow() });
  later(MINUTE);
  return { codeNow, recovery: (body as unknown as { recoveryCodes: string[] }).recoveryCodes };
}

async function addPasskey(browser: Browser): Promise<SoftwarePasskey> {
  const passkey = new SoftwarePasskey();
  const options = (await browser.post('/api/me/passkeys/options')).body as unknown as Parameters<
    SoftwarePasskey['make']
  >[0];
  const answer = await browser.post('/api/me/passkeys', { name: 'Key', passkey: passkey.make(options) });
  expect(answer.status).toBe(201);
  return passkey;
}

async function ask(browser: Browser): Promise<{ challenge: string }> {
  return (await browser.post('/api/auth/passkey/options')).body as unknown as { challenge: string };
}

describe('a fresh proof', () => {
  it('is asked for ten minutes after the last one, and the password renews it', async () => {
    const browser = await register();
    later(11 * MINUTE);
    expect(await browser.post('/api/me/one-time-codes')).toEqual(refused(403, 'proof_required'));
    expect(await browser.post('/api/me/proof', { password: 'not it' })).toEqual(refused(401, 'invalid_credentials'));
    expect(await browser.post('/api/me/one-time-codes')).toEqual(refused(403, 'proof_required'));
    await browser.post('/api/me/proof', { password: PASSWORD });
    expect((await browser.post('/api/me/one-time-codes')).status).toBe(200);
  });

  it('takes no more wrong passwords than signing in does', async () => {
    const browser = await register();
    const answers = [];
    for (let guess = 0; guess < 22; guess++) answers.push(await browser.post('/api/me/proof', { password: 'not it' }));
    expect(answers.slice(0, 20).every(({ status }) => status === 401)).toBe(true);
    expect(answers[20]).toEqual(refused(429, 'rate_limited'));
  });
});

describe('one-time codes', () => {
  it('count once a code has confirmed them, and then a password alone begins nothing', async () => {
    const browser = await register();
    await browser.post('/api/me/one-time-codes');
    const other = new Browser(browser.email);
    expect((await other.signIn()).body).toHaveProperty('user');
    expect(await browser.post('/api/me/one-time-codes/confirm', { code: '000000' })).toEqual(
      refused(401, 'invalid_code'),
    );
    const { codeNow, recovery } = await setUpCodes(browser);
    expect(recovery).toHaveLength(10);
    expect(await browser.session()).toEqual({ method: 'password', secondFactor: true });

    const third = new Browser(browser.email);
    const answer = await third.signIn();
    expect(answer).toMatchObject({ status: 200, body: { secondFactor: true } });
    expect(await third.isSignedIn()).toBe(false);
    expect((await third.post('/api/auth/second-factor', { code: codeNow() })).body).toHaveProperty('user');
    expect(await third.session()).toEqual({ method: 'password', secondFactor: true });
  });

  it('are accepted once, in order, and only with the question of this browser', async () => {
    const browser = await register();
    const { codeNow } = await setUpCodes(browser);
    const code = codeNow();
    const [first, second, third] = [1, 2, 3].map(() => new Browser(browser.email));
    for (const each of [first, second]) await each?.signIn();
    expect((await first?.post('/api/auth/second-factor', { code }))?.status).toBe(200);
    expect(await second?.post('/api/auth/second-factor', { code })).toEqual(refused(401, 'invalid_code'));
    later(30_000);
    expect(await third?.post('/api/auth/second-factor', { code: codeNow() })).toEqual(
      refused(401, 'challenge_expired'),
    );
    // The question of the first browser is answered: it opens nothing a second time.
    expect(await first?.post('/api/auth/second-factor', { code: codeNow() })).toEqual(
      refused(401, 'challenge_expired'),
    );
    expect((await second?.post('/api/auth/second-factor', { code: codeNow() }))?.status).toBe(200);
  });

  it('end the question after five wrong ones, or five minutes', async () => {
    const browser = await register();
    const { codeNow } = await setUpCodes(browser);
    const other = new Browser(browser.email);
    await other.signIn();
    for (let tries = 0; tries < 5; tries++) await other.post('/api/auth/second-factor', { code: 'aaaaaaaa' });
    expect(await other.post('/api/auth/second-factor', { code: codeNow() })).toEqual(refused(401, 'challenge_expired'));
    await other.signIn();
    later(5 * MINUTE);
    expect(await other.post('/api/auth/second-factor', { code: codeNow() })).toEqual(refused(401, 'challenge_expired'));
  });

  it('are replaced by recovery codes, each once, until those are renewed', async () => {
    const browser = await register();
    const { recovery } = await setUpCodes(browser);
    const [used = '', kept = ''] = recovery;
    const enter = async (code: string): Promise<Answer> => {
      const other = new Browser(browser.email);
      await other.signIn();
      return other.post('/api/auth/second-factor', { code });
    };
    expect((await enter(used.toUpperCase().replaceAll('-', ' '))).status).toBe(200);
    expect(await enter(used)).toEqual(refused(401, 'invalid_code'));
    const renewed = (await browser.post('/api/me/recovery-codes')).body as unknown as { recoveryCodes: string[] };
    expect(await enter(kept)).toEqual(refused(401, 'invalid_code'));
    expect((await enter(renewed.recoveryCodes[0] ?? '')).status).toBe(200);
  });

  it('leave with their recovery codes, which is told, and other sessions lose the factor', async () => {
    const browser = await register();
    await setUpCodes(browser);
    mails.length = 0;
    expect((await browser.call('DELETE', '/api/me/one-time-codes')).status).toBe(200);
    expect(mails).toEqual([{ kind: 'sign-in-changed', to: browser.email, values: { what: 'codes-removed' } }]);
    expect(await browser.session()).toEqual({ method: 'password', secondFactor: false });
    expect((await new Browser(browser.email).signIn()).body).toHaveProperty('user');
  });
});

describe('a passkey', () => {
  it('signs in without an address, as two factors', async () => {
    const browser = await register();
    const passkey = await addPasskey(browser);
    const other = new Browser('');
    const answer = await other.post('/api/auth/passkey', { passkey: passkey.use(await ask(other)) });
    expect(answer).toMatchObject({ status: 200, body: { user: { email: browser.email } } });
    expect(await other.session()).toEqual({ method: 'passkey', secondFactor: true });
  });

  it.each([
    ['an answer of another origin', { origin: 'https://elsewhere.example' }],
    ['an answer for another site', { site: 'elsewhere.example' }],
    ['one that checked no finger, face or PIN', { unverified: true as const }],
    ['a challenge that was not asked', { challenge: 'bmV2ZXIgYXNrZWQ' }],
    ['the name of somebody else', { userHandle: Buffer.from('usr_else').toString('base64url') }],
    ['a counter that went back', { counter: 0 }],
  ])('is refused with %s', async (_what, bend) => {
    const browser = await register();
    const passkey = await addPasskey(browser);
    await browser.post('/api/auth/passkey', { passkey: passkey.use(await ask(browser)) });
    const other = new Browser('');
    expect(await other.post('/api/auth/passkey', { passkey: passkey.use(await ask(other), bend) })).toEqual(
      refused(401, 'invalid_passkey'),
    );
    expect(await other.isSignedIn()).toBe(false);
  });

  it('answers a question once, and within five minutes', async () => {
    const passkey = await addPasskey(await register());
    const other = new Browser('');
    const asked = await ask(other);
    const late = await ask(other);
    const answer = { passkey: passkey.use(asked) };
    expect((await other.post('/api/auth/passkey', answer)).status).toBe(200);
    expect(await other.post('/api/auth/passkey', answer)).toEqual(refused(401, 'invalid_passkey'));
    later(5 * MINUTE);
    expect(await other.post('/api/auth/passkey', { passkey: passkey.use(late) })).toEqual(
      refused(401, 'invalid_passkey'),
    );
  });

  it('proves who its owner is, and nobody else', async () => {
    const [browser, other] = [await register(), await register()];
    const passkey = await addPasskey(browser);
    later(11 * MINUTE);
    const prove = async (who: Browser): Promise<Answer> => {
      const asked = (await who.post('/api/me/proof/options')).body as unknown as { challenge: string };
      return who.post('/api/me/proof', { passkey: passkey.use(asked) });
    };
    expect(await prove(other)).toEqual(refused(401, 'invalid_passkey'));
    expect(await browser.post('/api/me/recovery-codes')).toEqual(refused(403, 'proof_required'));
    expect((await prove(browser)).status).toBe(200);
    expect(await browser.post('/api/me/recovery-codes')).toEqual(refused(409, 'one_time_codes_missing'));
  });

  it('can be the only way in, but the last way in stays', async () => {
    const browser = await register();
    expect(await browser.call('DELETE', '/api/me/password')).toEqual(refused(409, 'last_way_in'));
    expect((await browser.signIn()).status).toBe(200);
    const passkey = await addPasskey(browser);
    expect((await browser.call('DELETE', '/api/me/password')).status).toBe(200);
    expect(await new Browser(browser.email).signIn()).toEqual(refused(401, 'invalid_credentials'));
    const ways = (await browser.call('GET', '/api/me/sign-in')).body as unknown as { passkeys: { id: string }[] };
    expect(await browser.call('DELETE', `/api/me/passkeys/${ways.passkeys[0]?.id}`)).toEqual(
      refused(409, 'last_way_in'),
    );
    const other = new Browser('');
    expect((await other.post('/api/auth/passkey', { passkey: passkey.use(await ask(other)) })).status).toBe(200);
    expect((await browser.call('PUT', '/api/me/password', { password: 'battery horse correct' })).status).toBe(200);
    expect((await new Browser(browser.email).signIn('battery horse correct')).status).toBe(200);
  });
});

describe('the address', () => {
  const secretOf = (mail: Mail | undefined): string =>
    new URL((mail?.values as { link: string } | undefined)?.link ?? '').hash.slice(1);

  it('changes when the link that was sent to it is opened by its person, and the old one is told', async () => {
    const [browser, stranger] = [await register(), await register()];
    const email = `new.${browser.email}`;
    mails.length = 0;
    const asked = await browser.call('PATCH', '/api/me', { email, name: 'Renamed' });
    expect(asked.body).toMatchObject({ user: { name: 'Renamed', email: browser.email }, proving: email });
    expect(mails).toMatchObject([{ kind: 'prove-address', to: email }]);
    const secret = secretOf(mails[0]);
    expect(await stranger.post('/api/me/address', { secret })).toEqual(refused(404, 'not_found'));
    expect((await browser.post('/api/me/address', { secret })).body).toMatchObject({ user: { email } });
    expect(mails[1]).toEqual({ kind: 'address-changed', to: browser.email, values: { address: email } });
    expect(await browser.post('/api/me/address', { secret })).toEqual(refused(404, 'not_found'));
    expect((await new Browser(email).signIn()).status).toBe(200);
  });

  it('of another account is refused only to who can read its mail', async () => {
    const [browser, other] = [await register(), await register()];
    mails.length = 0;
    expect((await browser.call('PATCH', '/api/me', { email: other.email })).status).toBe(200);
    expect(await browser.post('/api/me/address', { secret: secretOf(mails[0]) })).toEqual(refused(409, 'user_exists'));
  });

  it('is not asked for without mail', async () => {
    const silent = await openTestWeb();
    try {
      const person = await silent.signIn();
      expect(await person.call('PATCH', '/api/me', { email: 'new@example.test' })).toMatchObject({
        status: 409,
        body: { error: 'address_managed', details: { by: 'operator' } },
      });
    } finally {
      await silent.close();
    }
  });
});

it('ends one session with what was made in it, and no one else’s', async () => {
  const browser = await register();
  const [other, stranger] = [new Browser(browser.email), await register()];
  await other.signIn();
  const list = async (who: Browser): Promise<{ id: string; current: boolean }[]> =>
    ((await who.call('GET', '/api/me/sessions')).body as unknown as { sessions: never }).sessions;
  const ended = (await list(browser)).find(({ current }) => !current)?.id;
  expect(await stranger.call('DELETE', `/api/me/sessions/${ended}`)).toEqual(refused(404, 'not_found'));
  expect((await browser.call('DELETE', `/api/me/sessions/${ended}`)).status).toBe(200);
  expect([await other.isSignedIn(), await browser.isSignedIn()]).toEqual([false, true]);
  expect(await list(browser)).toHaveLength(1);
});

describe('an organization that requires a second factor', () => {
  let owner: Browser;
  let member: Client;
  let org: string;
  const thread = 'thr_closed';
  beforeAll(async () => {
    owner = await register();
    member = await web.signIn();
    const { user } = (await owner.call('GET', '/api/me')).body as unknown as { user: Client };
    org = (await addOrganization(web.db, user)).id;
    await join(web.db, org, member, 'member');
    await web.db.query(
      `insert into :schema.chat_thread (id, organization_id, workspace_id, user_id, title)
       select $1, $2, id, $3, 'closed' from :schema.workspace where organization_id = $2 and kind = 'default'`,
      [thread, org, member.id],
    );
  });

  it('cannot be closed to its own owner', async () => {
    const turnOn = (): Promise<Answer> =>
      owner.call('PATCH', `/api/organizations/${org}/policy`, { requireSecondFactor: true });
    expect(await turnOn()).toEqual(refused(403, 'second_factor_required'));
    await addPasskey(owner);
    expect((await turnOn()).status).toBe(200);
    expect((await owner.call('GET', `/api/organizations/${org}/policy`)).body).toMatchObject({
      requireSecondFactor: true,
    });
  });

  it.each<[string, () => string, (() => object)?]>([
    ['GET', () => `/api/organizations/${org}/policy`],
    ['GET', () => '/api/threads/thr_closed'],
    ['GET', () => '/api/threads/thr_closed/export?format=markdown'],
    ['GET', () => `/api/threads?organization=${org}`],
    ['POST', () => '/api/tokens', () => ({ organization: org, scopes: ['chat'] })],
  ])('is closed to a session without one: %s %s', async (...asked) => {
    const [method, path, body] = asked;
    expect(await member.call(method, path(), body?.())).toEqual(refused(403, 'second_factor_required'));
  });

  it('is still listed, and open to a session of the provider and one with a factor', async () => {
    expect((await member.call('GET', '/api/me')).body).toMatchObject({
      organizations: [{ id: org, needsSecondFactor: true }],
    });
    for (const change of ["method = 'openid'", 'second_factor = true']) {
      await web.db.query(`update :schema.identity_session set ${change} where user_id = $1`, [member.id]);
      expect((await member.call('GET', `/api/threads/${thread}`)).status).toBe(200);
      await web.db.query(
        "update :schema.identity_session set method = 'password', second_factor = false where user_id = $1",
        [member.id],
      );
    }
    const other = (await member.call('POST', '/api/organizations', { name: 'Other' })).body as unknown as {
      organization: { id: string };
    };
    expect((await member.call('GET', `/api/organizations/${other.organization.id}/policy`)).status).toBe(200);
  });
});
