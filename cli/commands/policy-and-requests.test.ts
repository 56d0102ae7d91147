import { describe, expect, it } from 'vitest';
import { SPEND_BY } from '../../src/contract/spend.ts';
import { role } from '../../src/contract/common.ts';
import { ENFORCEMENT_MATRIX } from '../../src/enforcement/matrix.ts';
import { json, refuse } from '../../test/support/cli/canned-service.ts';
import { useCliStand } from '../../test/support/cli/cli-stand.ts';
import { ROLES } from '../find-member.ts';
import { POLICY_FIELDS } from '../policy-fields.ts';
import { BY } from './usage.ts';

const stand = useCliStand();
const POLICY = {
  disabledProviders: [],
  disabledModels: ['a'],
  requireZdr: false,
  enforceStudyMode: false,
  requireProviderKey: false,
  allowUnlistedModels: false,
  inheritOrganizationKeys: false,
  disableSharing: true,
  requireSecondFactor: false,
  toolSwitches: { web_search: true },
  modules: { rateLimiting: {}, budgetLimiting: {}, loggingConfig: {}, toolApproval: {} },
  providerKeySummary: null,
};

it('copies of the contract are the same', () => {
  expect([BY, ROLES]).toEqual([SPEND_BY, role.options]);
});

describe('policy', () => {
  const serve = (): void =>
    stand.serve({
      'GET /api/organizations/org_1/policy': POLICY,
      'PATCH /api/organizations/org_1/policy': ({ body }) =>
        json({
          ...POLICY,
          ...(body as typeof POLICY),
          modules: { ...POLICY.modules, ...(body as typeof POLICY).modules },
        }),
    });

  it('shows every field of it, whether it is enforced, and what it does', async () => {
    serve();
    const { stdout } = await stand.servicectl(['policy']);
    expect(stdout).toMatch(/^require-zdr\toff\tenforced\tModels without zero data retention are answered too\.$/m);
    expect(stdout).toMatch(/^disable-sharing\ton\tenforced\tNobody can share a chat/m);
    expect(stdout).toMatch(/^modules\t\{"rateLimiting".*\tstored\tIt is stored, but nothing reads it\.$/m);
    const { providerKeySummary: _summary, ...fields } = POLICY;
    expect(Object.values(POLICY_FIELDS).map(({ field }) => field)).toEqual(Object.keys(fields));
  });

  it.each([
    ['disabled-providers', 'Disabled providers and models'],
    ['disabled-models', 'Disabled providers and models'],
    ['require-zdr', 'Require ZDR (zero data retention)'],
    ['enforce-study-mode', 'Enforce Study Mode'],
    ['require-provider-key', 'Require organization provider key'],
    ['allow-unlisted-models', 'Unlisted models on own keys'],
    ['disable-sharing', 'Sharing of chats'],
    ['tool-switches', 'Organization tool switches'],
    ['modules', 'Policies-page modules: rate limiting, budget limiting, logging config, tool approval'],
  ] as const)('%s has the effect that the matrix gives it', (name, control) => {
    const status = ENFORCEMENT_MATRIX.find((one) => one.control === control)?.status;
    const effects = { Enforced: 'enforced', 'Configured only': 'stored', 'Browser only': 'browser only' } as const;
    expect(POLICY_FIELDS[name].effect).toBe(effects[status as keyof typeof effects]);
  });

  it.each([
    ['require-zdr on', { requireZdr: true }],
    ['disabled-models b c', { disabledModels: ['b', 'c'] }],
    ['disabled-models b --add', { disabledModels: ['a', 'b'] }],
    ['disabled-models a --remove', { disabledModels: [] }],
    ['disabled-models none', { disabledModels: [] }],
    ['tool-switches.code_interpreter off', { toolSwitches: { web_search: true, code_interpreter: false } }],
    ['modules.rateLimiting {"enabled":true}', { modules: { rateLimiting: { enabled: true } } }],
  ])('set %s sends only that', async (given, body) => {
    serve();
    expect(await stand.servicectl(['policy', 'set', ...given.split(' ')])).toMatchObject({ code: 0, stdout: '' });
    expect(stand.requests().at(-1)?.body).toEqual(body);
  });

  it('set says what the value does, and refuses one that the field does not take', async () => {
    serve();
    expect((await stand.servicectl(['policy', 'set', 'enforce-study-mode', 'on'])).stderr).toBe(
      'enforce-study-mode is now on. Every chat request uses the Study Mode model, which no provider serves: chat requests fail until this is off.\n',
    );
    for (const wrong of [
      'require-zdr yes',
      'require-zdr',
      'require-zdr on --add',
      'disabled-models',
      'require-zdr.x on',
    ])
      expect(await stand.servicectl(['policy', 'set', ...wrong.split(' ')])).toMatchObject({ code: 2 });
  });
});

describe('requests', () => {
  const NOW = new Date().toISOString();
  const request = (id: string, more: object = {}) => ({
    id,
    at: NOW,
    member: 'usr_1',
    workspace: 'ws_1',
    surface: 'chat',
    model: 'service/auto',
    served: 'openai/gpt-6-sol',
    provider: 'openai',
    credential: 'platform',
    status: 200,
    inputTokens: 10,
    outputTokens: 5,
    cost: 0.001,
    durationMs: 900,
    ...more,
  });
  const NAMES = {
    'GET /api/organizations/org_1/members': {
      members: [{ user: 'usr_1', name: 'Ada', email: 'ada@example.test', role: 'owner', createdAt: NOW }],
    },
    'GET /api/organizations/org_1/workspaces': { workspaces: [] },
    'GET /api/tokens': { tokens: [] },
  };
  const OLD = request('req_old', { at: '2026-01-01T00:00:00.000Z', status: 500 });
  const pages = {
    ...NAMES,
    'GET /api/organizations/org_1/requests': ({ query }: { query: Readonly<Record<string, string>> }) =>
      json(
        query['cursor'] === undefined
          ? {
              requests: [request('req_1'), request('req_2', { status: 429, cost: null, member: 'usr_9' })],
              cursor: 'c',
            }
          : { requests: [request('req_3', { status: 500, surface: '/v1' }), OLD], cursor: 'd' },
      ),
  };

  it('shows names, and stops at the time asked for', async () => {
    stand.serve(pages);
    expect((await stand.servicectl(['requests'])).stdout).toBe(
      [
        `${NOW}\t200\tada@example.test\tservice/auto → openai/gpt-6-sol\tchat\tplatform\t10/5\t$0.0010\t900\treq_1\n`,
        `${NOW}\t429\tusr_9\tservice/auto → openai/gpt-6-sol\tchat\tplatform\t10/5\tunknown\t900\treq_2\n`,
        `${NOW}\t500\tada@example.test\tservice/auto → openai/gpt-6-sol\t/v1\tplatform\t10/5\t$0.0010\t900\treq_3\n`,
      ].join(''),
    );
  });

  it.each([
    [['--status', '4xx'], ['req_2']],
    [['--status', '500'], ['req_3']],
    [['--member', 'ADA@example.test', '--status', '2xx'], ['req_1']],
    [['--surface', '/v1'], ['req_3']],
    [['--model', 'openai/*', '--limit', '1'], ['req_1']],
    [['--model', 'anthropic/*'], []],
  ])('%j', async (filters, ids) => {
    stand.serve(pages);
    expect((await stand.servicectl(['requests', ...filters, '--jq', '[.requests[].id]'])).stdout).toBe(
      `${JSON.stringify(ids)}\n`,
    );
  });

  it('--follow prints what was logged, oldest first, then what is new, until it fails', async () => {
    const answers = [
      json({ requests: [request('req_2'), request('req_1')] }),
      json({ requests: [request('req_3', { status: 404 }), request('req_2')] }),
    ];
    stand.serve({
      ...NAMES,
      'GET /api/organizations/org_1/requests': () => answers.shift() ?? refuse(401, 'unauthenticated')(),
    });
    const { code, stdout } = await stand.servicectl(['requests', '--follow', '--jq', '.id']);
    expect([code, stdout]).toEqual([3, 'req_1\nreq_2\nreq_3\n']);
  });

  it('--id finds one, however old', async () => {
    stand.serve({ ...NAMES, 'GET /api/organizations/org_1/requests': { requests: [OLD] } });
    expect((await stand.servicectl(['requests', '--id', 'req_old', '--jq', '.requests[0].status'])).stdout).toBe(
      '500\n',
    );
    expect(stand.requests().at(-1)?.query).toMatchObject({ id: 'req_old' });
  });
});
