import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  addCast,
  type Cast,
  creation,
  openTestConnections,
  type TestConnections,
} from '../../test/support/tools/connections.ts';
import { watchAnnounced } from '../../test/support/watch-announced.ts';
import { type FakeConnection, type FakeRequest, send } from '../../test/support/tools/fake-nango.ts';
import type { StoredProviderConnection } from '../nango/provider-database.ts';
import { repairConnections } from './read-repair.ts';

let service: TestConnections;
let cast: Cast;
let inDatabase: StoredProviderConnection[] | Error = [];
beforeAll(async () => {
  service = await openTestConnections({
    providerDatabase: {
      findTagged: async () => (inDatabase instanceof Error ? Promise.reject(inDatabase) : inDatabase),
      close: async () => {},
    },
  });
});
afterAll(() => service.close());
beforeEach(async () => {
  cast = await addCast(service.db);
  service.nango.connections = [];
  service.nango.requests.length = 0;
  service.nango.answer = undefined;
  service.logged.length = 0;
  inDatabase = [];
});

const tagsOf = (more: Record<string, string | undefined> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries({
      organization_id: cast.organization.id,
      workspace_id: cast.organization.defaultId,
      end_user_id: cast.owner.id,
      ...more,
    }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

let made = 0;
function addRemote(more: Partial<FakeConnection> = {}): FakeConnection {
  const remote = {
    connection_id: `remote-${++made}`,
    provider_config_key: 'github',
    provider: 'github',
    tags: tagsOf(),
    errors: [],
    created: new Date().toISOString(),
    ...more,
  };
  service.nango.connections.unshift(remote);
  return remote;
}

/** Stored here; each test decides what the provider has. */
async function store(tags = tagsOf()): Promise<string> {
  const event = creation(tags);
  expect((await service.authorize(event)).body).toEqual({ ok: true });
  service.nango.connections = service.nango.connections.filter(({ connection_id: id }) => id !== event.connectionId);
  service.nango.requests.length = 0;
  return event.connectionId;
}

async function list(workspace?: string): Promise<Record<string, unknown>[]> {
  const token = await service.token(cast.owner, cast.organization);
  const { status, body } = await service.request(
    'GET',
    `/connect/connections${workspace === undefined ? '' : `?workspace=${workspace}`}`,
    { token },
  );
  expect(status).toBe(200);
  return body.connections;
}

const checks = (): FakeRequest[] =>
  service.nango.requests.filter(({ method, path }) => method === 'GET' && /^\/connections\/./.test(path));
const onCheck = (status: number, body: unknown): void => {
  service.nango.answer = ({ path }, response) => {
    if (!/^\/connections\/./.test(path)) return false;
    send(response, status, body);
    return true;
  };
};

describe('the direct check of a reference that the list did not report', () => {
  it.each([
    ['404', 404, { error: { code: 'not_found' } }, 'provider_connection_missing'],
    ['410', 410, {}, 'provider_connection_missing'],
    ['424', 424, { error: { code: 'invalid_credentials' } }, 'provider_refresh_exhausted'],
    ['400 invalid_credentials', 400, { error: { code: 'invalid_credentials' } }, 'provider_connection_errors'],
  ])('%s: invalid with its reason, that row only', async (_, status, body, reason) => {
    await store();
    const other = await store(tagsOf({ connection_name: 'other' }));
    addRemote({ connection_id: other, tags: tagsOf({ connection_name: 'other' }) });
    onCheck(status, body);
    expect(await list()).toMatchObject([
      { name: 'default', status: 'invalid', reason },
      { name: 'other', status: 'valid' },
    ]);
    expect(checks()).toHaveLength(1);
  });

  it('errors of the connection: invalid, provider_connection_errors', async () => {
    const id = await store();
    onCheck(200, { connection_id: id, provider_config_key: 'github', errors: [{ type: 'auth', log_id: 'x' }] });
    expect(await list()).toMatchObject([{ status: 'invalid', reason: 'provider_connection_errors' }]);
  });

  it('is announced once, while the connection stays invalid', async () => {
    const announced = await watchAnnounced(service.db, cast.organization.id);
    await store();
    onCheck(424, {});
    for (let times = 0; times < 2; times++) expect(await list()).toMatchObject([{ status: 'invalid' }]);
    expect(await announced()).toMatchObject([{ type: 'connection.invalid', data: { provider: 'github' } }]);
  });

  it('refresh exhausted, where the provider says so: invalid, provider_refresh_exhausted', async () => {
    const id = await store();
    onCheck(200, { connection_id: id, provider_config_key: 'github', errors: [], refresh_exhausted: true });
    expect(await list()).toMatchObject([{ status: 'invalid', reason: 'provider_refresh_exhausted' }]);
  });

  it('a healthy result leaves the row alone, valid or not', async () => {
    const id = await store();
    onCheck(200, { connection_id: id, provider_config_key: 'github', errors: [] });
    const [before] = await list();
    expect(await list()).toEqual([before]);
    await service.webhook({
      type: 'auth',
      operation: 'refresh',
      success: false,
      connectionId: id,
      providerConfigKey: 'github',
    });
    const [invalid] = await list();
    expect(invalid).toMatchObject({ status: 'invalid', reason: 'provider_auth_refresh_failed' });
    expect(await list()).toEqual([invalid]);
  });

  it.each([
    ['401', 401, {}],
    ['403', 403, {}],
    ['429', 429, {}],
    ['500', 500, {}],
    ['503', 503, {}],
    ['400 of another code', 400, { error: { code: 'invalid_query_params' } }],
    ['a redirect', 302, {}],
    [
      'an answer about another connection',
      200,
      { connection_id: 'another', provider_config_key: 'github', errors: [{ type: 'auth' }] },
    ],
    ['an answer that is nothing', 200, []],
    ['errors that are none', 200, { connection_id: 7 }],
  ])('%s says nothing and changes nothing', async (_, status, body) => {
    await store();
    onCheck(status, body);
    expect(await list()).toMatchObject([{ status: 'valid' }]);
  });
});

describe('a listed connection', () => {
  it('that carries authorization errors is invalid; one with errors of another kind is not', async () => {
    const [id, other] = [await store(), await store(tagsOf({ connection_name: 'other' }))];
    addRemote({ connection_id: id, errors: [{ type: 'auth', log_id: '1' }] });
    addRemote({
      connection_id: other,
      errors: [{ type: 'sync', log_id: '1' }],
      tags: tagsOf({ connection_name: 'other' }),
    });
    expect(await list()).toMatchObject([
      { status: 'invalid', reason: 'provider_connection_errors' },
      { status: 'valid' },
    ]);
    expect(checks()).toEqual([]);
  });

  it('that carries authorization errors keeps the reason for which it was invalid before', async () => {
    const id = await store();
    addRemote({ connection_id: id, errors: [{ type: 'auth', log_id: '1' }] });
    await service.webhook({
      type: 'auth',
      operation: 'refresh',
      success: false,
      connectionId: id,
      providerConfigKey: 'github',
    });
    for (let times = 0; times < 2; times++)
      expect(await list()).toMatchObject([{ status: 'invalid', reason: 'provider_auth_refresh_failed' }]);
  });

  it('that is healthy is never turned valid by being listed', async () => {
    const id = await store();
    addRemote({ connection_id: id });
    await service.webhook({
      type: 'auth',
      operation: 'refresh',
      success: false,
      connectionId: id,
      providerConfigKey: 'github',
    });
    expect(await list()).toMatchObject([{ status: 'invalid' }]);
  });
});

describe('a connection that only the provider knows', () => {
  it('is stored from the list, over several pages', async () => {
    for (let n = 0; n < 230; n++) addRemote({ tags: tagsOf({ connection_name: `n${n}` }) });
    expect(await list()).toHaveLength(230);
    expect(service.nango.requests.filter(({ path }) => path === '/connections')).toHaveLength(3);
    expect(service.nango.requests[0]?.query.get('tags[organization_id]')).toBe(cast.organization.id);
  });

  it("is stored from the provider's database", async () => {
    inDatabase = [
      {
        integrationId: 'slack',
        connectionId: 'db-only',
        app: undefined,
        tags: tagsOf(),
        endUserId: undefined,
        endUserOrganizationId: undefined,
        errors: [],
        createdAt: undefined,
        refreshExhausted: false,
      },
    ];
    expect(await list()).toMatchObject([
      { provider: 'slack', name: 'default', status: 'valid', workspace: cast.organization.defaultId },
    ]);
  });

  it('goes to Global, not Default, when it names no workspace', async () => {
    addRemote({ tags: { organization_id: cast.organization.id } });
    expect(await list()).toEqual([]);
    expect(await list('global')).toMatchObject([
      { workspace: cast.organization.globalId, provider: 'github', name: 'default' },
    ]);
  });

  it('is not stored when it is of another organization, another workspace, no connector or a former member', async () => {
    addRemote({ tags: tagsOf({ organization_id: 'org_other' }) });
    addRemote({ tags: tagsOf({ workspace_id: cast.namedId }) });
    addRemote({ provider_config_key: 'nowhere', provider: 'nowhere' });
    addRemote({ tags: tagsOf({ end_user_id: cast.outsider.id }) });
    addRemote({ tags: null });
    // A provider that ignores the filter.
    service.nango.answer = ({ path }, response) => {
      if (path !== '/connections') return false;
      send(response, 200, { connections: service.nango.connections });
      return true;
    };
    expect(await list()).toEqual([]);
  });

  it.each(['connection_name', 'workspace_id', 'end_user_id'])(
    'is not stored when its %s is no whole text',
    async (tag) => {
      addRemote({ tags: { ...tagsOf(), [tag]: 'a\ud800' } });
      service.nango.answer = ({ path }, response) => {
        if (path !== '/connections') return false;
        send(response, 200, { connections: service.nango.connections });
        return true;
      };
      expect([await list(), await list('global')]).toEqual([[], []]);
    },
  );

  it('never takes the place of a stored one that works', async () => {
    const id = await store();
    addRemote({ connection_id: id });
    addRemote();
    const [before] = await list();
    expect(await list()).toEqual([before]);
    expect(await list()).toHaveLength(1);
  });

  it('takes the place of one that went invalid before it was authorized, with the same id and policy', async () => {
    const first = await store();
    await service.webhook({
      type: 'auth',
      operation: 'refresh',
      success: false,
      connectionId: first,
      providerConfigKey: 'github',
    });
    addRemote({ created: '2020-01-01T00:00:00Z' });
    const [invalid] = await list();
    expect(invalid).toMatchObject({ status: 'invalid' });
    addRemote({ created: new Date(Date.now() + 5_000).toISOString() });
    expect(await list()).toMatchObject([{ id: invalid?.['id'], status: 'valid' }]);
  });

  it('that was superseded by another authorization does not come back when that one is removed, and is deleted there', async () => {
    const [first, second] = [await store(), await store()];
    for (const id of [first, second]) addRemote({ connection_id: id });
    const [connection] = await list();
    expect(service.nango.connections.map(({ connection_id: id }) => id)).toEqual([second]);
    await service.request('DELETE', `/connect/connections/${String(connection?.['id'])}`, {
      token: await service.token(cast.owner, cast.organization),
    });
    expect(await list()).toEqual([]);
    expect(service.nango.connections).toEqual([]);
  });

  it('is invalid from the start when the provider lists it with authorization errors', async () => {
    addRemote({ errors: [{ type: 'auth' }] });
    expect(await list()).toMatchObject([{ status: 'invalid', reason: 'provider_connection_errors' }]);
  });

  it('stays removed if the provider was unreachable at the time, and is deleted there later', async () => {
    const id = await store();
    addRemote({ connection_id: id });
    const [connection] = await list();
    const token = await service.token(cast.owner, cast.organization);
    service.nango.answer = ({ method }, response) => {
      if (method !== 'DELETE') return false;
      send(response, 503, {});
      return true;
    };
    expect(
      (await service.request('DELETE', `/connect/connections/${String(connection?.['id'])}`, { token })).body,
    ).toEqual({ ok: true });
    expect(await list()).toEqual([]);
    service.nango.answer = undefined;
    expect(await list()).toEqual([]);
    expect(service.nango.connections).toEqual([]);
  });

  it('does not come back by a repair that listed it before it was removed', async () => {
    const remote = addRemote();
    const [connection] = await list();
    const [asked, removed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    service.nango.answer = ({ method, path }, response) => {
      if (method !== 'GET' || path !== '/connections') return false;
      asked.resolve();
      void removed.promise.then(() => send(response, 200, { connections: [remote] }));
      return true;
    };
    const listing = list();
    await asked.promise;
    expect(
      (
        await service.request('DELETE', `/connect/connections/${String(connection?.['id'])}`, {
          token: await service.token(cast.owner, cast.organization),
        })
      ).body,
    ).toEqual({ ok: true });
    removed.resolve();
    expect(await listing).toEqual([]);
  });

  it('stays removed for good, but for one that the provider made under the same id well after that', async () => {
    const id = await store();
    const remote = addRemote({ connection_id: id });
    const token = await service.token(cast.owner, cast.organization);
    const [connection] = await list();
    await service.request('DELETE', `/connect/connections/${String(connection?.['id'])}`, { token });
    await service.db.query(
      "update :schema.connection_removed set removed_at = now() - interval '1 year' where organization_id = $1",
      [cast.organization.id],
    );
    service.nango.connections = [{ ...remote, created: new Date(Date.now() - 400 * 86_400_000).toISOString() }];
    expect(await list()).toEqual([]);
    expect(service.nango.connections).toEqual([]);
    service.nango.connections = [{ ...remote, created: new Date().toISOString() }];
    expect(await list()).toMatchObject([{ provider: 'github', status: 'valid' }]);
    expect(service.nango.connections).toHaveLength(1);
  });

  it('is not deleted there while another address refers to it', async () => {
    const event = creation(tagsOf());
    await service.authorize(event);
    await service.webhook({ ...event, tags: tagsOf({ connection_name: 'other' }) });
    const [first] = await list();
    await service.request('DELETE', `/connect/connections/${String(first?.['id'])}`, {
      token: await service.token(cast.owner, cast.organization),
    });
    expect(await list()).toMatchObject([{ name: 'other', status: 'valid' }]);
    expect(service.nango.connections.map(({ connection_id: id }) => id)).toEqual([event.connectionId]);
    await service.webhook(event);
    expect(await list()).toMatchObject([{ name: 'other' }]);
  });
});

describe('nothing is lost to a provider that', () => {
  const failures: Record<string, NonNullable<TestConnections['nango']['answer']>> = {
    'is away': (_, response) => {
      response.destroy();
      return true;
    },
    'answers 500': (_, response) => {
      send(response, 500, {});
      return true;
    },
    'says nothing is there': (_, response) => {
      send(response, 200, { connections: [] });
      return true;
    },
    'answers with HTML': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>hello</h1>');
      return true;
    },
    'answers with a list of rubbish': (_, response) => {
      send(response, 200, {
        connections: [
          null,
          7,
          {},
          { connection_id: '' },
          { connection_id: 'x'.repeat(100_000), provider_config_key: 'github' },
          { connection_id: 'a\0b', provider_config_key: 'github', tags: [] },
        ],
      });
      return true;
    },
    'answers with more than it may': (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.alloc(9 * 1024 * 1024, 0x20));
      return true;
    },
    'promises a compressed bomb': (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'br, gzip' }).end('x');
      return true;
    },
  };
  it.each(Object.keys(failures))('%s', async (name) => {
    await store();
    service.nango.answer = failures[name];
    expect(await list()).toMatchObject([{ status: 'valid' }]);
  });

  it('repeats the same page for ever', async () => {
    await store();
    const page = Array.from({ length: 100 }, (_, n) => ({
      connection_id: `p${n}`,
      provider_config_key: 'github',
      tags: {},
    }));
    service.nango.answer = ({ path }, response) => {
      send(response, path === '/connections' ? 200 : 500, { connections: page });
      return true;
    };
    expect(await list()).toMatchObject([{ status: 'valid' }]);
    expect(service.nango.requests.filter(({ path }) => path === '/connections').length).toBeLessThan(5);
  });

  it('never answers', async () => {
    await store();
    service.nango.answer = () => true;
    await repairConnections(
      { ...service.deps, repairTimeoutMs: 50 },
      { organizationId: cast.organization.id, workspaceId: cast.organization.defaultId },
    );
    service.nango.answer = failures['is away'];
    expect(await list()).toMatchObject([{ status: 'valid' }]);
    expect(service.logged.join('\n')).toContain('could not list');
  });

  it('has a database that cannot be read: the list still serves', async () => {
    inDatabase = new Error('password authentication failed');
    addRemote();
    expect(await list()).toHaveLength(1);
    expect(service.logged.join('\n')).toContain("could not read the provider's database");
  });

  it('fails: which is logged, without the secret key', async () => {
    service.nango.answer = failures['answers 500'];
    await list();
    expect(service.logged.join('\n')).toContain('could not list');
    expect(service.logged.join('\n')).not.toContain(service.nango.secretKey);
  });
});

