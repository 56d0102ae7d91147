import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { send } from '../../test/support/tools/fake-nango.ts';
import {
  addCast,
  type Cast,
  creation,
  openTestConnections,
  type TestConnections,
} from '../../test/support/tools/connections.ts';
import { watchAnnounced } from '../../test/support/watch-announced.ts';
import { findDigestKey } from './digest-key.ts';
import { digestReference } from './stored-reference.ts';

let service: TestConnections;
let cast: Cast;
beforeAll(async () => {
  service = await openTestConnections();
});
afterAll(() => service.close());
beforeEach(async () => {
  cast = await addCast(service.db);
  service.nango.connections = [];
  service.nango.requests.length = 0;
  service.nango.answer = undefined;
});

const tagsOf = (more: Record<string, string> = {}): Record<string, string> => ({
  organization_id: cast.organization.id,
  workspace_id: cast.organization.defaultId,
  end_user_id: cast.owner.id,
  ...more,
});
const rows = async (): Promise<Record<string, unknown>[]> =>
  (
    await service.db.query(
      'select id, workspace_id, provider, name, kind, status, reason, expiry, created_by from :schema.org_connection_secret where organization_id = $1 order by provider, name',
      [cast.organization.id],
    )
  ).rows;
const deletions = (): string[] =>
  service.nango.requests.filter(({ method }) => method === 'DELETE').map(({ path }) => path);

describe('the signature', () => {
  it.each(['x-provider-hmac-sha256', 'x-nango-hmac-sha256', 'X-Nango-Hmac-Sha256'])(
    'is accepted in %s',
    async (header) => {
      expect(await service.authorize(creation(tagsOf()), { header })).toMatchObject({
        status: 200,
        body: { ok: true },
      });
    },
  );

  it.each([
    ['absent', {}],
    ['of another secret', { secret: 'another' }],
    ['in a header of another name', { header: 'x-signature' }],
  ])('%s: 401 with exactly the specified body, and nothing stored', async (_, options) => {
    const { status, body } =
      'secret' in options || 'header' in options
        ? await service.webhook(creation(tagsOf()), options)
        : await service.request('POST', '/connect/integrations/webhook', { body: creation(tagsOf()) });
    expect([status, body]).toEqual([401, { ok: false, error: 'invalid integration webhook signature' }]);
    expect(await rows()).toEqual([]);
  });

  it.each(['', 'zz', '00', 'a'.repeat(63), 'a'.repeat(64), `${'a'.repeat(64)}00`])('refuses %j', async (signature) => {
    expect(
      (
        await service.request('POST', '/connect/integrations/webhook', {
          body: creation(tagsOf()),
          headers: { 'x-provider-hmac-sha256': signature },
        })
      ).status,
    ).toBe(401);
  });

  it('is over the raw bytes, not over what they parse to', async () => {
    const event = creation(tagsOf());
    expect(await service.authorize(event, { raw: `  ${JSON.stringify(event)}\n` })).toMatchObject({
      status: 200,
      body: { ok: true },
    });
  });

  it('is not looked at for a body that is too large', async () => {
    expect((await service.webhook({}, { raw: `"${'x'.repeat(300_000)}"` })).status).toBe(413);
  });
});

