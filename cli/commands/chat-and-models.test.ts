import { describe, expect, it } from 'vitest';
import { EFFORTS as CONTRACT } from '../../src/contract/models.ts';
import { type CannedRequest, events, json, refuse } from '../../test/support/cli/canned-service.ts';
import { TOKEN, useCliStand } from '../../test/support/cli/cli-stand.ts';
import { EFFORTS } from './chat.ts';

const stand = useCliStand();
const AT = '2026-01-02T03:04:05.000Z';

describe('chat', () => {
  const answer = () =>
    json({ choices: [{ message: { role: 'assistant', content: 'Hello.' } }] }, 200, {
      'x-service-credential': 'own-key',
      'x-service-provider': 'openai',
    });

  it('asks with standard input appended, and prints the answer', async () => {
    stand.serve({ 'POST /v1/chat/completions': answer });
    const asked = await stand.servicectl(
      ['chat', 'Review', 'this', '-', '--model', 'm', '--system', 'Be brief.', '--workspace', 'research'],
      { input: 'a change\n' },
    );
    expect(asked).toEqual({ code: 0, stdout: 'Hello.\n', stderr: '' });
    expect(stand.requests()[0]).toMatchObject({
      bearer: TOKEN,
      headers: { 'x-service-workspace': 'research' },
      body: {
        model: 'm',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Review this\n\na change' },
        ],
      },
    });
    expect((await stand.servicectl(['chat', 'Hi', '--jq', '.credential, .provider'])).stdout).toBe('own-key\nopenai\n');
  });

  it('sends the effort and the temperature that are set', async () => {
    stand.serve({ 'POST /v1/chat/completions': answer });
    expect(await stand.servicectl(['chat', 'Hi', '--effort', 'high', '--temperature', '0.2'])).toMatchObject({
      code: 0,
    });
    expect(stand.requests()[0]?.body).toMatchObject({ reasoning_effort: 'high', temperature: 0.2 });
    expect(EFFORTS).toEqual(CONTRACT);
    for (const wrong of [
      ['--effort', 'huge'],
      ['--temperature', 'warm'],
      ['--temperature', '2.5'],
    ])
      expect(await stand.servicectl(['chat', 'Hi', ...wrong])).toMatchObject({ code: 2, stdout: '' });
    expect(stand.requests()).toHaveLength(1);
  });

  it('--stream prints the pieces; an answer that is cut off fails', async () => {
    const piece = (content: string) => ({ choices: [{ delta: { content } }] });
    stand.serve({ 'POST /v1/chat/completions': events(piece('Hel'), piece('lo.'), '[DONE]') });
    expect(await stand.servicectl(['chat', 'Hi', '--stream'])).toMatchObject({ code: 0, stdout: 'Hello.\n' });
    stand.serve({ 'POST /v1/chat/completions': events(piece('Hel')) });
    expect(await stand.servicectl(['chat', 'Hi', '--stream'])).toMatchObject({
      code: 1,
      stdout: 'Hel',
      stderr: expect.stringContaining('cut off'),
    });
  });

  it('on a terminal the answer is formatted; raw, without colours and in a pipe it is as the model wrote it', async () => {
    const piece = (content: string) => ({ choices: [{ delta: { content } }] });
    stand.serve({ 'POST /v1/chat/completions': events(piece('**Hel'), piece('lo**\n\n- a'), '[DONE]') });
    const shown = async (args: string[], environment = {}) =>
      (await stand.servicectl(['chat', 'Hi', ...args], { columns: 80, environment })).stdout;
    expect(await shown([])).toBe('\u001B[1mHello\u001B[22m\n\n• a\n');
    expect(await shown(['--raw'])).toBe('**Hello**\n\n- a\n');
    expect(await shown([], { NO_COLOR: '1' })).toBe('**Hello**\n\n- a\n');
    expect((await stand.servicectl(['chat', 'Hi', '--stream'])).stdout).toBe('**Hello**\n\n- a\n');
  });

  it('says what to do about an unknown model and an empty question', async () => {
    const error = { message: 'There is no such model.', type: 'invalid_request_error', code: 'model_not_found' };
    stand.serve({ 'POST /v1/chat/completions': () => json({ error }, 404) });
    expect(await stand.servicectl(['chat', 'Hi'])).toMatchObject({
      code: 1,
      stderr: 'servicectl: model_not_found: There is no such model.\n  → Run: servicectl models\n',
    });
    expect(await stand.servicectl(['chat'])).toMatchObject({ code: 2 });
  });
});

