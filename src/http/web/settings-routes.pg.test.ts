import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addOrganization, join, joinWorkspace, type TestOrganization } from '../../../test/support/people.ts';
import { type Answer, type Client, openSettingsWeb, type SettingsWeb } from '../../../test/support/http/web-app.ts';
import { unseal } from '../../base/seal.ts';
import { loadModels } from '../../catalog/load-models.ts';
import { storeAttachment } from '../../documents/attachments/store-attachment.ts';
import { GUARDRAIL_KINDS } from '../../contract/guardrails.ts';
import { createRunStorage } from '../../enforcement/storage.ts';
import { modelsAccountContext } from '../../keys/sealed-secrets.ts';
import { createWorkspace } from '../../tenancy/workspaces/create-workspace.ts';
import { setPlan } from '../../tenancy/organizations/set-plan.ts';

let web: SettingsWeb;
let owner: Client;
let member: Client;
let org: TestOrganization;
let team: string;

beforeAll(async () => {
  web = await openSettingsWeb();
});
afterAll(() => web.close());
beforeEach(async () => {
  [owner, member] = [await web.signIn('owner'), await web.signIn('member')];
  org = await addOrganization(web.db, owner);
  await join(web.db, org.id, member, 'member');
  team = (await createWorkspace(web.db, { userId: owner.id, organizationId: org.id }, { name: 'Team' })).id;
});

const refusal = ({ status, body }: Answer): [number, unknown] => [status, body['error']];
const policyPath = (): string => `/api/organizations/${org.id}/policy`;
const settingsRefusal = (area: string): [number, string] => [
  403,
  `Only organization owners or admins can manage ${area}.`,
];

