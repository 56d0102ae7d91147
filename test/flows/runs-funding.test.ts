// Who pays for a background run, and what it may call: the scopes and checks of the specification, at a scripted model.
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '../support/http-client.ts';
import { leaveOut } from '../support/needs.ts';
import { openRunStand, PLATFORM_KEY, type RunStand, type Tenant } from '../support/runs/run-stand.ts';
import { joinWorkspace } from '../support/people.ts';
import { ROOTLESS, sandboxSkipReason } from '../support/sandbox/sandbox.ts';

const ORG_KEY = 'sk-organization-key';
const WORKSPACE_KEY = 'sk-workspace-key';

describe('funding of runs', leaveOut(sandboxSkipReason), () => {
  let stand: RunStand;
  let tenant: Tenant;
  beforeAll(async () => {
    stand = await openRunStand({ way: ROOTLESS, environment: { ANTHROPIC_API_KEY: 'sk-ant-platform' } });
  });
  afterAll(() => stand?.close());
  afterEach(() => stand.models.reset());

  const newTenant = async (): Promise<Tenant> => (tenant = await stand.newTenant());
  const finish = async (more: Record<string, unknown> = {}): Promise<Body> =>
    tenant.until(await tenant.run('Answer', more), 'completed', 'failed');
  const keysUsed = (): string[] =>
    stand.models.requests.map(({ headers }) =>
      String(headers['authorization'] ?? headers['x-api-key']).replace('Bearer ', ''),
    );
  const codeOf = async (job: Body): Promise<string> => (await tenant.events(job.id)).at(-1)?.['data'].code;

  async function addWorkspace(): Promise<string> {
    const id = `ws_${randomBytes(6).toString('hex')}`;
    await stand.db.query(
      "insert into :schema.workspace (id, organization_id, slug, name, kind) values ($1, $2, $3, 'Funds', 'named')",
      [id, tenant.organization.id, id.replaceAll('_', '-')],
    );
    await joinWorkspace(stand.db, tenant.organization.id, id, { id: tenant.userId, name: '', email: '' }, 'owner');
    return id;
  }

  it('takes platform credit, reserves before each call and settles after it', async () => {
    await newTenant();
    expect(await finish()).toMatchObject({
      status: 'completed',
      result: { credential: 'platform', cost: expect.any(Number) },
    });
    expect(keysUsed()).toEqual([PLATFORM_KEY]);
    const { spent, reserved } = await tenant.budget();
    expect([spent > 0, reserved]).toEqual([true, 0]);
    expect(await tenant.usage()).toMatchObject([
      {
        model: 'service/auto',
        served: 'openai/gpt-6-sol',
        provider: 'openai',
        credential: 'platform',
        requests: 1,
        input_tokens: 10,
        output_tokens: 5,
        cost_micros: spent,
      },
    ]);
  });

  it('counts for who started it, in their workspace', async () => {
    await newTenant();
    await finish();
    const { spent } = await tenant.budget();
    const { rows } = await stand.db.query(
      'select user_id, workspace_id, surface, requests, cost_micros from :schema.spend_day where organization_id = $1',
      [tenant.organization.id],
    );
    expect(rows).toEqual([
      {
        user_id: tenant.userId,
        workspace_id: tenant.organization.defaultId,
        surface: 'run',
        requests: 1,
        cost_micros: spent,
      },
    ]);
  });

  it("takes the organization's own key, and then reserves nothing", async () => {
    await newTenant();
    await tenant.saveKey('openai', tenant.organization.globalId, ORG_KEY);
    await tenant.setCredit(0);
    expect(await finish()).toMatchObject({ status: 'completed', result: { credential: 'own-key' } });
    expect(keysUsed()).toEqual([ORG_KEY]);
    expect(await tenant.budget()).toEqual({ spent: 0, reserved: 0 });
    expect(await tenant.usage()).toMatchObject([{ credential: 'own-key', cost_micros: 0 }]);
  });

  it('reads a workspace only when it is named to fund the run', async () => {
    await newTenant();
    await tenant.saveKey('openai', tenant.organization.defaultId, 'sk-of-default');
    const funds = await addWorkspace();
    await tenant.saveKey('openai', funds, WORKSPACE_KEY);
    await finish();
    await finish({ workspace: funds });
    await finish({ fundingWorkspace: funds });
    expect(keysUsed()).toEqual([PLATFORM_KEY, PLATFORM_KEY, WORKSPACE_KEY]);
  });

  it('takes Global, named to fund the run, for the organization scope', async () => {
    await newTenant();
    await tenant.saveKey('openai', tenant.organization.globalId, ORG_KEY);
    await finish({ fundingWorkspace: tenant.organization.globalId });
    expect(keysUsed()).toEqual([ORG_KEY]);
  });

  it('lets a Models account of the funding workspace come first, and of no other', async () => {
    await newTenant();
    const funds = await addWorkspace();
    await tenant.saveAccount(funds, stand.models.accountUrl, 'account-key', ['*']);
    await tenant.saveAccount(tenant.organization.defaultId, stand.models.accountUrl, 'account-of-default', ['*']);
    await finish();
    expect(await finish({ fundingWorkspace: funds })).toMatchObject({
      status: 'completed',
      result: { credential: 'models-account' },
    });
    expect(keysUsed()).toEqual([PLATFORM_KEY, 'account-key']);
  });

  it('never uses a key of provider B, nor its models', async () => {
    await newTenant();
    await tenant.saveKey('anthropic', tenant.organization.globalId, 'sk-ant-own');
    await finish({ model: 'service/auto' });
    expect(keysUsed()).toEqual([PLATFORM_KEY]);
    expect(stand.models.requests.map(({ path }) => path)).toEqual(['/v1/responses']);
    const { status, body } = await tenant.ask('POST', '/agents/factory/jobs', {
      objective: 'x',
      model: 'anthropic/claude-sonnet-5',
    });
    expect([status, body.error]).toEqual([400, 'model_not_supported_for_runs']);
    // With provider A disabled, a model that provider B serves too is denied.
    await tenant.setPolicy({ disabled_providers: ['openai'] });
    expect(await codeOf(await finish({ model: 'service/auto' }))).toBe('policy_denied:provider');
  });

  it.each([
    [
      'disabled_models',
      ['openai/gpt-5.4'],
      'policy_denied:model',
      'The selected AI model is not allowed for your organization.',
    ],
    ['enforce_study_mode', true, 'study_mode_unavailable', 'Study Mode'],
  ])('fails under %s with the code of the specification and words for people', async (column, value, code, words) => {
    await newTenant();
    await tenant.setPolicy({ [column]: value });
    const job = await finish({ model: 'openai/gpt-5.4' });
    expect(job).toMatchObject({ status: 'failed', attempt: 1, error: expect.stringContaining(words) });
    expect(job.error).toContain(code);
    expect(await codeOf(job)).toBe(code);
    expect(stand.models.requests).toEqual([]);
  });

  it('requires ZDR of the model, unless the own key bypasses it', async () => {
    await newTenant();
    await tenant.setPolicy({ require_zdr: true });
    expect(await codeOf(await finish({ model: 'openai/gpt-6-astra' }))).toBe('policy_denied:compliance');
    await tenant.saveKey('openai', tenant.organization.globalId, ORG_KEY);
    expect((await finish({ model: 'openai/gpt-6-astra' })).status).toBe('completed');
  });

  it('fails without balance, having called nothing', async () => {
    await newTenant();
    await tenant.setCredit(0);
    expect(await codeOf(await finish())).toBe('quota_exceeded');
    expect(stand.models.requests).toEqual([]);
  });

  it('names the rejected key, and asks again where the provider is only busy', async () => {
    await newTenant();
    await tenant.saveKey('openai', tenant.organization.globalId, ORG_KEY);
    stand.script({ status: 401 });
    expect(await finish()).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('Verify that your organization OpenAI API key is valid.'),
    });
    stand.models.reset();
    stand.script({ status: 503 }, { text: 'Now.' });
    expect(await finish()).toMatchObject({ status: 'completed', result: { text: 'Now.' } });
  });

  it('is not counted against what its person may ask in chat', async () => {
    await newTenant();
    await finish();
    expect(stand.models.requests).toHaveLength(1);
    expect((await stand.db.query('select 1 from :schema.chat_rate where user_id = $1', [tenant.userId])).rows).toEqual(
      [],
    );
  });
});
