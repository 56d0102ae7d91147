import { describe, expect, it } from 'vitest';
import { json, refuse } from '../../test/support/cli/canned-service.ts';
import { ACCOUNT, TOKEN, useCliStand } from '../../test/support/cli/cli-stand.ts';
import { type StoredAccount, writeCredentials } from '../credentials.ts';

const stand = useCliStand();
const NOW = '2026-01-02T03:04:05.000Z';
const ME = {
  user: { id: 'usr_1', name: 'Ada', email: 'ada@example.test' },
  organizations: [
    { id: 'org_1', slug: 'acme', name: 'Acme', plan: 'team', role: 'owner' },
    { id: 'org_2', slug: 'second', name: 'Second Inc.', plan: 'free', role: 'member' },
  ],
};
const WORKSPACES = {
  workspaces: [
    { id: 'ws_1', organization: 'org_1', slug: 'default', name: 'Default', kind: 'default', canManage: true },
    { id: 'ws_2', organization: 'org_1', slug: 'research', name: 'Research', kind: 'named', canManage: false },
  ].map((one) => ({ ...one, role: 'member', createdAt: NOW })),
};
const token = (id: string, name: string, more: object = {}) => ({
  id,
  name,
  organization: 'org_1',
  scopes: ['chat'],
  createdAt: NOW,
  expiresAt: '2030-01-01T00:00:00.000Z',
  ...more,
});
const OWNER = {
  user: ME.user,
  organization: { id: 'org_1', slug: 'acme', name: 'Acme' },
  workspace: null,
  scopes: ['chat'],
  expiresAt: '2030-01-01T00:00:00.000Z',
};
const NEW_TOKEN = () => json({ id: 'tok_2', token: TOKEN, expiresAt: '2030-02-01T00:00:00.000Z' }, 201);

describe('login', () => {
  const CODE = {
    device_code: 'device',
    user_code: 'ABCD-EFGH',
    verification_uri: 'http://service.test/device',
    verification_uri_complete: 'http://service.test/device?user_code=ABCD-EFGH',
    expires_in: 60,
    interval: 0,
  };

  it('waits for the approval, creates a token, stores it and revokes the previous one', async () => {
    const polls = [json({ error: 'authorization_pending' }, 400), json({ access_token: 'new-session' })];
    stand.serve({
      'POST /api/auth/device/code': CODE,
      'POST /api/auth/device/token': () => polls.shift() ?? json({}),
      'GET /api/me': ME,
      'POST /api/tokens': NEW_TOKEN,
      'DELETE /api/tokens/tok_1': { ok: true },
    });
    const { code, stdout, stderr } = await stand.servicectl(['login', '--organization', 'acme', '--days', '7']);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/ABCD-EFGH[\s\S]*Signed in to http\S+ as a member of Acme\.\n$/);
    expect(stand.requests().find(({ path }) => path === '/api/tokens')).toMatchObject({
      bearer: 'new-session',
      body: { organization: 'org_1', expiresIn: '7d' },
    });
    expect((await stand.credentials()).accounts[0]).toMatchObject({ session: 'new-session', tokenId: 'tok_2' });
    expect(stand.requests().at(-1)).toMatchObject({ method: 'DELETE', path: '/api/tokens/tok_1' });
  });

  it('stores a given token once the service has accepted it', async () => {
    stand.serve({ 'GET /runtime/caller': OWNER });
    expect(await stand.servicectl(['login', '--token', '-', '--json'], { input: `${TOKEN}\n` })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"scopes":["chat","jobs:read"]'),
    });
    expect((await stand.credentials()).accounts[0]).toEqual({
      url: stand.url,
      token: TOKEN,
      email: 'ada@example.test',
      organization: OWNER.organization,
    });
  });

  it('stores nothing when the request is declined', async () => {
    stand.serve({
      'POST /api/auth/device/code': CODE,
      'POST /api/auth/device/token': () => json({ error: 'access_denied' }, 400),
    });
    const before = await stand.credentials();
    expect(await stand.servicectl(['login'])).toMatchObject({ code: 3, stderr: expect.stringContaining('declined') });
    expect(await stand.credentials()).toEqual(before);
  });
});

