import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../test/support/free-port.ts';
import { readGuideFile } from '../../../test/support/stack/guides.ts';
import { status } from '../../../test/support/models/key-provider.ts';
import { addOrganization, join, joinWorkspace, type TestOrganization } from '../../../test/support/people.ts';
import { type Answer, type Client, openSettingsWeb, type SettingsWeb } from '../../../test/support/http/web-app.ts';
import { findProviderKey } from '../../keys/find-provider-key.ts';
import { rewrapKeys } from '../../keys/rewrap-keys.ts';
import { countUndecryptable, warnOfUndecryptable } from '../../keys/count-undecryptable.ts';
import { createWorkspace } from '../../tenancy/workspaces/create-workspace.ts';

let web: SettingsWeb;
let owner: Client;
let org: TestOrganization;
let team: string;
const keysUsed: string[] = [];

beforeAll(async () => {
  web = await openSettingsWeb();
});
afterAll(() => web.close());
beforeEach(async () => {
  web.provider.answer = status(200);
  web.provider.asked.length = 0;
  owner = await web.signIn('owner');
  org = await addOrganization(web.db, owner);
  team = (await createWorkspace(web.db, { userId: owner.id, organizationId: org.id }, { name: 'Team' })).id;
});

function newKey(prefix = 'sk-'): string {
  const key = `${prefix}${randomBytes(24).toString('hex')}`;
  keysUsed.push(key);
  return key;
}

const save = (who: Client, provider: string, body: object): Promise<Answer> =>
  who.call('PUT', `/api/provider-keys/${provider}`, body);
const globally = (key: unknown): object => ({ organization: org.id, workspace: 'global', key });
const inTeam = (key: unknown): object => ({ organization: org.id, workspace: team, key });
const list = async (who: Client, query: string): Promise<Record<string, never>[]> =>
  (await who.call('GET', `/api/provider-keys?${query}`)).body['providers'] as unknown as Record<string, never>[];
const configured = async (workspace: string): Promise<string[]> =>
  (await list(owner, `organization=${org.id}&workspace=${workspace}`))
    .filter((one) => one['configured'])
    .map((one) => String(one['provider']));
const summary = async (): Promise<unknown> =>
  (await owner.call('GET', `/api/organizations/${org.id}/policy`)).body['providerKeySummary'];
const rows = async (): Promise<number> =>
  (await web.db.query('select 1 from :schema.org_provider_api_key where organization_id = $1', [org.id])).rowCount;
const refusal = ({ status, body }: Answer): [number, unknown] => [status, body['error']];

