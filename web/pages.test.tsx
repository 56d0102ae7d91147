// The states of the six most stateful pages, by what the server responds. Clicks and typing are tested in test/browser.
import { describe, expect, it } from 'vitest';
import { PAGES } from '../src/contract/pages.ts';
import { renderPage, type Responses, routedAddresses } from './render-page.tsx';

const AT = '2026-03-01T10:00:00.000Z';
const workspace = {
  id: 'ws1',
  organization: 'org1',
  slug: 'default',
  name: 'Default',
  kind: 'default',
  role: 'owner',
  createdAt: AT,
};
const model = {
  id: 'gpt-5',
  name: 'GPT-5',
  modality: 'chat',
  providers: ['openai'],
  zdr: { openai: false },
  contextWindow: 400_000,
  maxOutputTokens: 128_000,
  price: { input: 1.25, output: 10 },
  allowed: true,
  denials: [],
  hasProviderKey: true,
  takesOwnKey: true,
  forRuns: true,
  credential: 'own-key',
  capabilities: { images: true, pdf: true, tools: true, efforts: ['low', 'high'], temperature: false },
};
const models = { models: [model], requireProviderKey: false, enforceStudyMode: false, demo: false };
const policy = {
  disabledProviders: [],
  disabledModels: [],
  requireZdr: false,
  enforceStudyMode: false,
  requireProviderKey: false,
  allowUnlistedModels: false,
  requireSecondFactor: false,
  inheritOrganizationKeys: true,
  toolSwitches: {},
  modules: {},
  providerKeySummary: null,
};

const limits = { memory: 'cgroup', processes: 'cgroup', disk: 'tmpfs', cpu: 'cgroup', time: 'timer' };

/** What every page of the app reads. */
const everyPage: Responses = {
  'GET /api/me': {
    user: { id: 'u1', name: 'Ada', email: 'ada@example.org' },
    organizations: [{ id: 'org1', slug: 'acme', name: 'Acme', role: 'owner', plan: 'team' }],
  },
  'GET /api/organizations/org1/workspaces': { workspaces: [workspace] },
  'GET /api/organizations/org1/members': { members: [] },
  'GET /api/organizations/org1/policy': policy,
  'GET /api/organizations/org1/routes': { routes: [] },
  'POST /api/tokens': { token: 'token', id: 't1', expiresAt: '2099-01-01T00:00:00.000Z' },
  'GET /api/tokens': { tokens: [] },
  'GET /api/threads': { threads: [] },
  'GET /api/projects': { projects: [] },
  'GET /api/prompts': { prompts: [] },
  'GET /api/imports': { imports: [] },
  'GET /api/models': models,
  'GET /runtime/jobs': { jobs: [] },
  'GET /runtime/triggers': { triggers: [] },
  'GET /runtime/sandbox': { ok: true, driver: 'bubblewrap', limits },
  'GET /connect/connections': { connections: [] },
  'GET /connect/capabilities': { status: 'online', capabilities: {} },
};

const show = (address: string, responses: Responses = {}): Promise<string> =>
  renderPage(address, { ...everyPage, ...responses });

const refuse = (status: number, error: string): Response => Response.json({ error, message: error }, { status });

it('has the addresses that the server takes for pages', () => {
  expect(routedAddresses().toSorted()).toEqual([...PAGES].toSorted());
});

describe('the sign-in page, with the OpenID provider as the only way in', () => {
  const strange = (address: string): Promise<string> =>
    show(address, {
      'GET /api/me': refuse(401, 'unauthenticated'),
      'GET /api/sign-in-options': { signUp: 'open', mail: false, openid: { name: 'Example ID', only: true } },
    });

  it.each([
    ['/sign-in', false],
    ['/sign-up', false],
    ['/sign-in?password', true],
  ])('at %s has a password field: %s', async (address, has) => {
    const page = await strange(address);
    expect(page).toContain('Continue with Example ID');
    expect(/^\s*Password\s*$/m.test(page)).toBe(has);
    expect(page).toContain('Your account is created the first time you continue with Example ID.');
  });

  it('says why a sign-in failed, in words of its own', async () => {
    expect(await strange('/sign-in?error=openid_domain_refused')).toContain('Addresses of this domain');
    expect(await strange('/sign-in?error=you-have-won')).not.toContain('won');
  });
});