describe('creation and override', () => {
  it.each(['creation', 'override'])('%s upserts the encrypted reference', async (operation) => {
    const event = creation(tagsOf({ connection_name: 'Work Account' }), { operation });
    expect(await service.authorize(event)).toEqual(expect.objectContaining({ status: 200, body: { ok: true } }));
    expect(await rows()).toEqual([
      expect.objectContaining({
        workspace_id: cast.organization.defaultId,
        provider: 'github',
        name: 'work-account',
        kind: 'integration-reference',
        status: 'valid',
        reason: null,
        created_by: cast.owner.id,
      }),
    ]);
    const { rows: raw } = await service.db.query<{ row: string }>(
      'select t::text as row from :schema.org_connection_secret t',
    );
    for (const { row } of raw) expect(Buffer.from(row).toString('utf8')).not.toContain(event.connectionId);
  });

  it('is idempotent', async () => {
    const event = creation(tagsOf());
    await service.authorize(event);
    const [first] = await rows();
    await service.webhook(event);
    expect(await rows()).toEqual([first]);
  });

  it('takes organization and actor from the end user, and means Default and the name default, when the tags are silent', async () => {
    const event = creation(
      {},
      {
        tags: undefined,
        endUser: { endUserId: cast.owner.id, organizationId: cast.organization.id, endUserEmail: null, tags: {} },
      },
    );
    expect((await service.authorize(event)).body).toEqual({ ok: true });
    expect(await rows()).toEqual([
      expect.objectContaining({
        workspace_id: cast.organization.defaultId,
        name: 'default',
        created_by: cast.owner.id,
      }),
    ]);
  });

  it('lets the tags win over the end user', async () => {
    const event = creation(tagsOf(), { endUser: { endUserId: 'usr_nobody', organizationId: 'org_nowhere' } });
    expect((await service.authorize(event)).body).toEqual({ ok: true });
    expect(await rows()).toHaveLength(1);
  });

  it('stores the expiry that the provider supplies for a credential it cannot renew, and none for one it can', async () => {
    const expires = '2031-01-02T03:04:05.000Z';
    for (const [provider, credentials, expected] of [
      ['github', { type: 'OAUTH2', access_token: 'a', expires_at: expires }, new Date(expires)],
      ['slack', { type: 'OAUTH2', access_token: 'a', refresh_token: 'r', expires_at: expires }, null],
      // Renewed with the client's credentials, without a refresh token.
      ['databricks', { type: 'OAUTH2_CC', token: 'a', expires_at: expires }, null],
    ] as const) {
      const event = creation(tagsOf(), { providerConfigKey: provider });
      service.nango.connections.push({ connection_id: event.connectionId, provider_config_key: provider, credentials });
      await service.webhook(event);
      expect((await rows()).find((row) => row['provider'] === provider)).toMatchObject({ expiry: expected });
    }
  });

  it('stores it without an expiry when the secret key may not read credentials', async () => {
    const event = creation(tagsOf());
    service.nango.connections.push({
      connection_id: event.connectionId,
      provider_config_key: 'github',
      connection_config: { cloudId: 'x' },
    });
    service.nango.answer = ({ query }, response) => {
      if (query.get('refresh_token') === null) return false;
      send(response, 403, { error: { code: 'forbidden' } });
      return true;
    };
    expect((await service.webhook(event)).body).toEqual({ ok: true });
    expect(service.nango.requests.filter(({ path }) => path.startsWith('/connections/'))).toHaveLength(2);
    expect(await rows()).toMatchObject([{ status: 'valid', expiry: null }]);
  });

  it('stores the connection while the provider does not answer', async () => {
    service.nango.answer = (_, response) => {
      response.destroy();
      return true;
    };
    expect((await service.webhook(creation(tagsOf()))).body).toEqual({ ok: true });
    expect(await rows()).toHaveLength(1);
  });

  it('turns an invalid connection valid again, with the same id and policy', async () => {
    const event = creation(tagsOf());
    await service.authorize(event);
    const [first] = await rows();
    const token = await service.token(cast.owner, cast.organization);
    await service.request('PUT', `/connect/connections/${String(first?.['id'])}/policy`, {
      token,
      body: { actions: { 'create-issue': true }, repositories: { enforce: true, selected: ['acme/app'] } },
    });
    await service.webhook({ ...event, operation: 'refresh', success: false, tags: tagsOf() });
    expect(await rows()).toMatchObject([{ status: 'invalid' }]);
    for (const again of [{ ...event, operation: 'override' }, creation(tagsOf())]) {
      await service.authorize(again);
      expect(await rows()).toMatchObject([{ id: first?.['id'], status: 'valid', reason: null }]);
    }
    expect(
      (await service.request('GET', `/connect/connections/${String(first?.['id'])}/policy`, { token })).body,
    ).toMatchObject({
      actions: { 'create-issue': true, 'list-issues': true },
      repositories: { enforce: true, selected: ['acme/app'] },
    });
  });
});

