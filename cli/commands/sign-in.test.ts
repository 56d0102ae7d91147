import { describe, expect, it } from 'vitest';
import { json, refuse } from '../../test/support/cli/canned-service.ts';
import { TOKEN, useCliStand } from '../../test/support/cli/cli-stand.ts';

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
    expect((await stand.credentials()).accounts[stand.url]).toMatchObject({ session: 'new-session', tokenId: 'tok_2' });
    expect(stand.requests().at(-1)).toMatchObject({ method: 'DELETE', path: '/api/tokens/tok_1' });
  });

  it('stores a given token once the service has accepted it', async () => {
    stand.serve({ 'GET /runtime/service/stream': { streams: [] } });
    expect(await stand.servicectl(['login', '--token', '-', '--json'], { input: `${TOKEN}\n` })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"scopes":["chat","jobs:read"]'),
    });
    expect((await stand.credentials()).accounts[stand.url]).toEqual({ token: TOKEN });
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
    expect(await stand.credentials()).toEqual({ accounts: {} });
    expect(stand.requests().map(({ bearer }) => bearer)).toEqual(['the-session', 'the-session']);
  });

  it('deletes the credentials even if the service fails', async () => {
    stand.serve({ 'POST /api/auth/sign-out': refuse(503, 'unavailable') });
    expect(await stand.servicectl(['logout'])).toMatchObject({ code: 0, stderr: expect.stringContaining('revoke it') });
    expect(await stand.credentials()).toEqual({ accounts: {} });
  });
});

describe('whoami', () => {
  it('shows the user, the organization and the scopes', async () => {
    stand.serve({ 'GET /runtime/service/stream': { streams: [] }, 'GET /api/me': ME });
    const { code, stdout } = await stand.servicectl(['whoami']);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^user\tAda <ada@example.test>\norganization\tAcme\n[\s\S]*^scopes\tchat jobs:read$/m),
    ]);
  });

  it('exits 3 if the service does not accept the token', async () => {
    stand.serve({ 'GET /runtime/service/stream': refuse(401, 'unauthenticated') });
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

  it('use switches to another and revokes the old token', async () => {
    stand.serve({ 'GET /api/me': ME, 'POST /api/tokens': NEW_TOKEN, 'DELETE /api/tokens/tok_1': { ok: true } });
    expect(await stand.servicectl(['organizations', 'use', 'second'])).toMatchObject({
      code: 0,
      stderr: 'Switched to Second Inc.\n',
    });
    expect((await stand.credentials()).accounts[stand.url]?.organization?.slug).toBe('second');
  });

  it('use refuses one that is not yours', async () => {
    stand.serve({ 'GET /api/me': ME });
    expect(await stand.servicectl(['organizations', 'use', 'other'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('You belong to: acme, second'),
    });
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
    expect((await stand.credentials()).accounts[stand.url]?.workspace).toBeUndefined();
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
  });
});
