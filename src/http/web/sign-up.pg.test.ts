// Who may come in, and what a stranger is given: accounts, organizations and signup credit, asked over HTTP.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { PUBLIC_URL, type Client, openTestWeb, type TestWeb } from '../../../test/support/http/web-app.ts';
import { addOrganization } from '../../../test/support/people.ts';
import { newId } from '../../base/ids.ts';
import { AUTH_ROUTES } from './auth-routes.ts';

interface Made {
  organization: { id: string; slug: string; plan: string };
}

const PASSWORD = 'correct horse battery';
let people = 0;
const newEmail = (): string => `stranger${++people}@example.test`;

async function countAccounts(web: TestWeb): Promise<number> {
  const { rows } = await web.db.query<{ accounts: number }>('select count(*) as accounts from :schema.identity_user');
  return rows[0]?.accounts ?? 0;
}

async function granted(owner: Client, org: string): Promise<number> {
  const { body } = await owner.call('GET', `/api/organizations/${org}/usage`);
  return (body as unknown as { signupCredit: { granted: number } }).signupCredit.granted;
}

const signUp = (web: TestWeb, email: string, invitation?: string) =>
  web.call(
    'POST',
    '/api/auth/sign-up/email',
    { name: 'A Stranger', email, password: PASSWORD, ...(invitation === undefined ? {} : { invitation }) },
    { origin: PUBLIC_URL },
  );
const create = (client: Client, name = 'Org') => client.call('POST', '/api/organizations', { name });

describe('sign-up for the invited', () => {
  let web: TestWeb;
  let owner: Client;
  let org: string;
  beforeAll(async () => {
    web = await openTestWeb({ rules: { signUp: 'invited' } });
    owner = await web.signIn();
    org = (await addOrganization(web.db, owner)).id;
  });
  afterAll(() => web.close());

  const invite = async (email: string): Promise<string> =>
    (
      (await owner.call('POST', `/api/organizations/${org}/invitations`, { email, role: 'member' }))
        .body as unknown as { invitation: { id: string } }
    ).invitation.id;

  it('is public', async () => {
    expect((await web.call('GET', '/api/sign-in-options')).body).toEqual({ signUp: 'invited', mail: false });
  });

  it('takes the holder of a link to their own address, who can then accept it', async () => {
    const email = newEmail();
    const invitation = await invite(email);
    const answer = await signUp(web, email.toUpperCase(), invitation);
    expect(answer.status).toBe(200);
    const cookie = answer.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    const accepted = await web.call(
      'POST',
      `/api/invitations/${invitation}/accept`,
      {},
      { cookie, origin: PUBLIC_URL },
    );
    expect(accepted).toMatchObject({ status: 200, body: { organization: { id: org, role: 'member' } } });
  });

  it('refuses everyone else in the same way, and stores nothing', async () => {
    const [invited, expired, accepted, revoked] = [newEmail(), newEmail(), newEmail(), newEmail()];
    const live = await invite(invited);
    const dead = { expired: await invite(expired), accepted: await invite(accepted), revoked: await invite(revoked) };
    await web.db.query("update :schema.invitation set expires_at = now() - interval '1 second' where id = $1", [
      dead.expired,
    ]);
    await web.db.query('update :schema.invitation set accepted_by = $2, accepted_at = now() where id = $1', [
      dead.accepted,
      owner.id,
    ]);
    await owner.call('DELETE', `/api/organizations/${org}/invitations/${dead.revoked}`);
    const before = await countAccounts(web);
    const answers = [
      await signUp(web, newEmail()),
      await signUp(web, invited),
      await signUp(web, owner.email),
      await signUp(web, newEmail(), live),
      await signUp(web, newEmail(), newId('inv')),
      await signUp(web, expired, dead.expired),
      await signUp(web, accepted, dead.accepted),
      await signUp(web, revoked, dead.revoked),
    ];
    for (const { status, text } of answers) expect({ status, text }).toEqual({ status: 403, text: answers[0]?.text });
    expect(answers[0]?.body).toMatchObject({ ok: false, error: 'sign_up_closed' });
    expect(await countAccounts(web)).toBe(before);
  });
});

describe('a closed sign-up', () => {
  let web: TestWeb;
  beforeAll(async () => {
    web = await openTestWeb({ rules: { signUp: 'closed' } });
  });
  afterAll(() => web.close());

  it('refuses an invited person and a malformed request too', async () => {
    const owner = await web.signIn();
    const { id: org } = await addOrganization(web.db, owner);
    const email = newEmail();
    const { invitation } = (
      await owner.call('POST', `/api/organizations/${org}/invitations`, { email, role: 'member' })
    ).body as unknown as { invitation: { id: string } };
    expect(await signUp(web, email, invitation.id)).toMatchObject({ status: 403, body: { error: 'sign_up_closed' } });
    expect(await web.call('POST', '/api/auth/sign-up/email', { email: 7 }, { origin: PUBLIC_URL })).toMatchObject({
      status: 403,
      body: { error: 'sign_up_closed' },
    });
  });

  it('leaves no other way to an account, through whichever route of the identity library', async () => {
    const ways = [...Object.keys(AUTH_ROUTES), ...OF_THE_LIBRARY];
    const before = await countAccounts(web);
    for (const way of ways) {
      const [method = '', path = ''] = way.split(' ');
      const email = newEmail();
      const body = {
        name: 'A Stranger',
        email,
        password: PASSWORD,
        newPassword: PASSWORD,
        provider: 'google',
        idToken: { token: 'x' },
        otp: '000000',
        token: 'x',
        client_id: 'servicectl',
        grant_type: 'x',
        device_code: 'x',
        userCode: 'x',
        data: { email },
      };
      const { status } = await web.call(method, `/api/auth${path}`, method === 'GET' ? undefined : body, {
        origin: PUBLIC_URL,
      });
      if (!(way in AUTH_ROUTES)) expect({ way, status }).toEqual({ way, status: 404 });
    }
    expect(await countAccounts(web)).toBe(before);
  });
});