describe('saving a key', () => {
  it('calls the provider once, stores the key sealed and confirms it', async () => {
    const key = newKey();
    const answer = await save(owner, 'openai', globally(key));
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        configured: true,
        message: 'Provider key saved successfully.',
        use: { by: ['runs', 'attachments', 'titles', 'global_requests'] },
      },
    ]);
    expect(web.provider.asked).toHaveLength(1);
    expect(web.provider.asked[0]?.headers['authorization']).toBe(`Bearer ${key}`);
    const { rows } = await web.db.query<{ iv: Buffer; auth_tag: Buffer; key_version: number; workspace_id: string }>(
      'select iv, auth_tag, key_version, workspace_id from :schema.org_provider_api_key where organization_id = $1',
      [org.id],
    );
    expect(
      rows.map(({ iv, auth_tag, key_version, workspace_id }) => [
        iv.length,
        auth_tag.length,
        key_version,
        workspace_id,
      ]),
    ).toEqual([[12, 16, 1, org.globalId]]);
    expect(
      await findProviderKey(web.db, web.settings.wrappingKey, {
        organizationId: org.id,
        workspaceId: org.globalId,
        provider: 'openai',
      }),
    ).toEqual({ status: 'present', key });
  });

  it('stores it as the guide for operators describes, which opens a row by hand', async () => {
    const key = newKey('sk-ant-');
    await save(owner, 'anthropic', globally(`  ${key}\n`));
    const { rows } = await web.db.query<Record<string, string>>(
      "select organization_id, workspace_id, provider, encode(ciphertext, 'hex') as c, encode(iv, 'hex') as i, encode(auth_tag, 'hex') as t from :schema.org_provider_api_key where organization_id = $1",
      [org.id],
    );
    const script = readGuideFile('open-key.mjs');
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      input: Object.values(rows[0] ?? {}).join(' '),
      encoding: 'utf8',
      env: { BYOK_ENCRYPTION_KEY_B64: web.settings.wrappingKey?.toString('base64') },
    });
    expect([stdout, stderr]).toEqual([`${key}\n`, '']);
  });

  it('shows the fingerprint, never the key', async () => {
    const key = newKey();
    await save(owner, 'openai', globally(key));
    const answer = await owner.call('GET', `/api/provider-keys?organization=${org.slug}&workspace=global`);
    expect(answer.body['providers']).toEqual([
      {
        provider: 'openai',
        name: 'OpenAI',
        executable: true,
        hasCard: true,
        configured: true,
        fingerprint: createHash('sha256').update(key).digest('hex').slice(0, 12),
        updatedAt: expect.any(String),
        use: expect.objectContaining({ by: expect.arrayContaining(['runs']) }),
      },
      { provider: 'anthropic', name: 'Anthropic', executable: true, hasCard: false, configured: false },
      { provider: 'google', name: 'Google', executable: false, hasCard: false, configured: false },
    ]);
    expect(answer.text).not.toContain(key.slice(0, 12));
  });

  it('says which requests will use it, and follows the settings that decide it', async () => {
    const used = async (workspace: string): Promise<unknown> =>
      (await list(owner, `organization=${org.id}&workspace=${workspace}`)).find(
        (one) => String(one['provider']) === 'openai',
      )?.['use'];
    const change = (body: object): Promise<Answer> => owner.call('PATCH', `/api/organizations/${org.id}/policy`, body);
    expect((await save(owner, 'openai', inTeam(newKey()))).body['use']).toEqual({
      by: [],
      unused: 'organization_has_no_key',
    });
    expect((await save(owner, 'google', inTeam('any'))).body['use']).toEqual({
      by: [],
      unused: 'provider_not_callable',
    });
    await save(owner, 'openai', globally(newKey()));
    expect(await used(team)).toEqual({ by: ['workspace_chat', 'funded_runs'] });
    await change({ inheritOrganizationKeys: true });
    expect(await used('global')).toEqual({
      by: ['inheriting_chat', 'runs', 'attachments', 'titles', 'global_requests'],
    });
    await change({ disabledProviders: ['openai'] });
    expect([await used('global'), await used(team)]).toEqual([
      { by: [], unused: 'provider_disabled' },
      { by: [], unused: 'provider_disabled' },
    ]);
    await change({ disabledProviders: [] });
    await owner.call('PUT', `/api/workspaces/${team}/models-account`, {
      baseUrl: 'https://models.example.com/v1',
      key: 'account',
      models: ['*'],
    });
    expect(await used(team)).toEqual({ by: ['workspace_chat', 'funded_runs'], behindModelsAccount: true });
    await owner.call('DELETE', `/api/workspaces/${team}/models-account`);
    const strictOwner = await web.restarted({ strict: true }).signIn();
    await join(web.db, org.id, strictOwner, 'owner');
    expect(
      (await strictOwner.call('GET', `/api/provider-keys?organization=${org.id}&workspace=global`)).body['providers'],
    ).toContainEqual(
      expect.objectContaining({
        use: { by: ['inheriting_chat', 'unplaced_chat', 'runs', 'attachments', 'global_requests'] },
      }),
    );
  });

  it.each([
    ['openai', '', 'Provider API key is required.'],
    ['openai', 'pk-no', 'OpenAI API keys must start with sk-.'],
    ['anthropic', 'sk-no', 'Anthropic API keys must start with sk-ant-.'],
    ['google', ' ', 'Provider API key is required.'],
  ])('of %s as %j is refused before the provider is asked', async (provider, key, error) => {
    const answer = await save(owner, provider, globally(key));
    expect([...refusal(answer), answer.body['retryable']]).toEqual([422, error, false]);
    expect(web.provider.asked).toEqual([]);
    expect(await rows()).toBe(0);
  });

  it('without the field key is the same as an empty one', async () => {
    expect(refusal(await save(owner, 'openai', { organization: org.id, workspace: 'global' }))).toEqual([
      422,
      'Provider API key is required.',
    ]);
  });

  it.each([
    ['openai', 401, 'Unable to connect to OpenAI. Verify that your OpenAI API key is valid.', false],
    ['openai', 403, 'Unable to connect to OpenAI. Verify that your OpenAI API key is valid.', false],
    ['anthropic', 401, 'Unable to connect to Anthropic. Verify that your Anthropic API key is valid.', false],
    ['openai', 500, 'OpenAI could not validate this API key right now. Try again shortly.', true],
    ['anthropic', 429, 'Anthropic could not validate this API key right now. Try again shortly.', true],
    ['openai', 302, 'OpenAI could not validate this API key right now. Try again shortly.', true],
  ])('of %s that the provider answers with %i persists nothing', async (provider, code, error, retryable) => {
    web.provider.answer = status(code, { location: web.provider.url });
    const answer = await save(owner, provider, globally(newKey('sk-ant-')));
    expect([...refusal(answer), answer.body['retryable']]).toEqual([422, error, retryable]);
    expect([await rows(), await summary()]).toEqual([0, null]);
  });

  it('that the provider does not answer in time, or at all, persists nothing', async () => {
    const message = 'OpenAI could not validate this API key right now. Check your connection and try again.';
    const slow = web.restarted({ validationTimeoutMs: 100 });
    web.provider.answer = () => {};
    const person = await slow.signIn();
    await join(web.db, org.id, person, 'admin');
    const late = await save(person, 'openai', globally(newKey()));
    expect([...refusal(late), late.body['retryable']]).toEqual([422, message, true]);

    const dead = web.restarted({
      providerUrls: { openai: `http://127.0.0.1:${await freePort()}`, anthropic: web.provider.url },
    });
    const other = await dead.signIn();
    await join(web.db, org.id, other, 'admin');
    expect(refusal(await save(other, 'openai', globally(newKey())))).toEqual([422, message]);
    expect(await rows()).toBe(0);
  });

  it('of a provider that is only in the catalogue accepts anything and calls no one', async () => {
    expect((await save(owner, 'google', globally(newKey('anything-')))).status).toBe(200);
    expect(web.provider.asked).toEqual([]);
    expect(await summary()).toEqual({ openai: false, anthropic: false });
  });

  it('of an unknown provider is 404', async () => {
    expect(refusal(await save(owner, 'acme', globally('sk-x')))).toEqual([404, 'provider_not_found']);
    expect(
      refusal(await owner.call('DELETE', `/api/provider-keys/acme?organization=${org.id}&workspace=global`)),
    ).toEqual([404, 'provider_not_found']);
  });

  it('is refused clearly where the deployment has no wrapping key', async () => {
    const bare = web.restarted({ wrappingKey: undefined });
    const person = await bare.signIn();
    await join(web.db, org.id, person, 'owner');
    expect(refusal(await save(person, 'openai', globally(newKey())))).toEqual([503, 'provider_keys_not_configured']);
    expect(refusal(await save(person, 'openai', globally('pk-no')))).toEqual([
      422,
      'OpenAI API keys must start with sk-.',
    ]);
    expect(web.provider.asked).toEqual([]);
  });
});