describe('when it runs', () => {
  it.each(['/connect/capabilities', '/connect/connectors'])(
    '%s answers without waiting for it, and it runs',
    async (path) => {
      addRemote();
      const answered = Promise.withResolvers<void>();
      service.nango.answer = ({ path: asked }, response) => {
        if (asked !== '/connections') return false;
        void answered.promise.then(() => send(response, 200, { connections: service.nango.connections }));
        return true;
      };
      const token = await service.token(cast.owner, cast.organization);
      const { status, body } = await service.request('GET', path, { token });
      expect(status).toBe(200);
      if (path.endsWith('capabilities')) expect(body).toEqual({ status: 'offline', capabilities: {} });
      answered.resolve();
      await service.repairs.idle();
      const { rows } = await service.db.query('select 1 from :schema.org_connection_secret where workspace_id = $1', [
        cast.organization.defaultId,
      ]);
      expect(rows).toHaveLength(1);
    },
  );

  it('runs no repair while the provider asks to wait', async () => {
    const limited = await openTestConnections();
    const { organization, owner } = await addCast(limited.db);
    limited.nango.answer = (_, response) => {
      send(response, 429, {}, { 'retry-after': '60' });
      return true;
    };
    const token = await limited.token(owner, organization);
    for (let times = 0; times < 3; times++)
      expect((await limited.request('GET', '/connect/connections', { token })).status).toBe(200);
    expect(limited.nango.requests).toHaveLength(1);
    await limited.close();
  });
});
