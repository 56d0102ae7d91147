import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  addCast,
  type Answer,
  type Cast,
  creation,
  openTestConnections,
  type TestConnections,
} from '../../../test/support/tools/connections.ts';
import { quiet } from '../../../test/support/database.ts';
import { send } from '../../../test/support/tools/fake-nango.ts';
import { AppError, errorBody } from '../../base/errors.ts';
import { loadConnectors } from '../../catalog/load-connectors.ts';
import { openListener } from '../../store/listen.ts';

let service: TestConnections;
let cast: Cast;
let token: string;
beforeAll(async () => {
  service = await openTestConnections();
});
afterAll(() => service.close());
beforeEach(async () => {
  cast = await addCast(service.db);
  token = await service.token(cast.owner, cast.organization);
  service.nango.connections = [];
  service.nango.integrations = new Set();
  service.nango.requests.length = 0;
  service.nango.answer = undefined;
});

const call = (method: string, path: string, body?: unknown, bearer: string | undefined = token): Promise<Answer> =>
  service.request(method, `/connect${path}`, {
    ...(bearer === undefined ? {} : { token: bearer }),
    ...(body === undefined ? {} : { body }),
  });
const tagsOf = (more: Record<string, string> = {}): Record<string, string> => ({
  organization_id: cast.organization.id,
  workspace_id: cast.organization.defaultId,
  end_user_id: cast.owner.id,
  ...more,
});

async function store(
  more: Record<string, string> = {},
  provider = 'github',
): Promise<{ id: string; connectionId: string }> {
  const event = creation(tagsOf(more), { providerConfigKey: provider, provider });
  await service.authorize(event);
  const workspace = more['workspace_id'] ?? cast.organization.defaultId;
  const { rows } = await service.db.query<{ id: string }>(
    'select id from :schema.org_connection_secret where workspace_id = $1 and provider = $2 and name = $3',
    [workspace, provider, more['connection_name'] ?? 'default'],
  );
  service.nango.requests.length = 0;
  return { id: rows[0]?.id ?? '', connectionId: event.connectionId };
}

const GITHUB_TOKEN = { kind: 'code-host-token', provider: 'github', token: 'ghp_verysecret' };