describe('a key that is configured', () => {
  it('is not overwritten: 409 before the provider is called, after the format check', async () => {
    const first = newKey();
    await save(owner, 'openai', globally(first));
    web.provider.asked.length = 0;
    expect(refusal(await save(owner, 'openai', globally('pk-no')))).toEqual([
      422,
      'OpenAI API keys must start with sk-.',
    ]);
    expect(refusal(await save(owner, 'openai', globally(newKey())))).toEqual([409, 'provider_key_exists']);
    expect(web.provider.asked).toEqual([]);
    expect(
      await findProviderKey(web.db, web.settings.wrappingKey, {
        organizationId: org.id,
        workspaceId: org.globalId,
        provider: 'openai',
      }),
    ).toEqual({ status: 'present', key: first });
  });

  it('is not overwritten by concurrent saves either: exactly one wins', async () => {
    const keys = Array.from({ length: 6 }, () => newKey());
    const answers = await Promise.all(keys.map((key) => save(owner, 'openai', globally(key))));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    const winner = keys[answers.findIndex((answer) => answer.status === 200)];
    expect(
      await findProviderKey(web.db, web.settings.wrappingKey, {
        organizationId: org.id,
        workspaceId: org.globalId,
        provider: 'openai',
      }),
    ).toEqual({ status: 'present', key: winner });
  });

  it('is removed, and may then be replaced', async () => {
    await save(owner, 'openai', globally(newKey()));
    const removed = await owner.call('DELETE', `/api/provider-keys/openai?organization=${org.id}&workspace=global`);
    expect([removed.status, removed.body]).toEqual([
      200,
      { configured: false, message: 'Provider key removed successfully.' },
    ]);
    expect(await configured('global')).toEqual([]);
    expect((await save(owner, 'openai', globally(newKey()))).status).toBe(200);
  });

  it('is deleted with its workspace', async () => {
    await save(owner, 'openai', inTeam(newKey()));
    await owner.call('DELETE', `/api/workspaces/${team}`);
    expect(await rows()).toBe(0);
  });
});