describe('what is not known here', () => {
  it.each([
    ['organization_unknown', () => ({ organization_id: 'org_elsewhere', end_user_id: 'usr_elsewhere' })],
    ['organization_unknown', () => ({ organization_id: 'org_elsewhere' })],
    ['workspace_unknown', () => ({ workspace_id: 'ws_elsewhere' })],
    ['actor_unknown', () => ({ end_user_id: 'usr_elsewhere' })],
  ])("is another product's, %s: acknowledged, ignored, and left at the provider", async (reason, more) => {
    const event = creation(tagsOf(more()));
    service.nango.connections.push({ connection_id: event.connectionId, provider_config_key: 'github' });
    for (const operation of ['creation', 'override'])
      expect(await service.webhook({ ...event, operation })).toMatchObject({
        status: 200,
        body: { ok: true, ignored: true, reason },
      });
    expect(await rows()).toEqual([]);
    expect(deletions()).toEqual([]);
    expect(service.nango.connections).toHaveLength(1);
  });

  it('a connection of a workspace that an unknown person has authorized again is out of use', async () => {
    const event = creation(tagsOf());
    await service.authorize(event);
    await service.webhook({ ...event, operation: 'override', tags: tagsOf({ end_user_id: 'usr_elsewhere' }) });
    expect(await rows()).toMatchObject([{ status: 'invalid', reason: 'workspace_membership_revoked' }]);
  });
});

describe('an actor who is no longer a member', () => {
  it.each([
    ['of the named workspace', () => ({ workspace_id: cast.namedId, end_user_id: cast.member.id })],
    ['of the organization', () => ({ end_user_id: cast.outsider.id })],
  ])('%s: acknowledged, ignored, nothing stored, deleted at the provider', async (_, more) => {
    const event = creation(tagsOf(more()));
    service.nango.connections.push({ connection_id: event.connectionId, provider_config_key: 'github' });
    expect(await service.webhook(event)).toMatchObject({
      status: 200,
      body: { ok: true, ignored: true, reason: 'workspace_membership_revoked' },
    });
    expect(await rows()).toEqual([]);
    expect(deletions()).toEqual([`/connections/${event.connectionId}`]);
    expect(service.nango.connections).toEqual([]);
  });

  it('is acknowledged also when the provider cannot be reached', async () => {
    service.nango.answer = (_, response) => {
      response.destroy();
      return true;
    };
    expect((await service.webhook(creation(tagsOf({ end_user_id: cast.outsider.id })))).body).toEqual({
      ok: true,
      ignored: true,
      reason: 'workspace_membership_revoked',
    });
  });

  it('costs the workspace nothing that it had: a reconnect by a former member puts the connection out of use and deletes nothing', async () => {
    const event = creation(tagsOf());
    await service.authorize(event);
    const override = { ...event, operation: 'override', tags: tagsOf({ end_user_id: cast.outsider.id }) };
    expect((await service.webhook(override)).body).toMatchObject({ ignored: true });
    expect(await rows()).toMatchObject([{ status: 'invalid', reason: 'workspace_membership_revoked' }]);
    expect(deletions()).toEqual([]);
  });
});