describe('scopes and membership', () => {
  const routes: [string, string, unknown, 'read' | 'write'][] = [
    ['GET', '/connections', undefined, 'read'],
    ['GET', '/connectors', undefined, 'read'],
    ['GET', '/capabilities', undefined, 'read'],
    ['GET', '/connections/ID/policy', undefined, 'read'],
    ['POST', '/sessions', { provider: 'github' }, 'write'],
    ['POST', '/connections/import', GITHUB_TOKEN, 'write'],
    ['PUT', '/connections/ID/policy', { actions: {} }, 'write'],
    ['DELETE', '/connections/ID', undefined, 'write'],
  ];
  it.each(routes)('%s %s', async (method, path, body, needs) => {
    const { id } = await store({ connection_name: 'x' });
    const at = path.replace('ID', id);
    const status = async (scopes: string): Promise<string> => {
      const { status: code, body: answer } = await call(
        method,
        at,
        body,
        await service.token(cast.owner, cast.organization, scopes),
      );
      return code === 403 ? answer.error : 'passed';
    };
    expect((await service.request(method, `/connect${at}`, body === undefined ? {} : { body })).status).toBe(401);
    expect(await status('chat jobs:read receipts:read')).toBe('insufficient_scope');
    expect(await status('connect:read')).toBe(needs === 'read' ? 'passed' : 'insufficient_scope');
    expect(await status('connect:write')).toBe('passed');
  });

  it.each(['%ZZ', '%E0%A4', '%', '%ff'])('an id written %s names nothing', async (id) => {
    for (const [method, path, body] of [
      ['GET', `/connections/${id}/policy`],
      ['PUT', `/connections/${id}/policy`, { actions: {} }],
      ['DELETE', `/connections/${id}`],
      ['GET', `/${id}`],
    ] as const)
      expect((await call(method, path, body)).status).toBe(404);
  });

  it('names a bad field of a policy as it was sent', async () => {
    const { id } = await store();
    expect(
      (await call('PUT', `/connections/${id}/policy?junk=1`, { actions: { read: 'yes' }, more: 1 })).body.details,
    ).toMatchObject({ junk: 'is not a known field', more: 'is not a known field', 'actions.read': expect.any(String) });
  });

  it('are checked before the body is read', async () => {
    const { id } = await store();
    const bearers = {
      insufficient_scope: await service.token(cast.owner, cast.organization, 'chat'),
      workspace_membership_required: await service.token(cast.outsider, cast.organization),
      workspace_authority_required: await service.token(cast.member, cast.organization),
    };
    for (const [error, bearer] of Object.entries(bearers)) {
      for (const [method, path, body] of [
        ['POST', '/sessions', {}],
        ['POST', '/connections/import', { workspace: 7 }],
        ['PUT', `/connections/${id}/policy`, { actions: 1 }],
        ['DELETE', `/connections/${id}?junk=1`, undefined],
      ] as const) {
        const { status, body: answer } = await call(method, path, body, bearer);
        // Any member may open a session; who is in no workspace of the organization learns of no id.
        if (error === 'workspace_authority_required' && path === '/sessions')
          expect([status, answer.error]).toEqual([400, 'invalid_request']);
        else if (error === 'workspace_membership_required' && path.includes(id)) expect(status).toBe(404);
        else expect([method, path, status, answer.error]).toEqual([method, path, 403, error]);
      }
    }
  });

  it('a workspace that the caller is not in, or that does not exist, is 403 in the same bytes', async () => {
    const bearer = await service.token(cast.member, cast.organization);
    for (const [method, path, body] of [
      ['GET', '/connections'],
      ['GET', '/capabilities'],
      ['POST', '/sessions', { provider: 'github' }],
      ['POST', '/connections/import', GITHUB_TOKEN],
    ] as const) {
      const at = (workspace: string): Promise<Answer> =>
        body === undefined
          ? call(method, `${path}?workspace=${workspace}`, undefined, bearer)
          : call(method, path, { ...body, workspace }, bearer);
      const [foreign, none] = [await at(cast.namedId), await at('ws_nothing')];
      expect([foreign.status, foreign.body.error]).toEqual([403, 'workspace_membership_required']);
      expect(foreign.text).toBe(none.text);
    }
  });

  it('members read, connect a new app and reconnect one that is not valid; import, policy, delete and reconnecting one that is valid take mutation authority', async () => {
    const { id, connectionId } = await store();
    service.nango.integrations.add('github');
    const bearer = await service.token(cast.member, cast.organization);
    const open = async (name?: string): Promise<[number, unknown]> => {
      const { status, body } = await call(
        'POST',
        '/sessions',
        { provider: 'github', ...(name === undefined ? {} : { name }) },
        bearer,
      );
      return [status, body.error];
    };
    expect((await call('GET', `/connections/${id}/policy`, undefined, bearer)).status).toBe(200);
    expect(await open('mine')).toEqual([201, undefined]);
    service.nango.requests.length = 0;
    expect(await open()).toEqual([403, 'workspace_authority_required']);
    expect(service.nango.requests).toEqual([]);
    expect((await call('POST', '/sessions', { provider: 'github' })).status).toBe(201);
    await service.db.query(
      "update :schema.org_connection_secret set expiry = now() - interval '1 hour' where id = $1",
      [id],
    );
    expect(await open()).toEqual([201, undefined]);
    await service.db.query('update :schema.org_connection_secret set expiry = null where id = $1', [id]);
    await service.webhook({
      type: 'auth',
      operation: 'refresh',
      success: false,
      connectionId,
      providerConfigKey: 'github',
    });
    expect(await open()).toEqual([201, undefined]);
    expect(service.nango.requests.at(-1)).toMatchObject({
      path: '/connect/sessions/reconnect',
      body: { connection_id: connectionId },
    });
    for (const [method, path, body] of [
      ['PUT', `/connections/${id}/policy`, { actions: {} }],
      ['DELETE', `/connections/${id}`],
      ['POST', '/connections/import', { ...GITHUB_TOKEN, name: 'm' }],
    ] as const) {
      expect(await call(method, path, body, bearer)).toMatchObject({
        status: 403,
        body: { error: 'workspace_authority_required' },
      });
    }
  });

  it('a token for one workspace reaches no other, and a foreign id looks like one that never existed', async () => {
    const { id } = await store();
    const restricted = await service.token(cast.owner, cast.organization, 'connect:read connect:write', cast.namedId);
    const other = await addCast(service.db);
    const foreign = await service.token(other.owner, other.organization);
    const disabled = JSON.stringify(errorBody(new AppError('tool_not_found')).body);
    for (const bearer of [restricted, foreign]) {
      for (const unresolved of [id, 'con_nothing', 'nothing', 'github:nobody', 'x'.repeat(200)]) {
        for (const [method, path, body] of [
          ['GET', '/policy', undefined],
          ['PUT', '/policy', {}],
          ['DELETE', '', undefined],
        ] as const) {
          const { status, text } = await call(method, `/connections/${unresolved}${path}`, body, bearer);
          expect([method, unresolved, status, text]).toEqual([method, unresolved, 404, disabled]);
        }
      }
    }
    expect(
      (await call('GET', `/connections?workspace=${cast.organization.defaultId}`, undefined, restricted)).status,
    ).toBe(403);
  });

  it('a connection of a named workspace is found by its id with a token for the whole organization', async () => {
    const { id } = await store({ workspace_id: cast.namedId });
    expect((await call('PUT', `/connections/${id}/policy`, { actions: { 'create-issue': true } })).status).toBe(200);
    expect(
      (await call('GET', `/connections/${id}/policy`, undefined, await service.token(cast.member, cast.organization)))
        .status,
    ).toBe(404);
  });
});