describe('the chat page', () => {
  it('greets the person and offers the allowed model', async () => {
    const page = await show('/chat?org=acme');
    expect(page).toContain('What can I help with, Ada?');
    expect(page).toMatch(/Model:\s*GPT-5/);
    expect(page).toContain('Enter to send, Shift+Enter for a new line.');
  });

  it('says that no model is available', async () => {
    expect(await show('/chat?org=acme', { 'GET /api/models': { ...models, models: [] } })).toContain(
      'No models are available.',
    );
  });

  it('says that Study Mode answers nothing', async () => {
    expect(await show('/chat?org=acme', { 'GET /api/models': { ...models, enforceStudyMode: true } })).toContain(
      'Study Mode is enforced for this organization',
    );
  });

  it.each([
    ['queued', false],
    ['running', false],
    ['completed', true],
    ['failed', true],
  ])('under a run that is %s, offers to try again: %s', async (status, offers) => {
    const data = { id: 'job_1', objective: 'Count', status };
    const messages = [
      { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Count' }], metadata: {}, createdAt: AT },
      { id: 'm2', role: 'assistant', parts: [{ type: 'data-job', data }], metadata: {}, createdAt: AT },
    ];
    const thread = {
      id: 'thread1',
      title: 'Count',
      workspace: 'ws1',
      organization: 'org1',
      createdAt: AT,
      updatedAt: AT,
    };
    const page = await show('/chat/thread1?org=acme', {
      'GET /api/threads/thread1': { thread: { ...thread, messages } },
    });
    expect(page).toContain('Background run');
    expect(page.includes('Try again')).toBe(offers);
  });

  it('says that a chat does not exist', async () => {
    expect(await show('/chat/thread1?org=acme')).toContain('Chat not found');
  });
});

describe('the page of runs', () => {
  const run = {
    id: 'run1',
    organization: 'org1',
    workspace: 'ws1',
    kind: 'chat',
    objective: 'Count the open issues',
    status: 'queued',
    createdAt: AT,
    attempt: 0,
    stream: 'job/run1',
    createdBy: 'u1',
    capabilities: [],
  };

  it('offers to start the first run', async () => {
    const page = await show('/runs?org=acme');
    expect(page).toContain('No runs yet');
    expect(page).toContain('Start a run');
    expect(page).not.toContain('Any status');
  });

  it('keeps its filters when nothing matches them', async () => {
    const page = await show('/runs?org=acme&status=failed');
    expect(page).toContain('No runs match');
    expect(page).toContain('Clear filters');
    expect(page).toContain('Any status');
  });

  it('says why a run is waiting, and names a workspace that is gone', async () => {
    const waiting = { reason: 'sandbox_full', message: 'The sandbox limit is reached.' };
    const jobs = [
      { ...run, waiting },
      { ...run, id: 'run2', workspace: 'gone', status: 'completed' },
    ];
    const page = await show('/runs?org=acme', { 'GET /runtime/jobs': { jobs } });
    expect(page).toContain('The sandbox limit is reached.');
    expect(page).toContain('Queued');
    expect(page).toContain('Deleted workspace');
  });

  it('says when runs are unavailable, and what the operator can do', async () => {
    const page = await show('/runs?org=acme', {
      'GET /runtime/sandbox': { ok: false, reason: 'user namespaces are off', fix: 'turn them on' },
    });
    expect(page).toContain('Runs are unavailable on this deployment');
    expect(page).toContain('Reason: user namespaces are off.');
    expect(page).toContain('What your operator can do: turn them on.');
  });

  it('offers to load the list again', async () => {
    const page = await show('/runs?org=acme', { 'GET /runtime/jobs': refuse(503, 'storage_unavailable') });
    expect(page).toContain('Try again');
    expect(page).not.toContain('No runs yet');
  });
});

const github = {
  id: 'github',
  name: 'GitHub',
  category: 'code',
  auth: { mode: 'OAUTH2', provider: 'github' },
  surface: 'typed',
  tools: [{ name: 'list-issues', access: 'read', description: 'Lists issues.', inputSchema: {} }],
};
const counts = { connectors: 1, tools: 1, writes: 0, surfaces: {} };
const connection = {
  id: 'c1',
  organization: 'org1',
  workspace: 'ws1',
  provider: 'github',
  name: 'default',
  kind: 'integration-reference',
  status: 'valid',
  createdAt: AT,
  updatedAt: AT,
};
const catalog = { 'GET /connect/connectors': { connectors: [github], counts, configured: true } };

describe('the list of integrations', () => {
  it('offers to connect an app', async () => {
    const page = await show('/integrations?org=acme', catalog);
    expect(page).toMatch(/GitHub[^]*Connect/);
    expect(page).not.toContain('Disconnect');
  });

  it('explains a connection that needs attention', async () => {
    const connections = [{ ...connection, status: 'invalid', reason: 'provider_connection_missing' }];
    const page = await show('/integrations?org=acme', { ...catalog, 'GET /connect/connections': { connections } });
    expect(page).toContain('The integration provider no longer has this connection. Reconnect the app.');
    expect(page).toContain('Reconnect');
  });

  it('takes its filters from the address', async () => {
    expect(await show('/integrations?org=acme&q=nothing', catalog)).toContain('No app matches');
  });

  it('says that there is no integration provider', async () => {
    const page = await show('/integrations?org=acme', {
      'GET /connect/connectors': { connectors: [github], counts, configured: false },
    });
    expect(page).toContain('connection service is not configured');
  });

  it('says that only members of the workspace see its connections', async () => {
    const page = await show('/integrations?org=acme', {
      ...catalog,
      'GET /connect/connections': refuse(403, 'not_a_member'),
    });
    expect(page).toContain('You are not a member of this workspace');
  });
});

describe('the tool-call console', () => {
  const schema = {
    type: 'object',
    properties: { title: { type: 'string', description: 'Its first line.' } },
    required: ['title'],
  };
  const tools = [
    { name: 'create-issue', access: 'write', description: 'Creates an issue.', inputSchema: schema, enabled: false },
    { name: 'whoami', access: 'read', description: 'Names the account.', inputSchema: {}, enabled: true },
  ];
  const connected = {
    ...catalog,
    'GET /connect/connections': { connections: [connection] },
    'GET /connect/connections/c1/policy': { actions: {}, repositories: { enforce: false, selected: [] }, push: 'off' },
    'GET /connect/connections/c1/tools': { tools },
  };
  const address = '/workspaces/default/mcp-gateway?org=acme&workspace=default&tab=connections&connection=c1';

  it('begins with a tool that is on', async () => {
    const page = await show(address, connected);
    expect(page).toContain('Names the account.');
    expect(page).toContain('This tool takes no arguments.');
    expect(page).not.toContain('connect:write');
  });

  it('shows the fields of the tool in the address, and what a write needs', async () => {
    const page = await show(`${address}&tool=create-issue`, connected);
    expect(page).toContain('Its first line.');
    expect(page).toContain('Call with the connect:write scope');
    expect(page).toContain('This action is off for this connection, so calls are refused.');
  });

  it('says that the tools could not be loaded', async () => {
    const page = await show(address, { ...connected, 'GET /connect/connections/c1/tools': refuse(502, 'bad_gateway') });
    expect(page).toContain('The tools of this connection could not be loaded.');
    expect(page).not.toContain('Try a tool');
  });
});

describe('provider keys', () => {
  const byok = '/organization/settings/byok?org=acme';
  const openai = { provider: 'openai', name: 'OpenAI', executable: true, hasCard: true, configured: false };
  const withKey = (key: object): Responses => ({ 'GET /api/provider-keys': { providers: [{ ...openai, ...key }] } });

  it('asks for a key that is not saved, and hides providers without a card', async () => {
    const page = await show(byok, {
      'GET /api/provider-keys': {
        providers: [openai, { ...openai, provider: 'anthropic', name: 'Anthropic', hasCard: false }],
      },
    });
    expect(page).toContain('OpenAI API Key');
    expect(page).toContain('Not configured, requests will continue using platform defaults.');
    expect(page).toContain('Save key');
    expect(page).not.toContain('Anthropic API Key');
  });

  it('shows the fingerprint of a saved key and offers only to remove it', async () => {
    const page = await show(byok, withKey({ configured: true, fingerprint: '0123456789ab', updatedAt: AT }));
    expect(page).toContain('Configured, new requests for this provider will use your org key.');
    expect(page).toContain('0123456789ab');
    expect(page).toContain('Remove key');
    expect(page).not.toContain('Save key');
  });

  it('says that a key can no longer be decrypted', async () => {
    expect(await show(byok, withKey({ configured: true, undecryptable: true }))).toContain(
      'This key can no longer be decrypted',
    );
  });

  it('says that the keys could not be loaded', async () => {
    expect(await show(byok, { 'GET /api/provider-keys': refuse(503, 'storage_unavailable') })).toContain(
      'Organization API keys could not be loaded. Refresh and try again.',
    );
  });

  it('is closed to members', async () => {
    const me = everyPage['GET /api/me'] as { organizations: object[] };
    const organizations = [{ ...me.organizations[0], role: 'member' }];
    const page = await show(byok, { 'GET /api/me': { ...me, organizations } });
    expect(page).toContain('Only owners and admins can open organization settings');
    expect(page).not.toContain('API Key');
  });
});

describe('the guardrails editor', () => {
  const guardrails = '/organization/settings/guardrails';
  const group = {
    id: 'g1',
    name: 'Support',
    version: 1,
    latestVersion: 2,
    rules: [{ kind: 'keyword', config: { keywords: ['refund'] } }],
    createdAt: AT,
  };
  const path = 'GET /api/organizations/org1/guardrails';

  it('begins with one rule', async () => {
    const page = await show(`${guardrails}/new?org=acme`);
    expect(page).toContain('Rule 1');
    expect(page).not.toContain('Rule 2');
    expect(page).not.toContain('Remove rule');
    expect(page).toContain('Guardrails are not applied to live traffic.');
  });

  it('shows a version with its rules and a test for it', async () => {
    const page = await show(`${guardrails}/g1?org=acme`, {
      [`${path}/g1`]: { group },
      [`${path}/g1/versions`]: { versions: [] },
    });
    expect(page).toContain('Support');
    expect(page).toContain('refund');
    expect(page).toContain('Tests version 1. The text is not stored.');
  });

  it('says that a group does not exist', async () => {
    expect(await show(`${guardrails}/g2?org=acme`)).toContain('Group not found');
  });
});