describe('logout', () => {
  it('revokes the token, ends the session and deletes both', async () => {
    stand.serve({ 'DELETE /api/tokens/tok_1': { ok: true }, 'POST /api/auth/sign-out': { success: true } });
    expect(await stand.servicectl(['logout'])).toMatchObject({ code: 0, stderr: `Signed out of ${stand.url}.\n` });
    expect(await stand.credentials()).toEqual({ accounts: [] });
    expect(stand.requests().map(({ bearer }) => bearer)).toEqual(['the-session', 'the-session']);
  });

  it('deletes the credentials even if the service fails', async () => {
    stand.serve({ 'POST /api/auth/sign-out': refuse(503, 'unavailable') });
    expect(await stand.servicectl(['logout'])).toMatchObject({ code: 0, stderr: expect.stringContaining('revoke it') });
    expect(await stand.credentials()).toEqual({ accounts: [] });
  });
});

describe('whoami', () => {
  it('shows the user, the organization and the scopes', async () => {
    stand.serve({ 'GET /runtime/caller': OWNER });
    const { code, stdout } = await stand.servicectl(['whoami']);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^user\tAda <ada@example.test>\norganization\tAcme\n[\s\S]*^scopes\tchat jobs:read$/m),
    ]);
  });

  it('shows names with a token from the environment too', async () => {
    const environment = { SERVICE_URL: stand.url, SERVICE_TOKEN: TOKEN };
    stand.serve({ 'GET /runtime/caller': { ...OWNER, workspace: { id: 'ws_2', slug: 'research', name: 'Research' } } });
    expect((await stand.servicectl(['whoami'], { environment })).stdout).toMatch(
      /^user\tAda <ada@example.test>\norganization\tAcme\nworkspace\tResearch\n/m,
    );
  });

  it('exits 3 if the service does not accept the token', async () => {
    stand.serve({ 'GET /runtime/caller': refuse(401, 'unauthenticated') });
    expect(await stand.servicectl(['whoami'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('→ Run: servicectl login'),
    });
  });
});