describe('connect sessions', () => {
  it('send the whole set of tags, allow the one integration, and complete the link', async () => {
    service.nango.integrations.add('github');
    const { status, body } = await call('POST', '/sessions', { provider: 'github', name: '  My\t Work ' });
    expect([status, Object.keys(body).sort()]).toEqual([201, ['connectLink', 'expiresAt', 'token']]);
    expect(new URL(body.connectLink).searchParams.get('apiURL')).toBe('https://service.example.test/integrations');
    expect(new URL(body.connectLink).searchParams.get('session_token')).toBe(body.token);
    expect(service.nango.requests.at(-1)).toMatchObject({
      method: 'POST',
      path: '/connect/sessions',
      body: { tags: tagsOf({ connection_name: 'my-work' }), allowed_integrations: ['github'] },
    });
  });

  it('use the reconnect route when the connection exists, with the whole set of tags', async () => {
    service.nango.integrations.add('github');
    const { connectionId } = await store();
    expect((await call('POST', '/sessions', { provider: 'github' })).status).toBe(201);
    expect(service.nango.requests.at(-1)).toMatchObject({
      path: '/connect/sessions/reconnect',
      body: { connection_id: connectionId, integration_id: 'github', tags: tagsOf({ connection_name: 'default' }) },
    });
  });

  it('fall back to a new connection when the provider no longer has the old one', async () => {
    service.nango.integrations.add('github');
    await store();
    service.nango.answer = ({ path }, response) => {
      if (!path.endsWith('/reconnect')) return false;
      send(response, 400, { error: { code: 'invalid_body' } });
      return true;
    };
    expect((await call('POST', '/sessions', { provider: 'github' })).status).toBe(201);
    expect(service.nango.requests.at(-1)?.path).toBe('/connect/sessions');
  });

  it('create a credential-only integration on first use, once, and never one that needs OAuth', async () => {
    for (let times = 0; times < 2; times++)
      expect((await call('POST', '/sessions', { provider: 'aws' })).status).toBe(201);
    const created = service.nango.requests.filter(({ method, path }) => method === 'POST' && path === '/integrations');
    expect(created.map(({ body }) => body)).toEqual([
      { provider: 'aws-iam', unique_key: 'aws', display_name: 'Amazon Web Services' },
    ]);
    for (const [provider, message] of [
      ['github', /register one/],
      ['trello', /register one/],
      ['linear-mcp', /reconcile --apply/],
      ['databricks', /reconcile --apply/],
    ] as const) {
      expect(await call('POST', '/sessions', { provider })).toMatchObject({
        status: 424,
        body: { error: 'integration_not_registered', message: expect.stringMatching(message), details: { provider } },
      });
    }
    expect(service.nango.integrations).toEqual(new Set(['aws']));
  });

  it('survive losing the race to create an integration', async () => {
    service.nango.answer = ({ method, path }, response) => {
      if (method !== 'POST' || path !== '/integrations') return false;
      service.nango.integrations.add('sentry');
      send(response, 400, { error: { code: 'invalid_body' } });
      return true;
    };
    expect((await call('POST', '/sessions', { provider: 'sentry' })).status).toBe(201);
  });

  it('keep the name agent-registry for cloud connectors', async () => {
    expect(await call('POST', '/sessions', { provider: 'sentry', name: 'Agent  Registry' })).toMatchObject({
      status: 400,
      body: { error: 'name_reserved' },
    });
    expect((await call('POST', '/sessions', { provider: 'aws', name: 'agent-registry' })).status).toBe(201);
  });

  it.each([
    ['an unknown connector', { provider: 'nothing' }, 404, 'connector_not_found'],
    ['a prototype name', { provider: '__proto__' }, 404, 'connector_not_found'],
    ['no connector', {}, 400, 'invalid_request'],
    ['an unknown key', { provider: 'github', more: 1 }, 400, 'invalid_request'],
    ['a name that is too long', { provider: 'sentry', name: 'x'.repeat(65) }, 400, 'invalid_request'],
    ['a name with control characters', { provider: 'sentry', name: 'a\u0007b' }, 400, 'invalid_request'],
  ])('%s is refused', async (_, body, status, error) => {
    expect(await call('POST', '/sessions', body)).toMatchObject({ status, body: { error } });
  });

  it.each([
    ['away', undefined, 502, 'provider_unreachable'],
    ['busy', 429, 429, 'provider_rate_limited'],
    ['failing', 500, 502, 'integration_provider_failed'],
    ['lying', 200, 502, 'integration_provider_failed'],
  ])('tell that the provider is %s, without its words', async (_, given, status, error) => {
    service.nango.integrations.add('github');
    service.nango.answer = ({ path }, response) => {
      if (path !== '/connect/sessions') return false;
      if (given === undefined) response.destroy();
      else
        send(
          response,
          given,
          {
            data: { token: 'x', connect_link: 'javascript:alert(1)', expires_at: 'soon' },
            message: `words with ${service.nango.secretKey}`,
          },
          { 'retry-after': '7' },
        );
      return true;
    };
    const answer = await call('POST', '/sessions', { provider: 'github' });
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    expect(answer.text).not.toContain(service.nango.secretKey);
    if (given === 429)
      expect([answer.body.details, answer.headers.get('retry-after')]).toEqual([{ retryAfterSeconds: 7 }, '7']);
  });
});