describe('the policy', () => {
  const FIRST = {
    disabledProviders: [],
    disabledModels: [],
    requireZdr: false,
    enforceStudyMode: false,
    requireProviderKey: false,
    allowUnlistedModels: false,
    requireSecondFactor: false,
    inheritOrganizationKeys: false,
    disableSharing: false,
    toolSwitches: {},
    modules: { rateLimiting: {}, budgetLimiting: {}, loggingConfig: {}, toolApproval: {} },
    providerKeySummary: null,
  };

  it('of a new organization forbids nothing; every member may read it', async () => {
    for (const who of [owner, member]) expect((await who.call('GET', policyPath())).body).toEqual(FIRST);
    expect(refusal(await (await web.signIn()).call('GET', policyPath()))).toEqual([404, 'not_found']);
  });

  it('is changed in parts: fields that are left out stay', async () => {
    await owner.call('PATCH', policyPath(), { requireZdr: true, toolSwitches: { search: true } });
    const answer = await owner.call('PATCH', policyPath(), {
      disabledProviders: ['anthropic'],
      modules: { rateLimiting: { perMinute: 5 } },
    });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        ...FIRST,
        requireZdr: true,
        toolSwitches: { search: true },
        disabledProviders: ['anthropic'],
        modules: { ...FIRST.modules, rateLimiting: { perMinute: 5 } },
      },
    ]);
    expect((await owner.call('PATCH', policyPath(), { toolSwitches: {}, requireZdr: false })).body).toMatchObject({
      requireZdr: false,
      toolSwitches: {},
      disabledProviders: ['anthropic'],
    });
  });

  it.each([[{ perMinute: 5, by: ['user', { nested: null }] }], ['strict'], [7], [false], [null], [[1, { a: 2 }]]])(
    'takes %j as a module and as a switch, and keeps it as it is',
    async (value) => {
      const modules = { rateLimiting: value, budgetLimiting: value, loggingConfig: value, toolApproval: value };
      const expected = { ...FIRST, modules, toolSwitches: { search: value, other: true } };
      expect(
        await owner.call('PATCH', policyPath(), { modules, toolSwitches: { search: value, other: true } }),
      ).toMatchObject({ status: 200, body: expected });
      expect((await owner.call('GET', policyPath())).body).toEqual(expected);
      expect((await owner.call('PATCH', policyPath(), { modules: { toolApproval: {} } })).body).toEqual({
        ...expected,
        modules: { ...modules, toolApproval: {} },
      });
    },
  );

  it.each([
    [{ modules: { rateLimits: {} } }, 'modules.rateLimits', 'is not a known field'],
    [{ modules: [] }, 'modules', expect.any(String)],
    [{ toolSwitches: ['search'] }, 'toolSwitches', expect.any(String)],
    [{ toolSwitches: 'on' }, 'toolSwitches', expect.any(String)],
    [{ zdr: true }, 'zdr', 'is not a known field'],
  ])('refuses %j, naming %s', async (change, field, fault) => {
    expect(await owner.call('PATCH', policyPath(), change)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', details: { [field]: fault } },
    });
    expect((await owner.call('GET', policyPath())).body).toEqual(FIRST);
  });

  it('refuses excessive nesting', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    for (const body of [`{"modules":{"toolApproval":${deep}}}`, `{"toolSwitches":{"search":${deep}}}`])
      expect(refusal(await owner.call('PATCH', policyPath(), body))).toEqual([400, 'invalid_request']);
    expect(
      refusal(
        await owner.call(
          'POST',
          `/api/organizations/${org.id}/guardrails`,
          `{"name":"deep","rules":[{"kind":"pii","config":{"a":${deep}}}]}`,
        ),
      ),
    ).toEqual([400, 'invalid_request']);
  });

  it.each([
    ['POST', '/api/organizations', '{"name":"\\ud800"}', 'name'],
    ['POST', '/api/organizations', '{"name":"a\\u0000"}', 'name'],
    ['PATCH', 'policy', '{"toolSwitches":{"search":["\\udc00"]}}', 'toolSwitches.search.0'],
    ['POST', '/api/tokens', '{"name":"\\ud800","organization":"x","scopes":["chat"]}', 'name'],
    ['PATCH', '/api/me', '{"name":"\\ud800"}', 'name'],
  ])('%s %s refuses %s, naming %s', async (method, path, body, field) => {
    expect(await owner.call(method, path === 'policy' ? policyPath() : path, body)).toMatchObject({
      status: 400,
      body: {
        error: 'invalid_request',
        details: { [field]: 'must not contain a zero character or an unpaired surrogate' },
      },
    });
  });

  it('keeps a disabled model under its id, however it was named', async () => {
    expect(
      (await owner.call('PATCH', policyPath(), { disabledModels: ['gpt-4o', 'openai/gpt-4o', 'not/known'] })).body[
        'disabledModels'
      ],
    ).toEqual(['openai/gpt-4o', 'not/known']);
  });

  it.each([
    [{ requireZdr: true }, 'compliance'],
    [{ enforceStudyMode: false }, 'compliance'],
    [{ disabledProviders: [] }, 'models'],
    [{ disabledModels: [] }, 'models'],
    [{ requireProviderKey: true }, 'models'],
    [{ allowUnlistedModels: true }, 'models'],
    [{ toolSwitches: {} }, 'tools'],
    [{ modules: { toolApproval: {} } }, 'policies'],
    [{ inheritOrganizationKeys: true }, 'API keys'],
    [{ inheritOrganizationKeys: true, toolSwitches: {}, disabledModels: [] }, 'models'],
    [{}, 'policies'],
  ])('refuses a member who sends %j, naming %s', async (change, area) => {
    expect(refusal(await member.call('PATCH', policyPath(), change))).toEqual(settingsRefusal(area));
    expect((await owner.call('GET', policyPath())).body).toEqual(FIRST);
  });

  it('has a read-only summary, and refuses what cannot be stored', async () => {
    expect(
      (await owner.call('PATCH', policyPath(), { providerKeySummary: { openai: true, anthropic: true } })).status,
    ).toBe(400);
    expect((await owner.call('PATCH', policyPath(), { modules: { toolApproval: { note: 'a\0b' } } })).status).toBe(400);
    expect((await owner.call('PATCH', policyPath(), { disabledModels: ['a\0'] })).status).toBe(400);
    expect((await owner.call('PATCH', policyPath(), { requireZdr: 'yes' })).status).toBe(400);
  });

  it('loses neither of two concurrent changes', async () => {
    await Promise.all([
      owner.call('PATCH', policyPath(), { requireZdr: true }),
      owner.call('PATCH', policyPath(), { requireProviderKey: true }),
      owner.call('PATCH', policyPath(), { disabledProviders: ['google'] }),
    ]);
    expect((await owner.call('GET', policyPath())).body).toMatchObject({
      requireZdr: true,
      requireProviderKey: true,
      disabledProviders: ['google'],
    });
  });
});