describe('organizations', () => {
  it('lists them and marks the one in use', async () => {
    stand.serve({ 'GET /api/me': ME });
    expect((await stand.servicectl(['organizations'])).stdout).toBe(
      '*\tacme\tAcme\tteam\towner\torg_1\n\tsecond\tSecond Inc.\tfree\tmember\torg_2\n',
    );
  });

  it('use switches to another and back; nothing is revoked, and the second time nothing is created', async () => {
    const second = Buffer.from(JSON.stringify({ sub: 'usr_1', org: 'org_2' })).toString('base64url');
    stand.serve({
      'GET /api/me': ME,
      'POST /api/tokens': () =>
        json({ id: 'tok_2', token: `h.${second}.s`, expiresAt: '2030-02-01T00:00:00.000Z' }, 201),
    });
    expect(await stand.servicectl(['organizations', 'use', 'second'])).toMatchObject({
      code: 0,
      stderr: 'Switched to Second Inc.\n',
    });
    const organizations = async () =>
      (await stand.credentials()).accounts.map(({ organization }) => organization?.slug);
    expect(await organizations()).toEqual(['second', 'acme']);
    stand.serve({});
    expect(await stand.servicectl(['organizations', 'use', 'acme'])).toMatchObject({ code: 0 });
    expect([await organizations(), stand.requests()]).toEqual([['acme', 'second'], []]);
  });

  it('use refuses one that is not yours', async () => {
    stand.serve({ 'GET /api/me': ME });
    expect(await stand.servicectl(['organizations', 'use', 'other'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('You belong to: acme, second'),
    });
  });
});

describe('auth', () => {
  const other: StoredAccount = {
    ...ACCOUNT,
    url: 'https://other.test',
    organization: { id: 'org_2', slug: 'second', name: 'Second Inc.' },
  };
  const withOther = () => writeCredentials(stand.directory, { accounts: [{ url: stand.url, ...ACCOUNT }, other] });

  it('lists the sign-ins without their secrets, and switches without a request', async () => {
    await withOther();
    const { stdout } = await stand.servicectl(['auth']);
    expect(stdout).toBe(
      `*\tacme@${new URL(stand.url).host}\tAcme\tada@example.test\t2030-01-01T00:00:00.000Z\n\tsecond@other.test\tSecond Inc.\tada@example.test\t2030-01-01T00:00:00.000Z\n`,
    );
    expect((await stand.servicectl(['auth', '--json'])).stdout).not.toMatch(/the-session|signature/);
    expect(await stand.servicectl(['auth', 'switch', 'second'])).toMatchObject({
      code: 0,
      stderr: 'Commands now use second@other.test.\n',
    });
    expect((await stand.credentials()).accounts[0]).toEqual(other);
    expect(stand.requests()).toEqual([]);
    expect(await stand.servicectl(['auth', 'switch', 'nobody'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('→ Choose one of: second@other.test, acme@'),
    });
  });

  it('--as uses another sign-in for one command', async () => {
    await withOther();
    expect(JSON.parse((await stand.servicectl(['token', '--json', '--as', 'second'])).stdout)).toMatchObject({
      url: 'https://other.test',
    });
    expect((await stand.credentials()).accounts[0]?.url).toBe(stand.url);
  });

  it('logout leaves a session that another sign-in uses, and says what commands use now', async () => {
    const sibling = { ...other, url: stand.url, token: TOKEN.replace('header', 'other'), tokenId: 'tok_9' };
    await writeCredentials(stand.directory, { accounts: [{ url: stand.url, ...ACCOUNT }, sibling] });
    stand.serve({ 'DELETE /api/tokens/tok_1': { ok: true } });
    expect(await stand.servicectl(['logout'])).toMatchObject({
      code: 0,
      stderr: `Signed out of ${stand.url}.\nCommands now use second@${new URL(stand.url).host}.\n`,
    });
    expect(stand.requests()).toHaveLength(1);
    stand.serve({ 'DELETE /api/tokens/tok_9': { ok: true }, 'POST /api/auth/sign-out': { success: true } });
    expect(await stand.servicectl(['logout', '--all'])).toMatchObject({ code: 0 });
    expect(await stand.credentials()).toEqual({ accounts: [] });
  });
});

describe('workspaces', () => {
  it('lists every page and marks the one in use', async () => {
    const [first, second] = WORKSPACES.workspaces;
    stand.serve({
      'GET /api/organizations/org_1/workspaces': ({ query }) =>
        json(query['cursor'] === 'next' ? { workspaces: [second] } : { workspaces: [first], cursor: 'next' }),
    });
    expect((await stand.servicectl(['workspaces'])).stdout).toBe(
      '\tdefault\tDefault\tmember\tws_1\n\tresearch\tResearch\tmember\tws_2\n',
    );
  });

  it('use sets the workspace of later commands, and resets it', async () => {
    stand.serve({ 'GET /api/organizations/org_1/workspaces': WORKSPACES });
    expect(await stand.servicectl(['workspaces', 'use', 'research'])).toMatchObject({ code: 0 });
    stand.serve({ 'GET /connect/connections': { connections: [] } });
    await stand.servicectl(['connections']);
    expect(stand.requests()[0]?.query).toEqual({ workspace: 'ws_2' });
    stand.serve({ 'GET /api/organizations/org_1/workspaces': WORKSPACES });
    await stand.servicectl(['workspaces', 'use']);
    expect((await stand.credentials()).accounts[0]?.workspace).toBeUndefined();
  });

  it('use refuses an unknown one', async () => {
    stand.serve({ 'GET /api/organizations/org_1/workspaces': WORKSPACES });
    expect(await stand.servicectl(['workspaces', 'use', 'nowhere', '--json'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/"error":"workspace_not_found".*default, research/),
    });
  });
});

describe('token', () => {
  it('prints the token in use', async () => {
    expect(await stand.servicectl(['token'])).toEqual({ code: 0, stdout: `${TOKEN}\n`, stderr: '' });
    expect((await stand.servicectl(['token'], { environment: { SERVICE_TOKEN: 'a.b.c' } })).stdout).toBe('a.b.c\n');
  });

  it('exits 3 at an address without a sign-in', async () => {
    expect(await stand.servicectl(['token', '--url', 'http://other.test'])).toMatchObject({ code: 3, stdout: '' });
  });
});

describe('tokens', () => {
  it('lists those in force and marks the one in use; --all lists the others too', async () => {
    const tokens = [token('tok_1', 'laptop'), token('tok_3', 'old', { revokedAt: NOW })];
    stand.serve({ 'GET /api/tokens': { tokens } });
    expect((await stand.servicectl(['tokens'])).stdout).toMatch(/^\*\tlaptop\tchat\t-\t-\t-\t-\t2030\S+\ttok_1\n$/);
    expect((await stand.servicectl(['tokens', '--all'])).stdout).toMatch(
      /\n\told\tchat\t-\t-\t-\t-\trevoked\ttok_3\n$/,
    );
  });

  it('create prints the new token', async () => {
    stand.serve({ 'POST /api/tokens': NEW_TOKEN });
    const made = await stand.servicectl(['tokens', 'create', 'build', '--scope', 'chat', '--days', '7']);
    expect(made).toMatchObject({ code: 0, stdout: `${TOKEN}\n`, stderr: expect.stringContaining('not shown again') });
    expect(stand.requests()[0]?.body).toEqual({
      name: 'build',
      organization: 'org_1',
      scopes: ['chat'],
      expiresIn: '7d',
    });
  });

  it('create takes models and a monthly amount; rotate replaces a token and says how long the old one works', async () => {
    stand.serve({
      'POST /api/tokens': NEW_TOKEN,
      'GET /api/tokens': { tokens: [token('tok_4', 'build')] },
      'POST /api/tokens/tok_4/rotate': () =>
        json({ id: 'tok_2', token: TOKEN, expiresAt: '2030-02-01T00:00:00.000Z', oldExpiresAt: NOW }, 201),
    });
    await stand.servicectl([
      'tokens',
      'create',
      'ci',
      '--scope',
      'chat',
      '--model',
      'openai/*',
      '--monthly-usd',
      '2.5',
    ]);
    expect(stand.requests()[0]?.body).toMatchObject({ models: ['openai/*'], monthlyUsd: 2.5 });
    const rotated = await stand.servicectl(['tokens', 'rotate', 'build', '--overlap', '30m']);
    expect(rotated).toMatchObject({ code: 0, stdout: `${TOKEN}\n`, stderr: expect.stringContaining(NOW) });
    expect(stand.requests().at(-1)?.body).toEqual({ overlap: '30m' });
  });

  it('revoke takes a name that only one token has', async () => {
    stand.serve({
      'GET /api/tokens': { tokens: [token('tok_4', 'build'), token('tok_5', 'twin'), token('tok_6', 'twin')] },
      'DELETE /api/tokens/tok_4': { ok: true },
    });
    expect(await stand.servicectl(['tokens', 'revoke', 'build'])).toMatchObject({ stderr: 'Revoked build (tok_4).\n' });
    expect(await stand.servicectl(['tokens', 'revoke', 'twin'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('tok_5, tok_6'),
    });
    expect(await stand.servicectl(['tokens', 'revoke', 'gone'])).toMatchObject({ code: 1 });
    // After a rotation the name means the new one.
    const replaced = token('tok_7', 'ci', { revokedAt: '2029-01-01T00:00:00.000Z' });
    stand.serve({
      'GET /api/tokens': { tokens: [replaced, token('tok_8', 'ci')] },
      'DELETE /api/tokens/tok_8': { ok: true },
    });
    expect(await stand.servicectl(['tokens', 'revoke', 'ci'])).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Revoked ci \(tok_8\)\.\n.*works until 2029.*servicectl tokens revoke tok_7\n$/),
    });
  });
});