describe('models', () => {
  const model = (id: string, allowed: boolean) => ({
    id,
    name: id.toUpperCase(),
    modality: 'chat',
    providers: ['openai', 'anthropic'],
    zdr: {},
    contextWindow: 1000,
    maxOutputTokens: 100,
    price: { input: 1, output: 2.5 },
    allowed,
    denials: allowed ? [] : ['model_disabled'],
    hasProviderKey: false,
    takesOwnKey: true,
    forRuns: true,
    credential: 'platform',
    capabilities: { images: true, pdf: true, tools: true, efforts: [], temperature: true },
  });
  const LISTED = {
    models: [model('a', true), model('b', false)],
    requireProviderKey: false,
    enforceStudyMode: false,
    demo: false,
  };

  it('lists the allowed ones, and all of them with --all', async () => {
    stand.serve({ 'GET /api/models': LISTED });
    expect((await stand.servicectl(['models'])).stdout).toBe('a\tA\topenai,anthropic\t1/2.5\n');
    expect((await stand.servicectl(['models', '--all'])).stdout).toBe(
      'a\tA\topenai,anthropic\t1/2.5\tallowed\nb\tB\topenai,anthropic\t1/2.5\tmodel_disabled\n',
    );
    expect(stand.requests()[0]).toMatchObject({ bearer: 'the-session', query: { organization: 'org_1' } });
  });

  it('shows what a long input costs', async () => {
    const long = { aboveTokens: 272_000, input: 2, output: 5 };
    const priced = {
      ...model('a', true),
      price: { input: 1, output: 2.5, longInput: long },
      prices: [
        {
          provider: 'openai',
          input: 1,
          output: 2.5,
          cacheRead: 0.1,
          cacheWrite: 1.25,
          longInput: { ...long, cacheRead: 0.2, cacheWrite: 2.5 },
          source: 'a list',
          date: '2026-01-01',
        },
      ],
    };
    stand.serve({ 'GET /api/models': { ...LISTED, models: [priced] } });
    expect((await stand.servicectl(['models'])).stdout).toContain('\t1/2.5; input above 272000: 2/5\n');
    expect((await stand.servicectl(['models', '--prices'])).stdout).toBe(
      'a\topenai\t-\t1\t2.5\t0.1\t1.25\t2026-01-01\ta list\na\topenai\t272000\t2\t5\t0.2\t2.5\t2026-01-01\ta list\n',
    );
  });

  it('with a token lists what it may use', async () => {
    stand.serve({ 'GET /v1/models': { data: [{ id: 'a', display_name: 'A', owned_by: 'openai' }] } });
    const environment = { SERVICE_URL: stand.url, SERVICE_TOKEN: 'a.b.c' };
    expect((await stand.servicectl(['models'], { environment })).stdout).toBe('a\tA\topenai\t-\n');
    const price = { input: 1, output: 2.5, long_input: { above_tokens: 1000, input: 2, output: 5 } };
    const priced = { id: 'a', display_name: 'A', owned_by: 'openai', providers: ['openai', 'anthropic'], price };
    stand.serve({ 'GET /v1/models': { data: [priced] } });
    expect((await stand.servicectl(['models'], { environment })).stdout).toBe(
      'a\tA\topenai,anthropic\t1/2.5; input above 1000: 2/5\n',
    );
    expect(await stand.servicectl(['models', '--all'], { environment })).toMatchObject({ code: 3 });
  });
});

