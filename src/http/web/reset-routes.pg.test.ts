// A lost password over HTTP, with mail that is queued and read from the queue.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, openTestWeb, PUBLIC_URL, type TestWeb } from '../../../test/support/http/web-app.ts';
import { poll } from '../../../test/support/poll.ts';
import { quickHashing } from '../../../test/support/quick-hashing.ts';
import { readConfig } from '../../base/config.ts';
import { makeOperatorLink } from '../../leaving/reset-link.ts';
import { createMailer } from '../../mail/create-mailer.ts';
import { claimMail, type WaitingMail } from '../../mail/mail-queue.ts';

const key = randomBytes(32);
const OLD = 'correct horse battery';
const NEW = 'another horse battery';
let at = Date.now();
const clock = (): Date => new Date(at);
let web: TestWeb;
let people = 0;
const taken: WaitingMail[] = [];
beforeAll(async () => {
  web = await openTestWeb({ hashing: quickHashing, clock, mailer: createMailer({ key, actor: 'system:web', clock }) });
});
afterAll(() => web.close());

const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  web.call('POST', `/api/auth${path}`, body, { origin: PUBLIC_URL, ...headers });
const cookieOf = ({ headers }: Answer): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
const signIn = (email: string, password: string, headers?: Record<string, string>): Promise<Answer> =>
  post('/sign-in/email', { email, password }, headers);

async function signUp(headers?: Record<string, string>): Promise<{ email: string; id: string; cookie: string }> {
  const email = `person${++people}@example.test`;
  const answer = await post('/sign-up/email', { name: 'Some Body', email, password: OLD }, headers);
  return { email, id: (answer.body as unknown as { user: { id: string } }).user.id, cookie: cookieOf(answer) };
}

/** Every mail to the address so far. */
async function mailTo(email: string): Promise<WaitingMail[]> {
  taken.push(...(await claimMail(web.db, key, clock(), 100)));
  return taken.filter(({ recipient }) => recipient === email);
}

const firstMail = (email: string, kind: string): Promise<WaitingMail> =>
  poll(async () => (await mailTo(email)).find((mail) => mail.kind === kind));

async function askForLink(email: string): Promise<string> {
  expect((await post('/forgot-password', { email })).body).toEqual({ ok: true });
  return tokenOf(((await firstMail(email, 'reset-password')).values as { link: string }).link);
}
const tokenOf = (link: string): string => link.slice(`${PUBLIC_URL}/reset-password#`.length);

it('lets back in who can read the mail of the account, once, and ends what went with the old password', async () => {
  const { email, cookie } = await signUp();
  const token = await askForLink(email.toUpperCase().trim().toLowerCase());
  expect((await post('/reset-password', { token, password: 'password' })).body).toMatchObject({
    error: 'password_refused',
  });
  const answer = await post('/reset-password', { token, password: NEW });
  expect(answer.body).toEqual({ ok: true });
  expect((await web.call('GET', '/api/me', undefined, { cookie })).status).toBe(401);
  expect((await web.call('GET', '/api/me', undefined, { cookie: cookieOf(answer) })).status).toBe(401);
  expect((await signIn(email, OLD)).body).toMatchObject({ error: 'invalid_credentials' });
  expect((await signIn(email, NEW)).status).toBe(200);
  expect((await post('/reset-password', { token, password: 'a third horse battery' })).body).toMatchObject({
    error: 'link_invalid',
  });
  expect((await firstMail(email, 'sign-in-changed')).values).toEqual({ what: 'password' });
});

it('takes only one of two uses of a link at the same time', async () => {
  const { email } = await signUp();
  const token = await askForLink(email);
  const answers = await Promise.all(
    ['one horse battery', 'two horse batteries'].map((password) => post('/reset-password', { token, password })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 410]);
});

it('answers a stranger the same with and without an account, and sends nothing to nobody', async () => {
  const { email } = await signUp();
  const [known, unknown] = [
    await post('/forgot-password', { email }),
    await post('/forgot-password', { email: 'nobody@example.test' }),
  ];
  const shape = ({ status, text, headers }: Answer) => ({ status, text, headers: [...headers].sort() });
  expect(shape(unknown)).toEqual(shape(known));
  await firstMail(email, 'reset-password');
  expect(await mailTo('nobody@example.test')).toEqual([]);
});

it.each(['ada@example.test\nbcc: eve@example.test', 'ada@example.test\r\n', 'ada\u0000@example.test', 'ada'])(
  'refuses %j as an address',
  async (email) => expect((await post('/forgot-password', { email })).status).toBe(400),
);

it('opens nothing with a link that is old, replaced, or for an address or an account of before', async () => {
  const use = async (token: string): Promise<unknown> => (await post('/reset-password', { token, password: NEW })).body;
  const [late, replaced, moved, changed, shut] = [
    await signUp(),
    await signUp(),
    await signUp(),
    await signUp(),
    await signUp(),
  ];
  const first = await askForLink(replaced.email);
  await post('/forgot-password', { email: replaced.email });
  await poll(async () => (await mailTo(replaced.email)).filter(({ kind }) => kind === 'reset-password').length === 2);
  expect(await use(first)).toMatchObject({ error: 'link_invalid' });

  const sent = await askForLink(moved.email);
  await web.db.query('update :schema.identity_user set email = $2 where id = $1', [moved.id, `new.${moved.email}`]);
  expect(await use(sent)).toMatchObject({ error: 'link_invalid' });

  const before = await askForLink(changed.email);
  await post('/change-password', { currentPassword: OLD, newPassword: NEW }, { cookie: changed.cookie });
  expect(await use(before)).toMatchObject({ error: 'link_invalid' });

  const open = await askForLink(shut.email);
  await web.db.query('update :schema.identity_user set disabled_at = now() where id = $1', [shut.id]);
  expect(await use(open)).toMatchObject({ error: 'account_disabled' });
  expect((await post('/forgot-password', { email: shut.email })).body).toEqual({ ok: true });

  const token = await askForLink(late.email);
  at += 60 * 60_000 + 1;
  expect(await use(token)).toMatchObject({ error: 'link_invalid' });
});

it("lets in with an operator's link without mail, and writes down who made it", async () => {
  const { id, email } = await signUp();
  const config = readConfig({ SERVICE_PUBLIC_URL: PUBLIC_URL });
  const { link } = await makeOperatorLink({ db: web.db, clock, config }, { id, operator: 'operator:ada' });
  expect((await post('/reset-password', { token: tokenOf(link), password: NEW })).status).toBe(200);
  expect((await signIn(email, NEW)).status).toBe(200);
  const { rows } = await web.db.query('select operator, act, kind from :schema.operator_act where subject_id = $1', [
    id,
  ]);
  expect(rows).toEqual([{ operator: 'operator:ada', act: 'reset-password', kind: 'person' }]);
});

it('tells people about a browser that they have not used before, in the language of the app', async () => {
  const { email, cookie } = await signUp({ 'accept-language': 'de' });
  const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
  await signIn(email, OLD, { cookie, ...agent });
  expect(await mailTo(email)).toEqual([]);
  await signIn(email, OLD, agent);
  expect(await firstMail(email, 'new-device')).toMatchObject({ language: 'de', values: { device: 'Firefox, Linux' } });
});

it.each([
  ['/sign-up/email', { name: 'Ada Lovelace', email: 'lovelace@example.test', password: 'lovelace1815' }],
  ['/sign-up/email', { name: 'Ada', email: 'ada@example.test', password: 'Password1' }],
])('refuses a password that is guessed first at %s', async (path, body) => {
  expect(await post(path, body)).toMatchObject({ status: 422, body: { error: 'password_refused' } });
});