describe('the model list', () => {
  type Listed = {
    id: string;
    providers: string[];
    zdr: Record<string, boolean>;
    price: { input: number; output: number; longInput?: { aboveTokens: number; input: number; output: number } } | null;
    allowed: boolean;
    denials: string[];
    hasProviderKey: boolean;
  };
  const list = async (who: Client, query = `organization=${org.id}`): Promise<Listed[]> =>
    (await who.call('GET', `/api/models?${query}`)).body['models'] as unknown as Listed[];
  const one = async (id: string, query?: string): Promise<Listed | undefined> =>
    (await list(owner, query)).find((model) => model.id === id);

  it('says what a long input costs, where it is charged', async () => {
    const charged = loadModels(undefined).models.filter(({ modality }) => modality === 'chat');
    const shown = await list(owner);
    for (const { id, providers } of charged) {
      const price = providers[0]?.price?.longInput;
      const found = shown.find((model) => model.id === id)?.price;
      if (price)
        expect(found?.longInput).toEqual({ aboveTokens: price.aboveTokens, input: price.input, output: price.output });
      else expect(found?.longInput).toBeUndefined();
    }
    expect(shown.some(({ price }) => price?.longInput)).toBe(true);
  });

  it('is the catalogue, open to members, without the Study Mode pin', async () => {
    const answer = await member.call('GET', `/api/models?workspace=${org.defaultId}`);
    expect(answer.body).toMatchObject({ requireProviderKey: false, enforceStudyMode: false, demo: false });
    const models = answer.body['models'] as unknown as Listed[];
    expect(models[0]).toEqual({
      id: 'service/auto',
      name: 'Auto',
      modality: 'chat',
      providers: ['openai', 'anthropic'],
      zdr: { openai: true, anthropic: true },
      contextWindow: 1_000_000,
      maxOutputTokens: 128_000,
      price: expect.objectContaining({ input: expect.any(Number), output: expect.any(Number) }),
      prices: expect.any(Array),
      allowed: true,
      denials: [],
      hasProviderKey: false,
      takesOwnKey: true,
      forRuns: true,
      // Nothing can pay here: neither a key nor platform credit.
      credential: null,
      capabilities: {
        images: true,
        pdf: true,
        tools: true,
        efforts: expect.any(Array),
        defaultEffort: 'medium',
        temperature: false,
      },
    });
    expect(models.map(({ id }) => id)).not.toContain('service/study');
    expect(models.every(({ allowed }) => allowed)).toBe(true);
    expect(await list(owner)).toHaveLength(models.length);
  });

  it('requires a scope, and shows nothing of others', async () => {
    expect((await owner.call('GET', '/api/models')).status).toBe(400);
    expect(refusal(await (await web.signIn()).call('GET', `/api/models?organization=${org.id}`))).toEqual([
      404,
      'not_found',
    ]);
    expect(refusal(await member.call('GET', `/api/models?workspace=${team}`))).toEqual([404, 'not_found']);
    expect(refusal(await owner.call('GET', `/api/models?organization=${org.id}&workspace=ws_none`))).toEqual([
      404,
      'not_found',
    ]);
  });

  it('lists every reason why the policy denies a model', async () => {
    await owner.call('PATCH', policyPath(), {
      disabledProviders: ['google'],
      disabledModels: ['gpt-4o', 'gemini-2.5-pro'],
      requireZdr: true,
      requireProviderKey: true,
    });
    expect(await one('google/gemini-2.5-pro')).toMatchObject({
      allowed: false,
      denials: ['policy_denied:provider', 'policy_denied:model', 'policy_denied:compliance'],
    });
    expect(await one('openai/gpt-4o')).toMatchObject({ allowed: false, denials: ['policy_denied:model'] });
    expect(await one('openai/gpt-6-astra')).toMatchObject({ allowed: false, denials: ['policy_denied:compliance'] });
    expect(await one('openai/gpt-5')).toMatchObject({ allowed: true, denials: [] });
    expect((await owner.call('GET', `/api/models?organization=${org.id}`)).body).toMatchObject({
      requireProviderKey: true,
    });
  });

  it('skips Require ZDR for a provider with a key in the organization scope or in its own, and for no other', async () => {
    await owner.call('PATCH', policyPath(), { requireZdr: true });
    await owner.call('PUT', '/api/provider-keys/openai', {
      organization: org.id,
      workspace: 'global',
      key: 'sk-of-the-organization',
    });
    await owner.call('PUT', '/api/provider-keys/anthropic', {
      organization: org.id,
      workspace: team,
      key: 'sk-ant-of-the-team',
    });
    for (const query of [`organization=${org.id}`, `workspace=${team}`])
      expect(await one('openai/gpt-6-astra', query)).toMatchObject({ allowed: true, hasProviderKey: true });
    expect(await one('anthropic/claude-fable-5-1')).toMatchObject({ allowed: false, hasProviderKey: false });
    expect(await one('anthropic/claude-fable-5-1', `workspace=${team}`)).toMatchObject({
      allowed: true,
      hasProviderKey: true,
    });
    await owner.call('DELETE', `/api/provider-keys/openai?organization=${org.id}&workspace=global`);
    expect(await one('openai/gpt-6-astra')).toMatchObject({ allowed: false });
  });

  it('does not count a key that cannot be decrypted', async () => {
    await owner.call('PATCH', policyPath(), { requireZdr: true });
    await owner.call('PUT', '/api/provider-keys/openai', {
      organization: org.id,
      workspace: 'global',
      key: 'sk-of-the-organization',
    });
    const changed = web.restarted({ wrappingKey: randomBytes(32), demo: true });
    const person = await changed.signIn();
    await join(web.db, org.id, person, 'member');
    expect((await list(person)).find(({ id }) => id === 'openai/gpt-6-astra')).toMatchObject({
      allowed: false,
      hasProviderKey: false,
      takesOwnKey: true,
      forRuns: true,
    });
    expect((await person.call('GET', `/api/models?organization=${org.id}`)).body).toMatchObject({ demo: true });
    expect((await person.call('GET', '/api/me')).body).toMatchObject({ demo: true });
  });

  it('carries the denials of strict mode that a turn there would meet', async () => {
    const strict = web.restarted({ strict: true });
    const person = await strict.signIn();
    await join(web.db, org.id, person, 'owner');
    const denials = async (id: string, query: string): Promise<[boolean, string[]] | undefined> => {
      const found = (await list(person, query)).find((model) => model.id === id);
      return found && [found.allowed, found.denials];
    };
    const [anywhere, inDefault] = [`organization=${org.id}`, `workspace=${org.defaultId}`];
    expect(await denials('openai/gpt-5', inDefault)).toEqual([
      false,
      ['policy_denied:missing_provider_api_key:openai'],
    ]);
    expect(await denials('google/gemini-2.5-pro', inDefault)).toEqual([
      false,
      ['policy_denied:provider_not_supported_by_byok:google'],
    ]);
    await person.call('PUT', '/api/provider-keys/openai', {
      organization: org.id,
      workspace: 'global',
      key: 'sk-of-the-organization',
    });
    expect(await denials('openai/gpt-5', inDefault)).toEqual([
      false,
      ['policy_denied:missing_provider_api_key:openai'],
    ]);
    for (const query of [anywhere, `workspace=${org.globalId}`]) {
      expect(await denials('openai/gpt-5', query)).toEqual([true, []]);
      expect(await denials('anthropic/claude-opus-5', query)).toEqual([
        false,
        ['policy_denied:missing_provider_api_key:anthropic'],
      ]);
    }
    await person.call('PATCH', policyPath(), { disabledModels: ['openai/gpt-5'] });
    expect(await denials('openai/gpt-5', anywhere)).toEqual([false, ['policy_denied:model']]);
  });

  it('lists chat models, and embedding models on request', async () => {
    const ids = async (query = ''): Promise<string[]> =>
      (await list(owner, `organization=${org.id}${query}`)).map(({ id }) => id);
    expect((await ids()).filter((id) => id.includes('embedding'))).toEqual([]);
    expect(await ids('&modality=chat')).toEqual(await ids());
    expect(await ids('&modality=embedding')).toEqual([
      'openai/text-embedding-3-small',
      'openai/text-embedding-3-large',
    ]);
    expect((await owner.call('GET', `/api/models?organization=${org.id}&modality=video`)).status).toBe(400);
  });

  it('reports Study Mode next to the list', async () => {
    await owner.call('PATCH', policyPath(), { enforceStudyMode: true });
    expect((await owner.call('GET', `/api/models?organization=${org.id}`)).body).toMatchObject({
      enforceStudyMode: true,
    });
  });
});