describe('models-account', () => {
  const accountOf = (id: string, model: string) => ({
    id,
    protocol: 'chat',
    auth: 'bearer',
    baseUrl: 'http://ollama:11434/v1',
    models: [model],
    takesEffort: false,
    fingerprint: 'abc',
    updatedAt: AT,
  });
  const [one, two] = [accountOf('mac_1', 'qwen3'), accountOf('mac_2', 'llama3')];
  const rowOf = (id: string, model: string): string =>
    `${id}\thttp://ollama:11434/v1\t${model}\tchat\tbearer\tnot sent\tabc\t${AT}\n`;
  const ALL = '/api/organizations/org_1/models-accounts';
  const workspace = {
    id: 'ws_1',
    organization: 'org_1',
    slug: 'default',
    name: 'Default',
    kind: 'default',
    canManage: true,
    createdAt: AT,
  };

  it('lists, adds, saves, moves and removes the accounts of the organization', async () => {
    stand.serve({
      [`GET ${ALL}`]: { accounts: [one, two] },
      [`POST ${ALL}`]: { account: two },
      [`PUT ${ALL}`]: { accounts: [two, one] },
      [`PUT ${ALL}/mac_1`]: { account: one },
      [`DELETE ${ALL}/mac_2`]: { ok: true },
    });
    const [first, second] = [rowOf('mac_1', 'qwen3'), rowOf('mac_2', 'llama3')];
    expect((await stand.servicectl(['models-account'])).stdout).toBe(first + second);
    const put = async (verb: string, ...more: string[]): Promise<unknown> => {
      const args = ['models-account', verb, 'http://ollama:11434/v1', '--models', 'qwen3', ...more];
      return (await stand.servicectl(args, { input: 'the-key\n' })).stdout;
    };
    const given = { baseUrl: 'http://ollama:11434/v1', key: 'the-key', models: ['qwen3'], takesEffort: false };
    expect(await put('save')).toBe(first);
    expect(stand.requests().at(-1)?.body).toEqual({ protocol: 'chat', auth: 'bearer', ...given });
    expect(await put('add', '--protocol', 'messages')).toBe(second);
    expect(stand.requests().at(-1)?.body).toEqual({ protocol: 'messages', auth: 'bearer', ...given });
    expect((await stand.servicectl(['models-account', 'move', 'mac_2', '1'])).stdout).toBe(second + first);
    expect(stand.requests().at(-1)?.body).toEqual({ order: ['mac_2', 'mac_1'] });
    expect(await stand.servicectl(['models-account', 'move', 'mac_2', '3'])).toMatchObject({ code: 1 });
    expect(await stand.servicectl(['models-account', 'remove'])).toMatchObject({ code: 2 });
    expect((await stand.servicectl(['models-account', 'remove', 'mac_2'])).stderr).toBe(
      'Removed the Models account.\n',
    );
  });

  it('finds a workspace by its slug', async () => {
    stand.serve({
      'GET /api/organizations/org_1/workspaces': { workspaces: [workspace] },
      'GET /api/workspaces/ws_1/models-accounts': { accounts: [] },
    });
    expect((await stand.servicectl(['models-account', '--workspace', 'default'])).stderr).toContain(
      'no Models account',
    );
    expect(await stand.servicectl(['models-account', '--workspace', 'nowhere'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no workspace 'nowhere'"),
    });
  });
});

describe('keys', () => {
  const openai = {
    provider: 'openai',
    name: 'OpenAI',
    executable: true,
    hasCard: true,
    configured: true,
    fingerprint: 'abc',
  };
  const USE = { by: ['runs'] };
  const PROVIDERS = { providers: [{ ...openai, updatedAt: AT, use: USE }] };

  it('lists the providers and what uses their key', async () => {
    stand.serve({ 'GET /api/provider-keys': PROVIDERS });
    expect((await stand.servicectl(['keys'])).stdout).toBe(`openai\tconfigured\tabc\t${AT}\tbackground runs\n`);
    expect(stand.requests()[0]?.query).toEqual({ organization: 'org_1', workspace: 'global' });
  });

  it('saves a key from standard input and says who uses it', async () => {
    stand.serve({
      'GET /api/provider-keys': PROVIDERS,
      'PUT /api/provider-keys/openai': { configured: true, message: 'Saved.', use: USE },
    });
    expect(await stand.servicectl(['keys', 'save', 'openai'], { input: 'sk-1\n' })).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Saved\.\nUsed by background runs\.[\s\S]*→ .*servicectl keys inherit on\n$/),
    });
    expect(stand.requests().at(-1)?.body).toEqual({ organization: 'org_1', workspace: 'global', key: 'sk-1' });
  });

  it('neither sends nor repeats an unknown provider', async () => {
    stand.serve({ 'GET /api/provider-keys': PROVIDERS });
    const { code, stderr } = await stand.servicectl(['keys', 'save', 'sk-secret'], { input: 'x' });
    expect([code, stderr.includes('sk-secret'), stand.requests().length]).toEqual([1, false, 1]);
  });

  it('removes a key', async () => {
    stand.serve({
      'GET /api/provider-keys': PROVIDERS,
      'DELETE /api/provider-keys/openai': { configured: false, message: 'Removed.' },
    });
    expect(await stand.servicectl(['keys', 'remove', 'openai'])).toMatchObject({ code: 0, stderr: 'Removed.\n' });
  });

  it('shows and sets whether workspaces inherit, and whether own keys serve unlisted models', async () => {
    const policy = {
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
    stand.serve({
      'GET /api/organizations/org_1/policy': policy,
      'PATCH /api/organizations/org_1/policy': ({ body }: CannedRequest) => json({ ...policy, ...(body as object) }),
    });
    expect((await stand.servicectl(['keys', 'inherit'])).stdout).toBe('off\n');
    expect((await stand.servicectl(['keys', 'inherit', 'on'])).stderr).toMatch(/now use[\s\S]*has no key yet/);
    expect((await stand.servicectl(['keys', 'unlisted'])).stdout).toBe('off\n');
    expect((await stand.servicectl(['keys', 'unlisted', 'on'])).stderr).toMatch(/now serve models .* cost is unknown/);
    expect((await stand.servicectl(['keys', 'unlisted', 'on', '--json'])).stdout).toBe(
      '{"allowUnlistedModels":true}\n',
    );
    expect(await stand.servicectl(['keys', 'unlisted', 'yes'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('keys unlisted takes on or off'),
    });
  });
});