describe('imports', () => {
  const bundle = {
    Version: 1,
    AccessKeyId: 'AKIADEMO',
    SecretAccessKey: 'verysecret',
    SessionToken: 'alsosecret',
    Expiration: '2031-01-01T00:00:00Z',
  };
  it.each([
    ['local-cloud-profile', { kind: 'local-cloud-profile', provider: 'aws', profile: 'prod-admin' }, undefined],
    [
      'cloud-credential-process',
      { kind: 'cloud-credential-process', provider: 'aws', bundle },
      '2031-01-01T00:00:00.000Z',
    ],
    ['code-host-token', { ...GITHUB_TOKEN, host: 'github.example.com' }, undefined],
  ])('%s is stored encrypted and shown without its payload', async (kind, body, expiry) => {
    const answer = await call('POST', '/connections/import', { ...body, name: 'Mine' });
    expect(answer).toMatchObject({
      status: 201,
      body: { connection: { kind, name: 'mine', status: 'valid', workspace: cast.organization.defaultId } },
    });
    expect(answer.body.connection.expiry).toBe(expiry);
    const shown = answer.text + (await call('GET', '/connections')).text + (await call('GET', '/capabilities')).text;
    const { rows } = await service.db.query<{ row: string }>(
      'select t::text as row from :schema.org_connection_secret t where organization_id = $1',
      [cast.organization.id],
    );
    for (const secret of ['prod-admin', 'verysecret', 'alsosecret', 'AKIADEMO'])
      expect(shown + rows.map(({ row }) => row).join()).not.toContain(secret);
  });

  it('an expired bundle shows as expired, and is replaced in place by a fresh one', async () => {
    const first = await call('POST', '/connections/import', {
      kind: 'cloud-credential-process',
      provider: 'aws',
      bundle: { ...bundle, Expiration: '2020-01-01T00:00:00Z' },
    });
    expect(first.body.connection.status).toBe('expired');
    expect((await call('GET', '/capabilities')).body).toMatchObject({
      status: 'online',
      capabilities: { aws: { status: 'expired', command: 'aws', metadata: { profile: 'service' } } },
    });
    const second = await call('POST', '/connections/import', {
      kind: 'cloud-credential-process',
      provider: 'aws',
      bundle,
    });
    expect(second.body.connection).toMatchObject({ id: first.body.connection.id, status: 'valid' });
    expect(
      await call('POST', '/connections/import', { kind: 'local-cloud-profile', provider: 'aws', profile: 'x' }),
    ).toMatchObject({ status: 409, body: { error: 'connection_exists' } });
  });

  it.each([
    [
      'a profile for an app without a command line',
      { kind: 'local-cloud-profile', provider: 'github', profile: 'x' },
      400,
      'invalid_request',
    ],
    ['a token for no code host', { ...GITHUB_TOKEN, provider: 'slack' }, 400, 'invalid_request'],
    ['the fields of another kind', { ...GITHUB_TOKEN, profile: 'x' }, 400, 'invalid_request'],
    [
      'a kind that only the provider makes',
      { kind: 'integration-reference', provider: 'github' },
      400,
      'invalid_request',
    ],
    [
      'a bundle of another version',
      { kind: 'cloud-credential-process', provider: 'aws', bundle: { ...bundle, Version: 2 } },
      400,
      'invalid_request',
    ],
    [
      'a profile of two lines',
      { kind: 'local-cloud-profile', provider: 'aws', profile: 'a\n[default]' },
      400,
      'invalid_request',
    ],
    ['the reserved name', { ...GITHUB_TOKEN, name: 'agent-registry' }, 400, 'name_reserved'],
    ['an unknown connector', { ...GITHUB_TOKEN, provider: 'nothing' }, 404, 'connector_not_found'],
  ])('%s is refused, without repeating a secret', async (_, body, status, error) => {
    const answer = await call('POST', '/connections/import', body);
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    expect(answer.text).not.toContain('verysecret');
  });
});

