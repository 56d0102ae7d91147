import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sessionCookieName, signSessionToken } from '../../identity/sessions/session-cookie.ts';
import { setPlan } from '../../tenancy/organizations/set-plan.ts';
import { addPerson, addSession } from '../../../test/support/people.ts';
import { AUTH_SECRET, type Client, openTestWeb, PUBLIC_URL, type TestWeb } from '../../../test/support/http/web-app.ts';

let web: TestWeb;
beforeAll(async () => {
  web = await openTestWeb();
});
afterAll(() => web.close());

async function organizationOf(
  owner: Client,
  plan: 'free' | 'business' = 'business',
): Promise<{ id: string; slug: string; globalId: string; defaultId: string }> {
  const { status, body } = await owner.call('POST', '/api/organizations', { name: 'Acme' });
  expect(status).toBe(201);
  const { organization, workspaces } = body as unknown as {
    organization: { id: string; slug: string };
    workspaces: Record<string, { id: string }>;
  };
  await setPlan(web.db, organization.id, plan);
  return {
    id: organization.id,
    slug: organization.slug,
    globalId: workspaces['global']?.id ?? '',
    defaultId: workspaces['default']?.id ?? '',
  };
}

describe('the door', () => {
  it('authenticates before it looks at the input', async () => {
    for (const [method, path, body] of [
      ['GET', '/api/me', undefined],
      ['POST', '/api/organizations', '{'],
      ['POST', '/api/organizations', { nonsense: 1 }],
      ['PATCH', '/api/organizations/org_1/policy', { org: 'org_2' }],
      ['DELETE', '/api/workspaces/ws_1', undefined],
      ['DELETE', '/api/provider-keys/openai?provider=anthropic', undefined],
      ['GET', '/api/tokens?limit=x', undefined],
      ['GET', '/api/threads/thr_1?thread=thr_2&limit=x', undefined],
      ['POST', '/api/attachments', '{'],
      ['PATCH', '/api/me', '{'],
      ['POST', '/api/auth/change-password', {}],
      ['POST', '/api/auth/device/approve', {}],
    ] as const) {
      const answer = await web.call(method, path, body);
      expect([answer.status, answer.body]).toMatchObject([401, { ok: false, error: 'unauthenticated' }]);
    }
    const large = await web.call('POST', '/api/organizations', 'x'.repeat(2 * 1024 * 1024));
    expect(large.status).toBe(401);
  });

  it('answers an unknown route with 404 in JSON for every caller, and never with a page', async () => {
    const someone = await web.signIn();
    for (const path of ['/api', '/api/', '/api/nothing', '/api/organizations', '/v1/nothing', '/.well-known/nothing']) {
      for (const caller of [web, someone])
        expect(await caller.call('GET', path)).toMatchObject({ status: 404, body: { ok: false, error: 'not_found' } });
    }
  });

  it.each(['%ZZ', '%E0%A4', '%', '%ff'])('answers a path with %s in it 404', async (bad) => {
    const someone = await web.signIn();
    const paths = ['workspaces', 'threads', 'attachments', 'invitations'].map((kind) => `/api/${kind}/${bad}`);
    for (const path of [
      ...paths,
      `/api/organizations/${bad}/members`,
      `/api/oauth/requests/${bad}`,
      `/api/auth/${bad}`,
      `/api/${bad}`,
      `/${bad}`,
    ])
      expect(await someone.call('GET', path)).toMatchObject({ status: 404, body: { error: 'not_found' } });
  });

  it('names every bad field, and every unknown one', async () => {
    const someone = await web.signIn();
    expect(
      (await someone.call('POST', '/api/organizations', { name: '', slug: 'Not A Slug', extra: 1 })).body,
    ).toMatchObject({
      ok: false,
      error: 'invalid_request',
      details: { name: expect.any(String), slug: expect.any(String), extra: 'is not a known field' },
    });
    expect(await someone.call('POST', '/api/organizations', '{"name":')).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
    expect(await someone.call('GET', '/api/organizations/%00/members')).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
  });

  it('takes path parameters only from the path', async () => {
    const [owner, other] = [await web.signIn(), await web.signIn()];
    const [own, foreign] = [await organizationOf(owner), await organizationOf(other)];
    for (const [caller, mine, theirs] of [
      [owner, own, foreign],
      [other, foreign, own],
    ] as const) {
      const refused = { status: 400, body: { error: 'invalid_request', details: { org: 'is not a known field' } } };
      expect(
        await caller.call('PATCH', `/api/organizations/${mine.id}/policy`, { org: theirs.id, requireZdr: true }),
      ).toMatchObject(refused);
      expect(await caller.call('GET', `/api/organizations/${mine.id}/members?org=${theirs.id}`)).toMatchObject(refused);
      expect(
        await caller.call('PATCH', `/api/organizations/${theirs.id}/policy`, { org: mine.id, requireZdr: true }),
      ).toMatchObject({ status: 404, body: { error: 'not_found' } });
      expect(await caller.call('GET', `/api/organizations/${mine.id}/policy`)).toMatchObject({
        status: 200,
        body: { requireZdr: false },
      });
    }
    expect(
      await owner.call('DELETE', `/api/provider-keys/openai?provider=anthropic&workspace=${own.defaultId}`),
    ).toMatchObject({ status: 400, body: { details: { provider: 'is not a known field' } } });
    expect(
      await owner.call('DELETE', `/api/provider-keys/openai?workspace=${own.defaultId}`, { provider: 'anthropic' }),
    ).toMatchObject({ status: 400, body: { details: { provider: 'is not a known field' } } });
  });

  it('refuses unauthorized callers before invalid input', async () => {
    const [owner, member, stranger] = [await web.signIn(), await web.signIn(), await web.signIn()];
    const org = await organizationOf(owner);
    await owner.call('POST', `/api/organizations/${org.id}/members`, { email: member.email, role: 'member' });
    const { body } = await owner.call('POST', `/api/organizations/${org.id}/workspaces`, { name: 'Team' });
    const {
      workspace: { id: team },
    } = body as unknown as { workspace: { id: string } };
    await owner.call('POST', `/api/workspaces/${team}/members`, { user: member.id, role: 'member' });
    const settings = (area: string) => `Only organization owners or admins can manage ${area}.`;
    const path = `/api/organizations/${org.id}`;
    for (const [method, at, sent, error] of [
      ['POST', `${path}/members`, '{', settings('members')],
      ['POST', `${path}/members`, { email: 'nobody', role: 7 }, settings('members')],
      ['PATCH', `${path}/members/${owner.id}`, {}, settings('members')],
      ['POST', `${path}/invitations`, [], settings('members')],
      ['GET', `${path}/invitations?limit=many`, undefined, settings('members')],
      ['PATCH', `${path}/policy`, '{', settings('policies')],
      ['PATCH', `${path}/policy`, { requireZdr: 'yes' }, settings('compliance')],
      ['PATCH', `${path}/policy`, { toolSwitches: 1 }, settings('tools')],
      ['POST', `${path}/guardrails`, { name: '' }, settings('guardrails')],
      ['POST', `${path}/guardrails/grd_1/versions`, {}, settings('guardrails')],
      ['POST', `${path}/guardrails/grd_1/test`, {}, settings('guardrails')],
      ['PATCH', `/api/workspaces/${team}`, { name: 7 }, 'workspace_authority_required'],
      ['POST', `/api/workspaces/${team}/members`, '{', 'workspace_authority_required'],
      ['PATCH', `/api/workspaces/${team}/members/${owner.id}`, {}, 'workspace_authority_required'],
      ['PUT', `/api/workspaces/${team}/models-account`, {}, 'workspace_authority_required'],
      ['PUT', '/api/provider-keys/openai', { organization: org.id, workspace: 'global', key: 7 }, settings('API keys')],
      [
        'PUT',
        '/api/provider-keys/openai',
        { workspace: team, key: 7 },
        'Only workspace or organization owners or admins can manage provider keys.',
      ],
    ] as const) {
      expect(await member.call(method, at, sent)).toMatchObject({ status: 403, body: { ok: false, error } });
      expect(await owner.call(method, at, sent)).toMatchObject({
        status: 400,
        body: { ok: false, error: 'invalid_request' },
      });
      if (at !== '/api/provider-keys/openai')
        expect(await stranger.call(method, at, sent)).toMatchObject({ status: 404, body: { error: 'not_found' } });
    }
  });

  it('refuses an over-large body', async () => {
    const someone = await web.signIn();
    expect(await someone.call('POST', '/api/organizations', { name: 'x'.repeat(2 * 1024 * 1024) })).toMatchObject({
      status: 413,
      body: { error: 'request_too_large' },
    });
  });

  it('refuses a write with a cookie from another origin, and takes it from its own', async () => {
    const person = await addPerson(web.db);
    const token = await addSession(web.db, person);
    const cookie = `${sessionCookieName({ publicUrl: PUBLIC_URL })}=${encodeURIComponent(signSessionToken(token, AUTH_SECRET))}`;
    const create = (headers: Record<string, string>): Promise<{ status: number; body: unknown }> =>
      web.call('POST', '/api/organizations', { name: 'Acme' }, { cookie, ...headers });
    expect(await create({ origin: 'https://evil.example' })).toMatchObject({
      status: 403,
      body: { error: 'cross_origin' },
    });
    expect(await create({ 'sec-fetch-site': 'cross-site' })).toMatchObject({
      status: 403,
      body: { error: 'cross_origin' },
    });
    expect(await create({ origin: PUBLIC_URL })).toMatchObject({ status: 201 });
    expect(await web.call('GET', '/api/me', undefined, { cookie, origin: 'https://evil.example' })).toMatchObject({
      status: 200,
      body: { user: { id: person.id } },
    });
  });

  it('carries the security headers, and lets nothing of the API be cached', async () => {
    const { headers } = await (await web.signIn()).call('GET', '/api/me');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("frame-ancestors 'none'");
    expect(/script-src ([^;]*)/.exec(policy)?.[1]).toBe("'self'");
  });

  it('is healthy while the database responds, and prints its contract', async () => {
    expect(await web.call('GET', '/healthz')).toMatchObject({ status: 200, body: { ok: true } });
    const gone = await openTestWeb();
    await gone.close();
    expect(await gone.call('GET', '/healthz')).toMatchObject({
      status: 503,
      body: { ok: false, error: 'unavailable' },
    });
    const { body } = await web.call('GET', '/openapi.json');
    const { openapi, paths } = body as unknown as {
      openapi: string;
      paths: Record<string, Record<string, { security: unknown }>>;
    };
    expect(openapi).toMatch(/^3\.1/);
    expect(paths['/api/me']?.['get']?.security).toEqual([{ session: [] }, { sessionCookie: [] }]);
    expect(paths['/runtime/service/verify']?.['get']?.security).toEqual([
      { connectToken: [] },
      { connectTokenHeader: [] },
    ]);
    expect(paths['/api/organizations/{org}/members/{user}']).toMatchObject({ patch: {}, delete: {} });
  });
});