describe('the scope', () => {
  it('is required', async () => {
    const message = 'A workspace is required to manage provider keys.';
    for (const body of [
      { organization: org.id, key: 'sk-x' },
      { organization: org.id, workspace: '', key: 'sk-x' },
      { organization: org.id, workspace: null, key: '' },
      { key: 'sk-x' },
    ])
      expect(refusal(await save(owner, 'openai', body))).toEqual([400, message]);
    expect(refusal(await owner.call('DELETE', `/api/provider-keys/openai?organization=${org.id}`))).toEqual([
      400,
      message,
    ]);
    expect(refusal(await owner.call('GET', '/api/provider-keys'))).toEqual([400, message]);
    expect((await save(owner, 'openai', { workspace: 'global', key: 'sk-x' })).status).toBe(400);
  });

  it('is named in a refusal as it was sent', async () => {
    expect(
      (await owner.call('DELETE', `/api/provider-keys/openai?organization=${org.id}&workspace=${team}&scope=x`)).body,
    ).toMatchObject({ error: 'invalid_request', details: { scope: 'is not a known field' } });
  });

  it('is exactly one: the organization, Default and a named workspace do not see each other', async () => {
    await save(owner, 'openai', globally(newKey()));
    await save(owner, 'anthropic', inTeam(newKey('sk-ant-')));
    expect([await configured('global'), await configured('default'), await configured(team)]).toEqual([
      ['openai'],
      [],
      ['anthropic'],
    ]);
    await owner.call('DELETE', `/api/provider-keys/openai?organization=${org.id}&workspace=${team}`);
    expect(await configured('global')).toEqual(['openai']);
  });

  it('of one organization is nothing to another', async () => {
    await save(owner, 'openai', globally(newKey()));
    const stranger = await web.signIn();
    const theirs = await addOrganization(web.db, stranger);
    expect(refusal(await stranger.call('GET', `/api/provider-keys?organization=${org.id}&workspace=global`))).toEqual([
      404,
      'not_found',
    ]);
    expect(
      refusal(await save(stranger, 'anthropic', { organization: theirs.id, workspace: team, key: 'sk-ant-x' })),
    ).toEqual([404, 'not_found']);
    expect(
      refusal(await stranger.call('DELETE', `/api/provider-keys/openai?organization=${org.id}&workspace=global`)),
    ).toEqual([404, 'not_found']);
    expect(await configured('global')).toEqual(['openai']);
  });

  it('binds what is stored: a row copied to another scope does not open there', async () => {
    await save(owner, 'openai', globally(newKey()));
    await web.db.query(
      `insert into :schema.org_provider_api_key (organization_id, workspace_id, provider, ciphertext, iv, auth_tag, key_version, fingerprint)
       select organization_id, $2, provider, ciphertext, iv, auth_tag, key_version, fingerprint from :schema.org_provider_api_key where organization_id = $1`,
      [org.id, team],
    );
    expect(
      await findProviderKey(web.db, web.settings.wrappingKey, {
        organizationId: org.id,
        workspaceId: team,
        provider: 'openai',
      }),
    ).toEqual({ status: 'undecryptable' });
  });
});