describe('a valid connection', () => {
  const byMember = (more: Record<string, string> = {}): Record<string, string> =>
    tagsOf({ end_user_id: cast.member.id, ...more });
  const referredTo = async (): Promise<(string | undefined)[]> => {
    const { rows: found } = await service.db.query<{ reference_digest: Buffer }>(
      'select reference_digest from :schema.org_connection_secret where organization_id = $1 order by name',
      [cast.organization.id],
    );
    const digestKey = await findDigestKey(service.db, service.deps.wrappingKey ?? Buffer.alloc(0));
    return found.map(
      ({ reference_digest: digest }) =>
        service.nango.connections.find(({ connection_id: connectionId }) =>
          digestReference(digestKey, {
            integrationId: 'github',
            connectionId,
          }).equals(digest),
        )?.connection_id,
    );
  };

  it.each(['creation', 'override'])(
    'is not replaced by the %s of a member without authority, whose connection is deleted again',
    async (operation) => {
      const first = creation(tagsOf());
      await service.authorize(first);
      const [before] = await rows();
      const other = creation(byMember(), { operation });
      expect((await service.authorize(other)).body).toEqual({
        ok: true,
        ignored: true,
        reason: 'workspace_authority_required',
      });
      expect([await rows(), await referredTo()]).toEqual([[before], [first.connectionId]]);
      expect(deletions()).toEqual([`/connections/${other.connectionId}`]);
      // Nor later, when the address is free: it was refused.
      service.nango.connections.unshift({
        connection_id: other.connectionId,
        provider_config_key: 'github',
        tags: byMember(),
        created: new Date().toISOString(),
      });
      await service.request('DELETE', `/connect/connections/${String(before?.['id'])}`, {
        token: await service.token(cast.owner, cast.organization),
      });
      expect((await service.webhook(other)).body).toMatchObject({ ignored: true, reason: 'connection_removed' });
      expect(await rows()).toEqual([]);
    },
  );

  it('that a member without authority authorized in place is invalidated; a late webhook about it changes nothing', async () => {
    const event = creation(tagsOf());
    await service.authorize(event);
    const override = { ...event, operation: 'override', tags: byMember() };
    expect((await service.webhook(override)).body).toEqual({
      ok: true,
      ignored: true,
      reason: 'workspace_authority_required',
    });
    expect(await rows()).toMatchObject([{ status: 'valid' }]);
    expect((await service.authorize(override)).body).toEqual({
      ok: true,
      ignored: true,
      reason: 'workspace_authority_required',
    });
    expect(await rows()).toMatchObject([{ status: 'invalid', reason: 'workspace_authority_required' }]);
    expect(deletions()).toEqual([]);
  });

  it('is replaced by an actor with authority; a late webhook of the replaced one changes nothing, whatever the provider has', async () => {
    const [first, second] = [creation(tagsOf()), creation(tagsOf())];
    await service.authorize(first);
    await service.authorize(second);
    expect(await referredTo()).toEqual([second.connectionId]);
    for (const has of [true, false]) {
      if (!has)
        service.nango.connections = service.nango.connections.filter(
          ({ connection_id: id }) => id !== first.connectionId,
        );
      for (const operation of ['creation', 'override'])
        expect((await service.webhook({ ...first, operation })).body).toMatchObject({ ignored: true });
      expect(await referredTo()).toEqual([second.connectionId]);
    }
    await service.repairs.awaitRepair({
      organizationId: cast.organization.id,
      workspaceId: cast.organization.defaultId,
    });
    expect(await referredTo()).toEqual([second.connectionId]);
  });

  it('is not replaced by one that the provider created earlier and reported later', async () => {
    const [first, second] = [creation(tagsOf()), creation(tagsOf())];
    service.nango.connections.push({
      connection_id: first.connectionId,
      provider_config_key: 'github',
      tags: tagsOf(),
      created: '2026-01-01T00:00:00Z',
    });
    await service.authorize(second);
    expect((await service.webhook(first)).body).toEqual({ ok: true, ignored: true, reason: 'connection_superseded' });
    expect([await referredTo(), deletions()]).toEqual([[second.connectionId], []]);
  });
});

describe('a connection that any member may authorize', () => {
  it('is a new one, an expired one and an invalid one; a repeated webhook changes nothing', async () => {
    const byMember = tagsOf({ end_user_id: cast.member.id });
    const first = creation(byMember);
    for (let times = 0; times < 2; times++) expect((await service.authorize(first)).body).toEqual({ ok: true });
    await service.db.query(
      "update :schema.org_connection_secret set expiry = now() - interval '1 hour' where organization_id = $1",
      [cast.organization.id],
    );
    for (let times = 0; times < 2; times++)
      expect((await service.authorize({ ...first, operation: 'override' })).body).toEqual({ ok: true });
    expect(await rows()).toMatchObject([{ status: 'valid', expiry: null }]);
    await service.webhook({ ...first, operation: 'refresh', success: false });
    const next = creation(byMember);
    for (let times = 0; times < 2; times++) expect((await service.authorize(next)).body).toEqual({ ok: true });
    expect(await rows()).toMatchObject([{ status: 'valid', reason: null }]);
  });
});