describe('policy', () => {
  it('starts with reads on and writes off, is replaced part by part, and refuses unknown actions', async () => {
    const { id } = await store();
    const path = `/connections/${id}/policy`;
    const start = (await call('GET', path)).body;
    expect(start).toEqual({
      actions: {
        'list-repositories': true,
        'get-repository': true,
        'list-issues': true,
        'get-issue': true,
        'list-pull-requests': true,
        'create-issue': false,
      },
      repositories: { enforce: false, selected: [] },
      push: 'off',
    });
    expect((await call('PUT', path, { push: 'branches' })).body).toEqual({ ...start, push: 'branches' });
    expect((await call('PUT', path, { push: 'off' })).body).toEqual(start);
    expect((await call('PUT', path, { repositories: { enforce: true, selected: ['acme/app'] } })).body).toEqual({
      ...start,
      repositories: { enforce: true, selected: ['acme/app'] },
    });
    expect((await call('PUT', path, { actions: { 'create-issue': true, 'get-issue': false } })).body).toEqual({
      actions: { ...start.actions, 'create-issue': true, 'get-issue': false },
      repositories: { enforce: true, selected: ['acme/app'] },
      push: 'off',
    });
    expect((await call('PUT', path, { actions: {} })).body).toMatchObject({ actions: start.actions });
    for (const body of [
      { actions: { nothing: true } },
      { actions: { __proto__x: 1 } },
      { actions: { 'get-issue': 'yes' } },
      { repositories: { enforce: true } },
      { push: 'main' },
      { more: 1 },
    ])
      expect((await call('PUT', path, body)).body.error).toBe('invalid_request');
  });

  it('names repositories as the code host does, and enforces them on code hosts alone', async () => {
    const put = async (provider: string, repositories: unknown) =>
      call('PUT', `/connections/${(await store({}, provider)).id}/policy`, { repositories });
    expect((await put('slack', { enforce: true, selected: [] })).body).toMatchObject({
      error: 'invalid_request',
      details: { 'repositories.enforce': 'only applies to a code host' },
    });
    expect((await put('slack', { enforce: false, selected: [] })).status).toBe(200);
    for (const [provider, selected, bad] of [
      [
        'github',
        ['acme/app', 'acme', 'acme/', '/app', 'a/b/c', 'https://github.com/acme/app', 'ac me/app'],
        [1, 2, 3, 4, 5, 6],
      ],
      ['bitbucket', ['acme/app', 'a/b/c'], [1]],
      ['gitlab', ['acme/app', 'group/sub/project', 'group', 'group//project'], [2, 3]],
    ] as const) {
      const { status, body } = await put(provider, { enforce: true, selected });
      expect([status, body.details]).toEqual([
        400,
        Object.fromEntries(
          bad.map((at) => [`repositories.selected.${at}`, expect.stringContaining(JSON.stringify(selected[at]))]),
        ),
      ]);
      expect(
        (
          await put(provider, {
            enforce: true,
            selected: selected.filter((_, at) => !(bad as readonly number[]).includes(at)),
          })
        ).status,
      ).toBe(200);
    }
  });

  it('of a provider’s own MCP server takes any tool', async () => {
    const { id } = await store({}, 'linear-mcp');
    expect((await call('PUT', `/connections/${id}/policy`, { actions: { create_issue: true } })).body.actions).toEqual({
      create_issue: true,
    });
  });
});