describe('authority', () => {
  it('over the organization scope is for owners and admins', async () => {
    const [member, admin] = [await web.signIn(), await web.signIn()];
    await join(web.db, org.id, member, 'member');
    await join(web.db, org.id, admin, 'admin');
    const message = 'Only organization owners or admins can manage API keys.';
    expect(refusal(await save(member, 'openai', globally('sk-x')))).toEqual([403, message]);
    expect(refusal(await save(member, 'nobody', globally('')))).toEqual([403, message]);
    expect((await save(admin, 'openai', globally(newKey()))).status).toBe(200);
    expect(
      refusal(await member.call('DELETE', `/api/provider-keys/openai?organization=${org.id}&workspace=global`)),
    ).toEqual([403, message]);
    expect((await list(member, `organization=${org.id}&workspace=global`))[0]).toMatchObject({
      provider: 'openai',
      configured: true,
    });
  });

  it('over a workspace is for its owners and admins and those of the organization', async () => {
    const [member, lead, outside] = [await web.signIn(), await web.signIn(), await web.signIn()];
    for (const person of [member, lead, outside]) await join(web.db, org.id, person, 'member');
    await joinWorkspace(web.db, org.id, team, member, 'member');
    await joinWorkspace(web.db, org.id, team, lead, 'admin');
    const message = 'Only workspace or organization owners or admins can manage provider keys.';
    expect(refusal(await save(member, 'openai', inTeam('sk-x')))).toEqual([403, message]);
    expect(refusal(await save(outside, 'openai', inTeam('sk-x')))).toEqual([404, 'not_found']);
    expect(refusal(await save(member, 'openai', { organization: org.id, workspace: 'default', key: 'sk-x' }))).toEqual([
      403,
      message,
    ]);
    expect((await save(lead, 'openai', { workspace: team, key: newKey() })).status).toBe(200);
    expect(
      refusal(await member.call('DELETE', `/api/provider-keys/openai?organization=${org.id}&workspace=${team}`)),
    ).toEqual([403, message]);
    expect(refusal(await outside.call('GET', `/api/provider-keys?organization=${org.id}&workspace=${team}`))).toEqual([
      404,
      'not_found',
    ]);
    expect(await list(member, `workspace=${team}`)).toHaveLength(3);
  });

  it('that is lost while the provider is called is checked again before the key is stored', async () => {
    const admin = await web.signIn();
    await join(web.db, org.id, admin, 'admin');
    web.provider.answer = (response) => {
      void web.db
        .query("update :schema.organization_member set role = 'member' where user_id = $1", [admin.id])
        .then(() => status(200)(response));
    };
    expect(refusal(await save(admin, 'openai', globally(newKey())))).toEqual([
      403,
      'Only organization owners or admins can manage API keys.',
    ]);
    expect(await rows()).toBe(0);
  });
});

describe('the summary', () => {
  it('is null until first written, then follows the organization scope', async () => {
    expect(await summary()).toBeNull();
    await save(owner, 'openai', globally(newKey()));
    expect(await summary()).toEqual({ openai: true, anthropic: false });
    await save(owner, 'anthropic', globally(newKey('sk-ant-')));
    expect(await summary()).toEqual({ openai: true, anthropic: true });
    await owner.call('DELETE', `/api/provider-keys/openai?organization=${org.id}&workspace=global`);
    expect(await summary()).toEqual({ openai: false, anthropic: true });
  });

  it('is written by a save for a named workspace, from the organization scope: it then reports no key', async () => {
    await save(owner, 'openai', inTeam(newKey()));
    expect(await summary()).toEqual({ openai: false, anthropic: false });
    await owner.call('DELETE', `/api/provider-keys/openai?organization=${org.id}&workspace=${team}`);
    expect(await summary()).toEqual({ openai: false, anthropic: false });
  });

  it('is untouched by a removal that removes nothing and by a save that fails', async () => {
    expect(
      (await owner.call('DELETE', `/api/provider-keys/openai?organization=${org.id}&workspace=global`)).status,
    ).toBe(200);
    web.provider.answer = status(401);
    await save(owner, 'openai', globally(newKey()));
    expect(await summary()).toBeNull();
  });

  it('misses neither of two keys that are saved concurrently', async () => {
    await Promise.all([
      save(owner, 'openai', globally(newKey())),
      save(owner, 'anthropic', globally(newKey('sk-ant-'))),
    ]);
    expect(await summary()).toEqual({ openai: true, anthropic: true });
  });
});