describe('usage', () => {
  const day = (date: string, cost: number) => ({
    date,
    model: 'm',
    provider: 'openai',
    credential: 'platform',
    requests: 1,
    inputTokens: 10,
    outputTokens: 5,
    cost,
  });
  const USAGE = {
    plan: 'team',
    seats: { used: 1, capacity: 5 },
    signupCredit: { granted: 5, remaining: 4 },
    seatBudget: { monthly: 10, remaining: 10 },
    storage: { usedBytes: 0, limitBytes: 1_000_000 },
    reserved: 0,
    spent: 1,
    days: [day('2026-01-02', 1), day('2026-01-01', 0.5)],
  };

  it('shows who spent what, and what is left for me', async () => {
    const row = { key: 'usr_2', name: 'Max', requests: 3, inputTokens: 30, outputTokens: 15, cost: 2.5, unpriced: 2 };
    const { key: _key, name: _name, ...totals } = row;
    stand.serve({
      'GET /api/organizations/org_1/spend': { from: '2026-01-01', to: '2026-01-31', rows: [row], total: 2.5, totals },
      'GET /api/me/spend': {
        month: '2026-01',
        cost: 0,
        unpriced: 2,
        caps: [
          {
            subject: { kind: 'member', id: 'usr_1' },
            name: 'Max',
            limit: 10,
            remaining: 7.5,
            resetsAt: '2026-02-01T00:00:00.000Z',
          },
        ],
      },
    });
    const all = await stand.servicectl(['usage', '--by', 'member']);
    expect(all.stdout).toBe('Max\t3\t30\t15\t$2.50 + 2 unknown\tusr_2\n');
    expect(all.stderr).toContain('at list price');
    const mine = await stand.servicectl(['usage', '--mine']);
    expect(mine.stdout).toBe('member\tMax\t$7.50\t$10.00\t2026-02-01\n');
    expect(mine.stderr).toContain('an unknown amount in 2026-01 (UTC), on own keys at list price');
  });

  it('sets, lists and deletes routes', async () => {
    const route = {
      name: 'route/fast',
      models: ['openai/a', 'anthropic/b'],
      on: ['timeout'],
      updatedAt: '2026-11-01T00:00:00.000Z',
    };
    stand.serve({
      'GET /api/organizations/org_1/routes': { routes: [route] },
      'PUT /api/organizations/org_1/routes/fast': { route },
      'DELETE /api/organizations/org_1/routes/fast': { ok: true },
    });
    expect((await stand.servicectl(['routes'])).stdout).toBe('route/fast\topenai/a, anthropic/b\ttimeout\n');
    const set = await stand.servicectl(['routes', 'set', 'fast', 'openai/a', 'anthropic/b', '--on', 'timeout']);
    expect([set.code, set.stderr]).toEqual([
      0,
      expect.stringContaining('route/fast tries openai/a, then anthropic/b.'),
    ]);
    expect((await stand.servicectl(['routes', 'delete', 'fast'])).code).toBe(0);
    expect((await stand.servicectl(['routes', 'set', 'fast', 'openai/a', '--on', 'rain'])).code).toBe(2);
  });

  it('sets, lists and removes caps', async () => {
    const cap = {
      id: 'cap_1',
      subject: { kind: 'workspace', id: 'ws_1' },
      name: 'Research',
      monthlyUsd: 250,
      spent: 1,
      reserved: 0,
      remaining: 249,
      resetsAt: '2026-02-01T00:00:00.000Z',
    };
    stand.serve({
      'GET /api/organizations/org_1/caps': { caps: [cap] },
      'PUT /api/organizations/org_1/caps': cap,
      'GET /api/organizations/org_1/workspaces': {
        workspaces: [
          {
            id: 'ws_1',
            organization: 'org_1',
            slug: 'research',
            name: 'Research',
            kind: 'named',
            canManage: true,
            createdAt: AT,
          },
        ],
      },
      'DELETE /api/organizations/org_1/caps/cap_1': { ok: true },
    });
    expect((await stand.servicectl(['caps'])).stdout).toBe(
      'workspace\tResearch\t$250.00\t$1.00\t$249.00\t2026-02-01T00:00:00.000Z\n',
    );
    const set = await stand.servicectl(['caps', 'set', 'workspace', 'research', '250']);
    expect(set).toMatchObject({ code: 0, stderr: expect.stringContaining('$249.00 is left') });
    expect(stand.requests().at(-1)?.body).toEqual({ subject: { kind: 'workspace', id: 'ws_1' }, monthlyUsd: 250 });
    expect(await stand.servicectl(['caps', 'remove', 'workspace', 'research'])).toMatchObject({
      code: 0,
      stderr: 'Removed the cap of Research.\n',
    });
    expect(await stand.servicectl(['caps', 'remove', 'workspace', 'lab'])).toMatchObject({ code: 1 });
    expect((await stand.servicectl(['caps', 'set', 'member', 'usr_1', 'much'])).code).toBe(2);
  });

  it('sums the days by model, or shows each', async () => {
    stand.serve({ 'GET /api/organizations/org_1/usage': USAGE });
    expect((await stand.servicectl(['usage', '--days', '2'])).stdout).toBe('m\topenai\tplatform\t2\t20\t10\t$1.50\n');
    expect((await stand.servicectl(['usage', '--by-day'])).stdout).toMatch(
      /^2026-01-02\t.*\n2026-01-01\t.*\$0\.5000\n$/,
    );
  });

  it('fails for someone who is not a member', async () => {
    stand.serve({ 'GET /api/organizations/org_1/usage': refuse(404, 'not_found') });
    expect(await stand.servicectl(['usage'])).toMatchObject({ code: 1 });
  });
});