describe('a Models account', () => {
  const path = (): string => `/api/workspaces/${team}/models-account`;
  const ACCOUNT = {
    baseUrl: 'https://models.example.com/v1/',
    key: 'acct-key-1234567890',
    models: ['gemini-*', 'google/*'],
  };

  it('is stored sealed; the key never comes back', async () => {
    expect((await owner.call('GET', path())).body).toEqual({ configured: false });
    const saved = await owner.call('PUT', path(), ACCOUNT);
    const state = {
      configured: true,
      id: expect.stringMatching(/^mac_/),
      protocol: 'chat',
      auth: 'bearer',
      baseUrl: 'https://models.example.com/v1',
      models: ACCOUNT.models,
      takesEffort: false,
      fingerprint: expect.stringMatching(/^[0-9a-f]{12}$/),
      updatedAt: expect.any(String),
    };
    expect([saved.status, saved.body]).toEqual([200, state]);
    const shown = await owner.call('GET', path());
    expect(shown.body).toEqual(state);
    expect(saved.text + shown.text + web.logged.join('')).not.toContain(ACCOUNT.key);
    const { rows } = await web.db.query<{ ciphertext: Buffer; iv: Buffer; auth_tag: Buffer }>(
      'select ciphertext, iv, auth_tag from :schema.models_account where workspace_id = $1',
      [team],
    );
    const [row] = rows;
    const sealed = {
      ciphertext: row?.ciphertext ?? Buffer.alloc(0),
      iv: row?.iv ?? Buffer.alloc(0),
      authTag: row?.auth_tag ?? Buffer.alloc(0),
    };
    expect(
      unseal(
        web.settings.wrappingKey ?? Buffer.alloc(32),
        sealed,
        modelsAccountContext({ organizationId: org.id, workspaceId: team, id: String(saved.body['id']) }),
      ),
    ).toBe(ACCOUNT.key);
  });

  it('is replaced and removed by anyone with authority over the workspace', async () => {
    const lead = await web.signIn();
    await join(web.db, org.id, lead, 'member');
    await joinWorkspace(web.db, org.id, team, lead, 'owner');
    await joinWorkspace(web.db, org.id, team, member, 'member');
    for (const [method, body] of [
      ['PUT', ACCOUNT],
      ['DELETE', undefined],
    ] as const)
      expect(refusal(await member.call(method, path(), body))).toEqual([403, 'workspace_authority_required']);
    expect((await lead.call('PUT', path(), ACCOUNT)).status).toBe(200);
    expect((await lead.call('PUT', path(), { ...ACCOUNT, models: ['*'] })).body['models']).toEqual(['*']);
    expect((await member.call('GET', path())).body).toMatchObject({ configured: true });
    expect((await lead.call('DELETE', path())).body).toEqual({ configured: false });
    expect((await lead.call('GET', path())).body).toEqual({ configured: false });
    expect(refusal(await (await web.signIn()).call('GET', path()))).toEqual([404, 'not_found']);
  });

  it.each([
    [{ baseUrl: 'http://127.0.0.1:9/v1' }, 'baseUrl'],
    [{ baseUrl: 'http://metadata.google.internal/v1' }, 'baseUrl'],
    [{ baseUrl: 'nonsense' }, 'baseUrl'],
    [{ key: undefined }, 'key'],
    [{ key: 'with space' }, 'key'],
    [{ models: [] }, 'models'],
    [{ surprise: 1 }, 'surprise'],
    [{ protocol: 'grpc' }, 'protocol'],
    [{ auth: 'basic' }, 'auth'],
    [{ auth: 'azure', protocol: 'messages' }, 'protocol'],
    [{ auth: 'google', protocol: 'messages', baseUrl: 'https://g.test/v1/projects/p/locations/l', key: '{}' }, 'key'],
  ])('is refused with %j', async (part, field) => {
    for (const [method, at] of [
      ['PUT', path()],
      ['POST', `${path()}s`],
    ] as const) {
      const answer = await owner.call(method, at, { ...ACCOUNT, ...part });
      expect([...refusal(answer), Object.keys(answer.body['details'] ?? {})]).toEqual([
        400,
        'invalid_request',
        [field],
      ]);
    }
    expect((await owner.call('GET', path())).body).toEqual({ configured: false });
  });

  it('of the organization is for its owners and admins to change and for members to see; a workspace has its own beside it', async () => {
    const everywhere = `/api/organizations/${org.id}/models-account`;
    expect((await member.call('GET', everywhere)).body).toEqual({ configured: false });
    for (const [method, body] of [
      ['PUT', ACCOUNT],
      ['PUT', { surprise: 1 }],
      ['DELETE', undefined],
    ] as const)
      expect(refusal(await member.call(method, everywhere, body))).toEqual(settingsRefusal('API keys'));
    expect((await owner.call('PUT', everywhere, { ...ACCOUNT, takesEffort: true })).body).toMatchObject({
      configured: true,
      takesEffort: true,
    });
    expect((await member.call('GET', everywhere)).body).toMatchObject({ configured: true, models: ACCOUNT.models });
    expect((await owner.call('GET', path())).body).toEqual({ configured: false });
    await owner.call('PUT', path(), { ...ACCOUNT, models: ['own'] });
    expect((await owner.call('GET', everywhere)).body['models']).toEqual(ACCOUNT.models);
    expect((await owner.call('DELETE', everywhere)).body).toEqual({ configured: false });
    expect((await owner.call('GET', path())).body['models']).toEqual(['own']);
    expect(refusal(await (await web.signIn()).call('GET', everywhere))).toEqual([404, 'not_found']);
  });

  it('is one of several, tried in an order that can be changed; the first is also the one without an id', async () => {
    const all = `${path()}s`;
    const listed = async (): Promise<unknown[]> =>
      ((await owner.call('GET', all)).body as unknown as { accounts: { id: string }[] }).accounts.map(({ id }) => id);
    const add = async (model: string): Promise<string> => {
      const answer = await owner.call('POST', all, { ...ACCOUNT, protocol: 'messages', models: [model] });
      expect(answer.status).toBe(201);
      expect(answer.text).not.toContain(ACCOUNT.key);
      return (answer.body as unknown as { account: { id: string } }).account.id;
    };
    const ids = [await add('one'), await add('two'), await add('three')] as const;
    const [one, two, three] = ids;
    expect(await listed()).toEqual(ids);
    const ordered = await owner.call('PUT', all, { order: [three, one, two] });
    expect([ordered.status, await listed()]).toEqual([200, [three, one, two]]);
    for (const order of [[one, two], [one, one, two], [one, two, 'mac_other'], []])
      expect(refusal(await owner.call('PUT', all, { order }))).toEqual([400, 'invalid_request']);
    expect((await owner.call('GET', path())).body).toMatchObject({ id: three, protocol: 'messages' });
    await owner.call('PUT', path(), ACCOUNT);
    const changed = await owner.call('PUT', `${all}/${two}`, { ...ACCOUNT, protocol: 'responses' });
    expect(changed.body).toMatchObject({ account: { id: two, protocol: 'responses', models: ACCOUNT.models } });
    expect(await listed()).toEqual([three, one, two]);
    expect((await owner.call('DELETE', path())).body).toMatchObject({ configured: true, id: one });
    expect((await owner.call('DELETE', `${all}/${one}`)).body).toEqual({ ok: true });
    expect(await listed()).toEqual([two]);
    for (const [method, body] of [
      ['PUT', ACCOUNT],
      ['DELETE', undefined],
    ] as const)
      expect(refusal(await owner.call(method, `${all}/${one}`, body))).toEqual([404, 'not_found']);
    for (let more = 1; more < 20; more++) await add('more');
    expect(refusal(await owner.call('POST', all, ACCOUNT))).toEqual([409, 'too_many_models_accounts']);
  });

  it('adds the names in its patterns to the list of models, evaluated like the others', async () => {
    await owner.call('PUT', `/api/organizations/${org.id}/models-account`, {
      ...ACCOUNT,
      models: ['llama3.3', 'gemini-*', 'gpt-5'],
    });
    await owner.call('PUT', path(), { ...ACCOUNT, models: ['qwen3', 'llama3.3'] });
    const listed = async (): Promise<unknown> =>
      (
        (await owner.call('GET', `/api/models?workspace=${team}`)).body as unknown as {
          models: Record<string, unknown>[];
        }
      ).models.filter(({ providers }) => String(providers) === 'models-account');
    expect(await listed()).toMatchObject([
      { id: 'qwen3', allowed: true, price: null, hasProviderKey: true },
      { id: 'llama3.3', allowed: true },
    ]);
    await owner.call('PATCH', policyPath(), { disabledModels: ['qwen3'], requireZdr: true });
    expect(await listed()).toMatchObject([
      { id: 'qwen3', denials: ['policy_denied:model', 'policy_denied:compliance'] },
      { id: 'llama3.3', denials: ['policy_denied:compliance'] },
    ]);
  });

  it('may point to a private address if the deployment allows it, and needs a wrapping key', async () => {
    const inside = web.restarted({ allowPrivateUrls: true });
    const person = await inside.signIn();
    await join(web.db, org.id, person, 'admin');
    expect((await person.call('PUT', path(), { ...ACCOUNT, baseUrl: 'http://127.0.0.1:11434/v1' })).status).toBe(200);
    const bare = web.restarted({ wrappingKey: undefined });
    const other = await bare.signIn();
    await join(web.db, org.id, other, 'admin');
    expect(refusal(await other.call('PUT', path(), ACCOUNT))).toEqual([503, 'provider_keys_not_configured']);
    expect((await other.call('GET', path())).body).toMatchObject({ configured: true, undecryptable: true });
  });
});