/** Routes by which the library, or one of its plugins, makes accounts. None of them is offered. */
const OF_THE_LIBRARY = [
  'POST /sign-in/social',
  'GET /callback/google',
  'POST /callback/google',
  'POST /sign-in/anonymous',
  'POST /sign-in/magic-link',
  'GET /magic-link/verify',
  'POST /sign-in/email-otp',
  'POST /sign-in/phone-number',
  'POST /sign-in/oauth2',
  'GET /oauth2/callback/x',
  'POST /sign-in/sso',
  'POST /one-tap/callback',
  'POST /siwe/verify',
  'POST /admin/create-user',
  'POST /sign-up/username',
  'POST /sign-up/email/',
];

describe('organizations that only the operator creates', () => {
  let web: TestWeb;
  beforeAll(async () => {
    web = await openTestWeb({ rules: { newOrganizations: 'operator' } });
  });
  afterAll(() => web.close());

  it('are refused to everyone else, and the app knows', async () => {
    const person = await web.signIn();
    expect(await create(person)).toMatchObject({ status: 403, body: { ok: false, error: 'organizations_closed' } });
    expect((await person.call('GET', '/api/me')).body).toMatchObject({ organizations: [], organizationsClosed: true });
  });
});

describe('what a person gets', () => {
  let web: TestWeb;
  beforeAll(async () => {
    web = await openTestWeb();
  });
  afterAll(() => web.close());

  it('is how many organizations one person may have, even with sixty concurrent requests', async () => {
    const person = await web.signIn();
    const answers = await Promise.all(Array.from({ length: 60 }, () => create(person)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(new Set(refused.map(({ status, body }) => `${status} ${String(body['error'])}`))).toEqual(
      new Set(['409 organization_limit_reached']),
    );
    const { organizations } = (await person.call('GET', '/api/me')).body as unknown as {
      organizations: { id: string }[];
    };
    expect(organizations).toHaveLength(10);
    const credits = await Promise.all(organizations.map(({ id }) => granted(person, id)));
    expect(credits.filter((credit) => credit > 0)).toEqual([5]);
  });

  it('is signup credit for the first organization only, even after it is deleted', async () => {
    const person = await web.signIn();
    const { organization: first } = (await create(person)).body as unknown as Made;
    expect(await granted(person, first.id)).toBe(5);
    await web.db.transaction(async (tx) => {
      for (const table of ['workspace', 'organization_member', 'chat_version'])
        await tx.query(`delete from :schema.${table} where organization_id = $1`, [first.id]);
      await tx.query('delete from :schema.organization where id = $1', [first.id]);
    });
    const { organization: second } = (await create(person)).body as unknown as Made;
    expect(await granted(person, second.id)).toBe(0);
  });

  it('counts what a person created, not where others made them an owner', async () => {
    const [person, friend] = [await web.signIn(), await web.signIn()];
    for (let i = 0; i < 10; i++) {
      const { organization } = (await create(friend)).body as unknown as Made;
      expect(
        (
          await friend.call('POST', `/api/organizations/${organization.id}/members`, {
            email: person.email,
            role: 'owner',
          })
        ).status,
      ).toBe(201);
      // Leaving it does not make room for another.
      expect((await friend.call('DELETE', `/api/organizations/${organization.id}/members/${friend.id}`)).status).toBe(
        200,
      );
    }
    expect((await create(friend)).status).toBe(409);
    const { organization } = (await create(person)).body as unknown as Made;
    expect(await granted(person, organization.id)).toBe(5);
  });

  it('is the plan that the operator chose', async () => {
    const other = await openTestWeb({ rules: { firstPlan: 'team', organizationsPerPerson: 1 } });
    const person = await other.signIn();
    const { organization } = (await create(person)).body as unknown as Made;
    expect(organization.plan).toBe('team');
    expect((await create(person)).body).toMatchObject({ error: 'organization_limit_reached', details: { limit: 1 } });
    await other.close();
  });

  it('says, for an account that is added by its address, that the address is not verified and when it was registered', async () => {
    const [owner, other] = [await web.signIn(), await web.signIn()];
    const { organization } = (await create(owner)).body as unknown as Made;
    const answer = await owner.call('POST', `/api/organizations/${organization.id}/members`, {
      email: other.email,
      role: 'member',
    });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        member: { user: other.id, name: other.name, role: 'member' },
        account: { verified: false, registeredAt: expect.stringMatching(/^\d{4}-.*Z$/) },
      },
    });
  });
});

it('gives no session to an account that is shut, and one again once it is open', async () => {
  const web = await openTestWeb();
  onTestFinished(() => web.close());
  const email = newEmail();
  await signUp(web, email);
  const signIn = () =>
    web.call('POST', '/api/auth/sign-in/email', { email, password: PASSWORD }, { origin: PUBLIC_URL });
  const shut = (at: Date | null) =>
    web.db.query('update :schema.identity_user set disabled_at = $2 where email = $1', [email, at]);
  await shut(new Date());
  expect(await signIn()).toMatchObject({ status: 403, body: { error: 'account_disabled' } });
  await shut(null);
  expect((await signIn()).status).toBe(200);
});