describe('an authorization that is not applied', () => {
  it.each([
    ['the actor absent', { end_user_id: undefined }, 'actor_unknown'],
    ['the actor empty', { end_user_id: '' }, 'actor_unknown'],
    ['the actor null', { end_user_id: null }, 'actor_unknown'],
    ['the actor in a list', { end_user_id: ['usr'] }, 'actor_unknown'],
    ['the actor an object', { end_user_id: {} }, 'actor_unknown'],
    ['the actor a number', { end_user_id: 7 }, 'actor_unknown'],
    ['the organization in a list', { organization_id: ['org'] }, 'organization_unknown'],
    ['the workspace in a list', { workspace_id: ['ws'] }, 'workspace_unknown'],
    ['the name a number', { connection_name: 7 }, 'name_unreadable'],
    ['the name with a control character', { connection_name: 'a\u0007b' }, 'name_unreadable'],
  ])('has %s: acknowledged, nothing stored, nothing deleted', async (_, more, reason) => {
    const event = creation({ ...tagsOf(), ...more } as Record<string, string>);
    for (const operation of ['creation', 'override']) {
      expect(await service.authorize({ ...event, operation })).toMatchObject({
        status: 200,
        body: { ok: true, ignored: true, reason },
      });
    }
    expect([await rows(), deletions()]).toEqual([[], []]);
  });

  it.each([
    ['the actor half a character', { end_user_id: 'usr_\ud800' }],
    ['the name half a character', { connection_name: 'a\ud800' }],
    ['the name with a zero character', { connection_name: 'a\0b' }],
  ])('has %s, which is not text: refused, nothing stored, nothing deleted', async (_, more) => {
    const event = creation({ ...tagsOf(), ...more });
    for (const operation of ['creation', 'override'])
      expect(await service.authorize({ ...event, operation })).toMatchObject({
        status: 400,
        body: { error: 'invalid_request' },
      });
    expect([await rows(), deletions()]).toEqual([[], []]);
  });

  it.each([404, 410])('is one of which the provider answers %i', async (status) => {
    const kept = creation(tagsOf());
    await service.authorize(kept);
    const [before] = await rows();
    service.nango.answer = ({ path }, response) => {
      if (!/^\/connections\/./.test(path)) return false;
      send(response, status, { error: { code: 'not_found' } });
      return true;
    };
    for (const event of [
      creation(tagsOf()),
      creation(tagsOf({ connection_name: 'new' })),
      { ...kept, operation: 'override' },
    ]) {
      expect(await service.webhook(event)).toMatchObject({
        status: 200,
        body: { ok: true, ignored: true, reason: 'provider_connection_missing' },
      });
    }
    expect([await rows(), deletions()]).toEqual([[before], []]);
  });

  it.each([false, true])(
    'is one of a connection that was removed here (deleted at the provider too: %s)',
    async (deleted) => {
      const event = creation(tagsOf());
      await service.authorize(event);
      const [row] = await rows();
      if (!deleted) {
        service.nango.answer = ({ method }, response) => {
          if (method !== 'DELETE') return false;
          send(response, 503, {});
          return true;
        };
      }
      await service.request('DELETE', `/connect/connections/${String(row?.['id'])}`, {
        token: await service.token(cast.owner, cast.organization),
      });
      expect(service.nango.connections).toHaveLength(deleted ? 0 : 1);
      for (const operation of ['creation', 'override'])
        expect((await service.webhook({ ...event, operation })).body).toMatchObject({ ok: true, ignored: true });
      expect(await rows()).toEqual([]);
      // Also while the provider does not answer.
      service.nango.answer = (_, response) => {
        response.destroy();
        return true;
      };
      expect((await service.webhook(event)).body).toMatchObject({ ignored: true, reason: 'connection_removed' });
      expect(await rows()).toEqual([]);
    },
  );
});

describe('a failed refresh', () => {
  it('marks the matching reference invalid and deletes nothing', async () => {
    const [event, other] = [creation(tagsOf()), creation(tagsOf({ connection_name: 'other' }))];
    await service.authorize(event);
    await service.authorize(other);
    const failed = {
      type: 'auth',
      operation: 'refresh',
      success: false,
      connectionId: event.connectionId,
      providerConfigKey: 'github',
      error: { type: 'x', description: 'y' },
    };
    for (let times = 0; times < 2; times++) expect((await service.webhook(failed)).body).toEqual({ ok: true });
    expect(await rows()).toMatchObject([
      { name: 'default', status: 'invalid', reason: 'provider_auth_refresh_failed' },
      { name: 'other', status: 'valid', reason: null },
    ]);
  });

  it('is announced once, and again only after the connection was valid', async () => {
    const announced = await watchAnnounced(service.db, cast.organization.id);
    const event = creation(tagsOf());
    await service.authorize(event);
    const { rows: stored } = await service.db.query<{ id: string }>(
      'select id from :schema.org_connection_secret where organization_id = $1',
      [cast.organization.id],
    );
    const place = { organization: cast.organization.id, workspace: cast.organization.defaultId };
    const told = {
      type: 'connection.invalid',
      data: { ...place, connection: stored[0]?.id, provider: 'github', status: 'invalid' },
    };
    const refreshed = (success: boolean) => service.webhook({ ...event, operation: 'refresh', success });
    expect(await announced()).toEqual([]);
    for (let times = 0; times < 2; times++) await refreshed(false);
    // Invalid for another reason is still invalid.
    await service.authorize({ ...event, operation: 'override', tags: tagsOf({ end_user_id: cast.outsider.id }) });
    expect(await announced()).toEqual([told]);
    await service.authorize(creation(tagsOf()));
    expect(await announced()).toEqual([told]);
  });

  it('is announced when a reconnection puts a connection out of use', async () => {
    const announced = await watchAnnounced(service.db, cast.organization.id);
    const event = creation(tagsOf());
    await service.authorize(event);
    const override = { ...event, operation: 'override', tags: tagsOf({ end_user_id: cast.outsider.id }) };
    for (let times = 0; times < 2; times++) await service.webhook(override);
    expect(await announced()).toMatchObject([{ type: 'connection.invalid' }]);
  });

  it.each([
    ['another connection id', { connectionId: 'elsewhere' }],
    ['another integration', { providerConfigKey: 'gitlab' }],
  ])('of %s touches nothing', async (_, change) => {
    const event = creation(tagsOf());
    await service.authorize(event);
    expect((await service.webhook({ ...event, operation: 'refresh', success: false, ...change })).body).toMatchObject({
      ok: true,
      ignored: true,
    });
    expect(await rows()).toMatchObject([{ status: 'valid' }]);
  });
});