describe('people', () => {
  it('creates an organization with its owner, Global and Default, and shows it in /api/me', async () => {
    const owner = await web.signIn('Ada');
    const { body } = await owner.call('POST', '/api/organizations', { name: 'Analytical Engines' });
    expect(body).toMatchObject({
      organization: {
        slug: expect.stringMatching(/^analytical-engines/),
        name: 'Analytical Engines',
        plan: 'free',
        role: 'owner',
      },
      workspaces: {
        global: { kind: 'global', slug: 'global', role: 'owner', canManage: true },
        default: { kind: 'default', slug: 'default', role: 'owner', canManage: true },
      },
    });
    const me = await owner.call('GET', '/api/me');
    expect(me.body).toEqual({
      user: { id: owner.id, name: 'Ada', email: owner.email },
      organizations: [(body as Record<string, unknown>)['organization']],
    });
  });

  it('refuses member changes by anyone who does not manage the organization, with the exact sentence', async () => {
    const [owner, member] = [await web.signIn(), await web.signIn()];
    const org = await organizationOf(owner);
    expect(
      await owner.call('POST', `/api/organizations/${org.slug}/members`, {
        email: member.email.toUpperCase(),
        role: 'member',
      }),
    ).toMatchObject({ status: 201, body: { member: { user: member.id, role: 'member' } } });
    const refused = {
      status: 403,
      body: { ok: false, error: 'Only organization owners or admins can manage members.' },
    };
    expect(
      await member.call('POST', `/api/organizations/${org.id}/members`, { email: 'a@b.test', role: 'member' }),
    ).toMatchObject(refused);
    expect(
      await member.call('PATCH', `/api/organizations/${org.id}/members/${owner.id}`, { role: 'member' }),
    ).toMatchObject(refused);
    expect(await member.call('DELETE', `/api/organizations/${org.id}/members/${owner.id}`)).toMatchObject(refused);
    expect(
      await member.call('POST', `/api/organizations/${org.id}/invitations`, { email: 'a@b.test', role: 'member' }),
    ).toMatchObject(refused);
    expect(await member.call('GET', `/api/organizations/${org.id}/members`)).toMatchObject({
      status: 200,
      body: { members: [{ user: owner.id, role: 'owner' }, { user: member.id }] },
    });
    expect(
      await owner.call('PATCH', `/api/organizations/${org.id}/members/${owner.id}`, { role: 'member' }),
    ).toMatchObject({ status: 409, body: { error: 'last_owner' } });
    expect(await owner.call('DELETE', `/api/organizations/${org.id}/members/${owner.id}`)).toMatchObject({
      status: 409,
      body: { error: 'last_owner' },
    });
    expect(
      await owner.call('POST', `/api/organizations/${org.id}/members`, {
        email: 'nobody@example.test',
        role: 'member',
      }),
    ).toMatchObject({ status: 404, body: { error: 'user_not_found' } });
    expect(
      await owner.call('POST', `/api/organizations/${org.id}/members`, { email: member.email, role: 'member' }),
    ).toMatchObject({ status: 409, body: { error: 'already_member' } });
    expect(await member.call('DELETE', `/api/organizations/${org.id}/members/${member.id}`)).toMatchObject({
      status: 200,
      body: { ok: true },
    });
  });

  it('keeps the last owner in every case, and lets only owners change other owners', async () => {
    const [owner, admin, second] = [await web.signIn(), await web.signIn(), await web.signIn()];
    const org = await organizationOf(owner);
    const members = `/api/organizations/${org.id}/members`;
    await owner.call('POST', members, { email: admin.email, role: 'admin' });
    for (const role of ['admin', 'member'])
      expect(await admin.call('PATCH', `${members}/${owner.id}`, { role })).toMatchObject({
        status: 409,
        body: { error: 'last_owner' },
      });
    expect(await admin.call('DELETE', `${members}/${owner.id}`)).toMatchObject({
      status: 409,
      body: { error: 'last_owner' },
    });
    await owner.call('POST', members, { email: second.email, role: 'owner' });
    expect(await admin.call('PATCH', `${members}/${owner.id}`, { role: 'member' })).toMatchObject({
      status: 403,
      body: { error: 'owner_required' },
    });
    expect(await admin.call('DELETE', `${members}/${owner.id}`)).toMatchObject({
      status: 403,
      body: { error: 'owner_required' },
    });
    expect(await admin.call('PATCH', `${members}/${admin.id}`, { role: 'owner' })).toMatchObject({
      status: 403,
      body: { error: 'owner_required' },
    });
  });

  it('invites by a link that the addressed person accepts', async () => {
    const [owner, invitee] = [await web.signIn(), await web.signIn()];
    const org = await organizationOf(owner);
    const { status, body } = await owner.call('POST', `/api/organizations/${org.id}/invitations`, {
      email: invitee.email,
      role: 'admin',
    });
    const { invitation } = body as unknown as { invitation: { id: string; url: string } };
    expect([status, invitation.url]).toEqual([201, `${PUBLIC_URL}/invitations/${invitation.id}`]);
    expect(await invitee.call('GET', `/api/invitations/${invitation.id}`)).toMatchObject({
      status: 200,
      body: { invitation: { organization: { id: org.id, name: 'Acme' }, role: 'admin' } },
    });
    expect(await owner.call('POST', `/api/invitations/${invitation.id}/accept`)).toMatchObject({ status: 404 });
    for (let i = 0; i < 2; i++)
      expect(await invitee.call('POST', `/api/invitations/${invitation.id}/accept`)).toMatchObject({
        status: 200,
        body: { organization: { id: org.id, role: 'admin' } },
      });
    expect(await owner.call('GET', `/api/organizations/${org.id}/invitations`)).toMatchObject({
      body: { invitations: [] },
    });
  });

  it('refuses a full organization with seat_capacity_reached', async () => {
    const owner = await web.signIn();
    const org = await organizationOf(owner, 'free');
    for (let i = 0; i < 2; i++)
      await owner.call('POST', `/api/organizations/${org.id}/members`, {
        email: (await web.signIn()).email,
        role: 'member',
      });
    for (const [path, email] of [
      ['members', (await web.signIn()).email],
      ['invitations', 'x@example.test'],
    ]) {
      expect(await owner.call('POST', `/api/organizations/${org.id}/${path}`, { email, role: 'member' })).toMatchObject(
        { status: 409, body: { error: 'seat_capacity_reached' } },
      );
    }
  });
});