describe('a changed wrapping key', () => {
  it('leaves stored keys undecryptable, and reports them as such instead of absent', async () => {
    await save(owner, 'openai', globally(newKey()));
    const changed = web.restarted({ wrappingKey: randomBytes(32) });
    const person = await changed.signIn();
    await join(web.db, org.id, person, 'admin');
    expect((await list(person, `organization=${org.id}&workspace=global`))[0]).toMatchObject({
      provider: 'openai',
      configured: true,
      undecryptable: true,
    });
    expect(
      await findProviderKey(web.db, changed.settings.wrappingKey, {
        organizationId: org.id,
        workspaceId: org.globalId,
        provider: 'openai',
      }),
    ).toEqual({ status: 'undecryptable' });
    expect(
      await findProviderKey(web.db, undefined, {
        organizationId: org.id,
        workspaceId: org.globalId,
        provider: 'openai',
      }),
    ).toEqual({ status: 'undecryptable' });
    expect(await countUndecryptable(web.db, changed.settings.wrappingKey)).toBeGreaterThan(0);
    const said: string[] = [];
    await warnOfUndecryptable(
      web.db,
      changed.settings.wrappingKey,
      pino({}, { write: (line: string) => void said.push(line) }),
    );
    expect(said.join('')).toContain('BYOK_ENCRYPTION_KEY_B64 is not the key they were saved with');
    // The way out: remove it and enter it again.
    expect(
      (await person.call('DELETE', `/api/provider-keys/openai?organization=${org.id}&workspace=global`)).status,
    ).toBe(200);
    expect((await save(person, 'openai', globally(newKey()))).status).toBe(200);
  });
});

// The last two check everything that the earlier tests left in the database.
describe('moving to another wrapping key', () => {
  it('keeps every key and Models account readable, and counts what it could not open', async () => {
    const [was, next] = [web.settings.wrappingKey ?? Buffer.alloc(0), randomBytes(32)];
    const key = newKey();
    await save(owner, 'openai', inTeam(key));
    await owner.call('PUT', `/api/workspaces/${team}/models-account`, {
      baseUrl: 'https://models.example.com/v1',
      key: newKey('acct-'),
      models: ['*'],
    });
    const lostBefore = await countUndecryptable(web.db, was);
    const first = await rewrapKeys(web.db, { from: was, to: next });
    expect(first.modelsAccounts).toEqual({ moved: 1, kept: 0, lost: 0 });
    expect(first.providerKeys.moved).toBeGreaterThan(5);
    expect(first.providerKeys.lost).toBe(lostBefore);
    expect(
      await findProviderKey(web.db, next, { organizationId: org.id, workspaceId: team, provider: 'openai' }),
    ).toEqual({ status: 'present', key });
    expect(
      await findProviderKey(web.db, was, { organizationId: org.id, workspaceId: team, provider: 'openai' }),
    ).toEqual({ status: 'undecryptable' });
    expect(await rewrapKeys(web.db, { from: was, to: next })).toEqual({
      providerKeys: { moved: 0, kept: first.providerKeys.moved, lost: lostBefore },
      modelsAccounts: { moved: 0, kept: 1, lost: 0 },
    });
    expect(await countUndecryptable(web.db, next)).toBe(lostBefore);
  });
});

describe('no key', () => {
  it('is anywhere in the database or in the log, only fingerprints are', async () => {
    const { rows: tables } = await web.db.query<{ name: string }>(
      'select table_name as name from information_schema.tables where table_schema = $1',
      [web.db.schema],
    );
    let dump = '';
    for (const { name } of tables) {
      const { rows } = await web.db.query<{ line: string }>(`select t::text as line from :schema."${name}" t`);
      dump += rows.map(({ line }) => line).join('\n');
    }
    const hex = (text: string): string => Buffer.from(text).toString('hex');
    const base64 = (text: string): string => Buffer.from(text).toString('base64').replace(/=+$/, '').slice(0, -1);
    const log = web.logged.join('');
    expect(keysUsed.length).toBeGreaterThan(20);
    expect(dump).toContain(
      createHash('sha256')
        .update(keysUsed.at(-1) ?? '')
        .digest('hex')
        .slice(0, 12),
    );
    expect(log).toContain('provider key saved');
    for (const key of keysUsed)
      for (const spelling of [key, hex(key), base64(key)])
        expect([dump.includes(spelling), log.includes(spelling)]).toEqual([false, false]);
  });
});