describe('a refresh that succeeded', () => {
  it('makes a connection valid again whose last one failed, however often it is reported', async () => {
    const event = creation(tagsOf());
    await service.authorize(event);
    await service.webhook({ ...event, operation: 'refresh', success: false });
    expect(await rows()).toMatchObject([{ status: 'invalid' }]);
    for (let times = 0; times < 2; times++) {
      expect((await service.webhook({ ...event, operation: 'refresh' })).body).toEqual({ ok: true });
      expect(await rows()).toMatchObject([{ status: 'valid', reason: null }]);
    }
  });

  it('changes nothing about a connection that is invalid for another reason', async () => {
    const event = creation(tagsOf());
    await service.authorize(event);
    await service.webhook({ ...event, operation: 'override', tags: tagsOf({ end_user_id: cast.outsider.id }) });
    await service.webhook({ ...event, operation: 'refresh' });
    expect(await rows()).toMatchObject([{ status: 'invalid', reason: 'workspace_membership_revoked' }]);
  });
});

describe('any other shape', () => {
  it.each([
    ['a failed creation', { success: false }],
    ['a refresh of an unknown connection that succeeded', { operation: 'refresh', success: true }],
    ['a deletion', { operation: 'deletion' }],
    ['a synchronisation', { type: 'sync' }],
    ['no organization', { tags: {} }],
    ['an app outside the catalogue', { providerConfigKey: 'nowhere', provider: 'nowhere' }],
    ['a connection id that is no text', { connectionId: 7 }],
    ['a success that is no boolean', { success: 'true' }],
  ])('%s is acknowledged and ignored', async (_, change) => {
    expect(await service.webhook({ ...creation(tagsOf()), ...change })).toMatchObject({
      status: 200,
      body: { ok: true, ignored: true },
    });
    expect(await rows()).toEqual([]);
  });

  it.each(['', 'null', '[]', '7', 'not json', '{"type":"auth"}', '{"__proto__":{"type":"auth"}}'])(
    '%j is acknowledged and ignored',
    async (raw) => {
      expect(await service.webhook({}, { raw })).toMatchObject({ status: 200, body: { ok: true, ignored: true } });
    },
  );
});

it('answers 503 and stores nothing while the three variables or the encryption key are missing', async () => {
  for (const [options, error] of [
    [{ configured: false }, 'integrations_not_configured'],
    [{ wrappingKey: undefined }, 'connections_not_configured'],
  ] as const) {
    const bare = await openTestConnections(options);
    const { organization, owner } = await addCast(bare.db);
    expect(await bare.webhook(creation({ organization_id: organization.id, end_user_id: owner.id }))).toMatchObject({
      status: 503,
      body: { error },
    });
    await bare.close();
  }
});

it('never shows the secret key in a log line', async () => {
  service.nango.answer = (_, response) => {
    send(response, 500, { error: { code: 'server_error', message: service.nango.secretKey } });
    return true;
  };
  await service.webhook(creation(tagsOf({ end_user_id: cast.outsider.id })));
  expect(service.logged.length).toBeGreaterThan(0);
  expect(service.logged.join('\n')).not.toContain(service.nango.secretKey);
});