describe('lists', () => {
  it('treat an empty cursor as none, and refuse one that is not theirs', async () => {
    const owner = await web.signIn();
    const org = await organizationOf(owner);
    const path = `/api/organizations/${org.id}`;
    const { body } = await owner.call('POST', `${path}/guardrails`, {
      name: 'Plain',
      rules: [{ kind: 'pii', config: {} }],
    });
    const { group } = body as unknown as { group: { id: string } };
    for (const list of [
      `${path}/members`,
      `${path}/invitations`,
      `${path}/workspaces`,
      `/api/workspaces/${org.defaultId}/members`,
      '/api/tokens',
      `/api/threads?organization=${org.id}`,
      `${path}/guardrails`,
      `${path}/guardrails/${group.id}/versions`,
      '/api/oauth/grants',
    ]) {
      const at = (cursor: string): string => `${list}${list.includes('?') ? '&' : '?'}cursor=${cursor}`;
      expect(await owner.call('GET', at(''))).toMatchObject({
        status: 200,
        text: (await owner.call('GET', list)).text,
      });
      for (const cursor of ['nonsense', 'org_0000000000', '%00', '-1', 'bm9uc2Vuc2U', "'", 'x'.repeat(501)]) {
        expect([list, cursor, await owner.call('GET', at(cursor))]).toMatchObject([
          list,
          cursor,
          { status: 400, body: { error: 'invalid_request', details: { cursor: expect.any(String) } } },
        ]);
      }
    }
  });
});