describe('usage', () => {
  const usage = async (who: Client, query = ''): Promise<Record<string, never>> =>
    (await who.call('GET', `/api/organizations/${org.id}/usage${query}`)).body;

  it('of a new organization is what its plan gives; every member may read it', async () => {
    expect(await usage(member)).toEqual({
      plan: 'business',
      seats: { used: 2, capacity: 250 },
      signupCredit: { granted: 5, remaining: 5 },
      seatBudget: { monthly: 120, remaining: 120 },
      storage: { usedBytes: 0, limitBytes: 10_737_418_240 },
      reserved: 0,
      spent: 0,
      days: [],
    });
    await setPlan(web.db, org.id, 'free');
    expect(await usage(owner)).toMatchObject({
      plan: 'free',
      seats: { used: 2, capacity: 3 },
      seatBudget: { monthly: 0, remaining: 0 },
    });
    expect(refusal(await (await web.signIn()).call('GET', `/api/organizations/${org.id}/usage`))).toEqual([
      404,
      'not_found',
    ]);
  });

  it('subtracts what is spent and reserved from the remainder, in dollars', async () => {
    await web.db.query(
      "insert into :schema.org_budget (organization_id, seat_month, credit_spent, credit_reserved, seat_spent, seat_reserved) values ($1, date_trunc('month', now() at time zone 'UTC')::date, 1500000, 250000, 20000000, 1000000)",
      [org.id],
    );
    expect(await usage(owner)).toMatchObject({
      signupCredit: { granted: 5, remaining: 3.25 },
      seatBudget: { monthly: 120, remaining: 99 },
      reserved: 1.25,
      spent: 21.5,
    });
  });

  it('counts what attachments and runs keep of the storage, and counts down when they go', async () => {
    const storage = async (): Promise<unknown> => ((await usage(member)) as { storage?: unknown }).storage;
    const { id } = await storeAttachment(
      web.db,
      { userId: member.id, organization: org.id, name: 'a.txt', content: Buffer.alloc(700, 'a'), storageBytes: 1_000 },
      new AbortController().signal,
    );
    expect(await createRunStorage(web.db, { id: 'job_kept', organizationId: org.id }, 1_000).take(200)).toBe(true);
    expect(await storage()).toEqual({ usedBytes: 900, limitBytes: 10_737_418_240 });
    await web.db.query('delete from :schema.chat_attachment where id = $1', [id]);
    expect(await storage()).toEqual({ usedBytes: 200, limitBytes: 10_737_418_240 });
  });

  it('begins every month with the whole seat budget', async () => {
    await web.db.query(
      "insert into :schema.org_budget (organization_id, seat_month, seat_spent, seat_reserved) values ($1, '2020-01-01', 20000000, 1000000)",
      [org.id],
    );
    expect(await usage(owner)).toMatchObject({ seatBudget: { remaining: 120 }, reserved: 0, spent: 0 });
  });

  it('never shows a negative remainder', async () => {
    await setPlan(web.db, org.id, 'free');
    await web.db.query(
      "insert into :schema.org_budget (organization_id, seat_month, seat_spent) values ($1, date_trunc('month', now() at time zone 'UTC')::date, 20000000)",
      [org.id],
    );
    expect(await usage(owner)).toMatchObject({ seatBudget: { monthly: 0, remaining: 0 } });
  });

  it('lists the requested number of days, newest first', async () => {
    await web.db.query(
      `insert into :schema.usage_day (organization_id, day, model, provider, credential, requests, input_tokens, output_tokens, cost_micros)
       select $1, (now() at time zone 'UTC')::date - ago, 'service/auto', 'openai', 'platform', 2, 30, 40, 1250000 from unnest(array[0, 3, 40]) ago`,
      [org.id],
    );
    const { days } = (await usage(owner)) as unknown as { days: { date: string }[] };
    expect(days).toHaveLength(2);
    expect(days[0]).toEqual({
      date: new Date().toISOString().slice(0, 10),
      model: 'service/auto',
      provider: 'openai',
      credential: 'platform',
      requests: 2,
      inputTokens: 30,
      outputTokens: 40,
      cost: 1.25,
    });
    expect((await usage(owner, '?days=1'))['days']).toHaveLength(1);
    expect((await usage(owner, '?days=60'))['days']).toHaveLength(3);
    expect((await owner.call('GET', `/api/organizations/${org.id}/usage?days=0`)).status).toBe(400);
  });
});