describe('lists', () => {
  it('hide connections of the agent registry everywhere, and still let them be removed', async () => {
    await store({ connection_name: 'agent-registry' }, 'aws');
    expect((await call('GET', '/connections')).body).toEqual({ connections: [] });
    expect((await call('GET', '/capabilities')).body).toEqual({ status: 'offline', capabilities: {} });
    expect((await call('DELETE', '/connections/aws:agent-registry')).status).toBe(200);
  });

  it('show exactly the replicated fields', async () => {
    const { id, connectionId } = await store();
    const { body, text } = await call('GET', '/connections');
    expect(body.connections).toEqual([
      {
        id,
        organization: cast.organization.id,
        workspace: cast.organization.defaultId,
        provider: 'github',
        name: 'default',
        kind: 'integration-reference',
        status: 'valid',
        lastValidatedAt: expect.any(String),
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ]);
    expect(text).not.toContain(connectionId);
  });

  it('the catalogue: its connectors with their counts, and whether there is a provider', async () => {
    const { body } = await call('GET', '/connectors');
    const { connectors, counts } = loadConnectors();
    expect(body.connectors.map(({ id }: { id: string }) => id)).toEqual(connectors.map(({ id }) => id));
    expect(body.counts).toEqual(counts);
    expect(body.configured).toBe(true);
    expect(body.connectors.find(({ id }: { id: string }) => id === 'github')).toMatchObject({
      name: 'GitHub',
      category: 'code',
      auth: { mode: 'OAUTH2' },
      surface: 'typed-proxy',
    });
  });

  it('are notified of every change in their workspace, once it is committed', async () => {
    const listener = openListener(service.db, quiet);
    const heard: string[] = [];
    await new Promise<void>((resolve) => {
      listener.subscribe('connections', (change) => (change.missed ? resolve() : void heard.push(change.value)));
    });
    const { id } = await store();
    await call('PUT', `/connections/${id}/policy`, { actions: {} });
    await call('DELETE', `/connections/${id}`);
    await service.db.query("select pg_notify($1, 'connections end')", [service.db.schema]);
    while (!heard.includes('end')) await new Promise((resolve) => setImmediate(resolve));
    expect(heard).toEqual([
      cast.organization.defaultId,
      cast.organization.defaultId,
      cast.organization.defaultId,
      'end',
    ]);
    await listener.close();
  });
});

describe('the event stream', () => {
  it('sends the list at the start and after every change, without payload or provider ids, and ends with the membership', async () => {
    const bearer = await service.token(cast.member, cast.organization, 'connect:read');
    const events = service.stream('/connect/connections', bearer);
    const next = async (): Promise<unknown> => (await events.next()).value;
    expect(await next()).toEqual({ connections: [] });
    const { id, connectionId } = await store();
    const stored = await next();
    expect(stored).toEqual({ connections: [expect.objectContaining({ id, status: 'valid' })] });
    expect(JSON.stringify(stored)).not.toContain(connectionId);
    await service.webhook({
      type: 'auth',
      operation: 'refresh',
      success: false,
      connectionId,
      providerConfigKey: 'github',
    });
    expect(await next()).toMatchObject({ connections: [{ status: 'invalid' }] });
    await store({ workspace_id: cast.namedId });
    await service.db.query('delete from :schema.organization_member where user_id = $1', [cast.member.id]);
    await service.db.query('select pg_notify($1, $2)', [service.db.schema, `tenancy ${cast.organization.id}`]);
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });
});

describe('a deployment without an integration provider', () => {
  it('answers 503 and names the three variables where the provider is needed, and still lists, imports and removes', async () => {
    const bare = await openTestConnections({ configured: false });
    const { organization, owner } = await addCast(bare.db);
    const bearer = await bare.token(owner, organization);
    const session = await bare.request('POST', '/connect/sessions', { token: bearer, body: { provider: 'github' } });
    expect([session.status, session.body.error]).toEqual([503, 'integrations_not_configured']);
    for (const name of [
      'SERVICE_INTEGRATIONS_URL',
      'SERVICE_INTEGRATIONS_SECRET_KEY',
      'SERVICE_INTEGRATIONS_WEBHOOK_SECRET',
    ])
      expect(session.body.message).toContain(name);
    const imported = await bare.request('POST', '/connect/connections/import', { token: bearer, body: GITHUB_TOKEN });
    expect(imported.status).toBe(201);
    expect((await bare.request('GET', '/connect/connections', { token: bearer })).body.connections).toHaveLength(1);
    expect((await bare.request('GET', '/connect/connectors', { token: bearer })).body.configured).toBe(false);
    expect(
      (await bare.request('DELETE', `/connect/connections/${imported.body.connection.id}`, { token: bearer })).status,
    ).toBe(200);
    await bare.close();
  });

  it('a payload under another encryption key is left alone', async () => {
    await store();
    const other = { ...service.deps, wrappingKey: randomBytes(32) };
    const { repairConnections } = await import('../../connections/read-repair.ts');
    await repairConnections(other, { organizationId: cast.organization.id, workspaceId: cast.organization.defaultId });
    expect((await call('GET', '/connections')).body.connections).toMatchObject([{ status: 'valid' }]);
  });
});