describe('workspaces and tokens', () => {
  it('walks a named workspace through its life', async () => {
    const [owner, member] = [await web.signIn(), await web.signIn()];
    const org = await organizationOf(owner);
    await owner.call('POST', `/api/organizations/${org.id}/members`, { email: member.email, role: 'member' });
    const created = await member.call('POST', `/api/organizations/${org.slug}/workspaces`, { name: 'Research' });
    const { workspace } = created.body as unknown as { workspace: { id: string } };
    expect(created).toMatchObject({
      status: 201,
      body: { workspace: { slug: 'research', kind: 'named', role: 'owner', canManage: true, organization: org.id } },
    });
    expect(await owner.call('GET', `/api/organizations/${org.id}/workspaces`)).toMatchObject({
      body: { workspaces: [{ slug: 'default' }, { slug: 'research', canManage: true }] },
    });
    expect(
      await member.call('POST', `/api/workspaces/${workspace.id}/members`, { user: owner.id, role: 'admin' }),
    ).toMatchObject({ status: 201, body: { member: { user: owner.id, role: 'admin' } } });
    expect(
      await member.call('PATCH', `/api/workspaces/${workspace.id}/members/${owner.id}`, { role: 'member' }),
    ).toMatchObject({ status: 200, body: { member: { role: 'member' } } });
    expect(await owner.call('PATCH', `/api/workspaces/${workspace.id}`, { name: 'Labs', slug: 'labs' })).toMatchObject({
      body: { workspace: { name: 'Labs', slug: 'labs', role: 'member' } },
    });
    expect(await member.call('DELETE', `/api/workspaces/${workspace.id}/members/${member.id}`)).toMatchObject({
      status: 200,
    });
    expect(await member.call('GET', `/api/workspaces/${workspace.id}`)).toMatchObject({
      status: 404,
      body: { error: 'not_found' },
    });
    expect(await owner.call('DELETE', `/api/workspaces/${workspace.id}`)).toMatchObject({
      status: 200,
      body: { ok: true },
    });
    for (const id of [org.defaultId, org.globalId])
      expect(await owner.call('DELETE', `/api/workspaces/${id}`)).toMatchObject({
        status: 409,
        body: { error: 'workspace_reserved' },
      });
    expect(await member.call('PATCH', `/api/workspaces/${org.defaultId}`, { name: 'x' })).toMatchObject({
      status: 403,
      body: { error: 'workspace_authority_required' },
    });
  });

  it('mints, lists and revokes tokens of the signed-in user only', async () => {
    const owner = await web.signIn();
    const org = await organizationOf(owner);
    const minted = await owner.call('POST', '/api/tokens', {
      name: 'ci',
      organization: org.slug,
      scopes: ['jobs:write'],
      expiresIn: '90d',
    });
    const { id, token, expiresAt } = minted.body as unknown as { id: string; token: string; expiresAt: string };
    expect(minted.status).toBe(201);
    expect(Math.round((Date.parse(expiresAt) - Date.now()) / 86_400_000)).toBe(90);
    const listed = await owner.call('GET', `/api/tokens?organization=${org.id}`);
    expect(listed.body).toMatchObject({ tokens: [{ id, name: 'ci', organization: org.id, scopes: ['jobs:write'] }] });
    expect(listed.text).not.toContain(token);
    expect(await owner.call('DELETE', `/api/tokens/${id}`)).toMatchObject({ status: 200, body: { ok: true } });
    expect((await owner.call('GET', '/api/tokens')).body).toMatchObject({
      tokens: [{ id, revokedAt: expect.any(String) }],
    });
    expect(await owner.call('POST', '/api/tokens', { organization: org.id, scopes: ['everything'] })).toMatchObject({
      status: 400,
    });
    expect(
      await owner.call('POST', '/api/tokens', { organization: org.id, scopes: ['chat'], name: 'x', expiresIn: '400d' }),
    ).toMatchObject({ status: 400, body: { details: { expiresIn: expect.any(String) } } });
    // A connect token is not a session and cannot mint tokens.
    expect(
      await web.call(
        'POST',
        '/api/tokens',
        { organization: org.id, scopes: ['chat'] },
        { authorization: `Bearer ${token}` },
      ),
    ).toMatchObject({ status: 401 });
  });
});