describe('guardrail groups', () => {
  const path = (more = ''): string => `/api/organizations/${org.id}/guardrails${more}`;
  const RULES = [
    { kind: 'keyword', config: { keywords: ['falcon'] } },
    { kind: 'pii', config: { types: ['email'] } },
  ];
  const create = async (name = 'House rules', rules: unknown = RULES): Promise<string> =>
    ((await owner.call('POST', path(), { name, rules })).body['group'] as unknown as { id: string }).id;

  it('are created at version 1 and shown', async () => {
    const answer = await owner.call('POST', path(), { name: 'House rules', rules: RULES });
    const group = {
      id: expect.stringMatching(/^grd_/),
      name: 'House rules',
      version: 1,
      latestVersion: 1,
      rules: RULES,
      createdAt: expect.any(String),
    };
    expect([answer.status, answer.body]).toEqual([201, { group }]);
    const { id } = answer.body['group'] as unknown as { id: string };
    for (const who of [owner, member]) expect((await who.call('GET', path(`/${id}`))).body).toEqual({ group });
  });

  it('get new versions while the earlier ones are kept', async () => {
    const id = await create();
    const rules = [{ kind: 'length', config: { max: 5 } }];
    const second = await owner.call('POST', path(`/${id}/versions`), { rules });
    expect([second.status, second.body]).toMatchObject([
      201,
      { group: { id, name: 'House rules', version: 2, latestVersion: 2, rules } },
    ]);
    await Promise.all(['a', 'b', 'c'].map((name) => owner.call('POST', path(`/${id}/versions`), { name, rules })));
    expect((await owner.call('GET', path(`/${id}`))).body).toMatchObject({ group: { version: 5, rules } });
    expect((await owner.call('GET', path(`/${id}?version=1`))).body).toMatchObject({
      group: { version: 1, latestVersion: 5, name: 'House rules', rules: RULES },
    });
    expect(refusal(await owner.call('GET', path(`/${id}?version=6`)))).toEqual([404, 'not_found']);
    const first = (await owner.call('GET', path(`/${id}/versions?limit=3`))).body as unknown as {
      versions: { version: number }[];
      cursor: string;
    };
    const rest = (await owner.call('GET', path(`/${id}/versions?limit=3&cursor=${first.cursor}`))).body as unknown as {
      versions: { version: number }[];
      cursor?: string;
    };
    expect([...first.versions, ...rest.versions].map(({ version }) => version)).toEqual([5, 4, 3, 2, 1]);
    expect(rest.cursor).toBeUndefined();
  });

  it('are listed page by page, at their latest version', async () => {
    const ids = [await create('one'), await create('two'), await create('three')];
    await owner.call('POST', path(`/${ids[0]}/versions`), { name: 'one again', rules: RULES });
    const first = (await member.call('GET', path('?limit=2'))).body as unknown as {
      groups: { id: string; name: string }[];
      cursor: string;
    };
    const rest = (await member.call('GET', path(`?limit=2&cursor=${first.cursor}`))).body as unknown as {
      groups: { id: string; name: string }[];
      cursor?: string;
    };
    expect([...first.groups, ...rest.groups].map(({ name }) => name).sort()).toEqual(['one again', 'three', 'two']);
    expect(rest.cursor).toBeUndefined();
  });

  it('are tested against sample text, at any version', async () => {
    const id = await create();
    await owner.call('POST', path(`/${id}/versions`), { rules: [{ kind: 'regex', config: { pattern: 'lands' } }] });
    const text = 'The Falcon lands, says ada@example.org.';
    expect((await owner.call('POST', path(`/${id}/test`), { text })).body).toEqual({
      matches: [{ kind: 'regex', start: 11, end: 16, text: 'lands' }],
    });
    expect((await owner.call('POST', path(`/${id}/test`), { text, version: 1 })).body).toEqual({
      matches: [
        { kind: 'keyword', start: 4, end: 10, text: 'Falcon' },
        { kind: 'pii', start: 23, end: 38, text: 'ada@example.org' },
      ],
    });
  });

  it('accept the simplest config of every kind, and refuse an invalid one by its field', async () => {
    const plain = GUARDRAIL_KINDS.map((kind) => ({ kind, config: {} }));
    expect(await owner.call('POST', path(), { name: 'Plain', rules: plain })).toMatchObject({
      status: 201,
      body: { group: { name: 'Plain', version: 1, rules: plain } },
    });
    const wrong = [
      { kind: 'pii', config: {} },
      { kind: 'regex', config: { pattern: '(' } },
      { kind: 'length', config: { min: 2, max: 1 } },
      { kind: 'json-schema', config: { schema: { type: 'nonsense' } } },
    ];
    const answer = await owner.call('POST', path(), { name: 'Wrong', rules: wrong });
    expect([answer.status, Object.keys(answer.body['details'] ?? {})]).toEqual([
      400,
      ['rules.1.config.pattern', 'rules.2.config.min', 'rules.3.config.schema'],
    ]);
  });

  it('with a pattern that never ends answer 422', async () => {
    const id = await create('slow', [{ kind: 'regex', config: { pattern: '^(a|a)*$' } }]);
    expect(refusal(await owner.call('POST', path(`/${id}/test`), { text: `${'a'.repeat(50)}!` }))).toEqual([
      422,
      'guardrail_too_slow',
    ]);
  });

  it('are refused to members, other than to read', async () => {
    const id = await create();
    const refused = settingsRefusal('guardrails');
    expect(refusal(await member.call('POST', path(), { name: 'x', rules: RULES }))).toEqual(refused);
    expect(refusal(await member.call('POST', path(`/${id}/versions`), { rules: RULES }))).toEqual(refused);
    expect(refusal(await member.call('POST', path(`/${id}/test`), { text: 'x' }))).toEqual(refused);
  });

  it('of another organization do not exist', async () => {
    const id = await create();
    const stranger = await web.signIn();
    const theirs = await addOrganization(web.db, stranger);
    for (const where of [org.id, theirs.id]) {
      const at = `/api/organizations/${where}/guardrails/${id}`;
      expect(refusal(await stranger.call('GET', at))).toEqual([404, 'not_found']);
      expect(refusal(await stranger.call('POST', `${at}/versions`, { rules: RULES }))).toEqual([404, 'not_found']);
      expect(refusal(await stranger.call('POST', `${at}/test`, { text: 'x' }))).toEqual([404, 'not_found']);
    }
  });

  it.each([
    [[], 'rules'],
    [[{ kind: 'telepathy', config: {} }], 'rules.0.kind'],
    [
      [
        { kind: 'pii', config: {} },
        { kind: 'regex', config: { pattern: '(' } },
      ],
      'rules.1.config.pattern',
    ],
    [[{ kind: 'keyword', config: { keywords: ['a\0'] } }], 'rules.0.config.keywords.0'],
    [[{ kind: 'json-schema', config: { schema: { $ref: 'https://example.com/schema' } } }], 'rules.0.config.schema'],
  ])('with the rules %j are refused, naming %s', async (rules, field) => {
    const answer = await owner.call('POST', path(), { name: 'x', rules });
    expect([...refusal(answer), Object.keys(answer.body['details'] ?? {})]).toEqual([400, 'invalid_request', [field]]);
  });
});
