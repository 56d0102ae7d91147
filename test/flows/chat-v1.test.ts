import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ChatGateway, type Member, startChatGateway } from '../support/chat-gateway.ts';

let gateway: ChatGateway;
let member: Member;
beforeAll(async () => {
  gateway = await startChatGateway();
});
afterAll(() => gateway.close());
beforeEach(async () => {
  gateway.upstream.reset();
  member = await gateway.newMember();
});

const OPENAI_MODEL = 'openai/gpt-5-mini';
const ANTHROPIC_MODEL = 'anthropic/claude-sonnet-4-5';
/** An earlier and a current model of either provider: they take different things. */
const MODELS = [OPENAI_MODEL, 'openai/gpt-6-sol', ANTHROPIC_MODEL, 'anthropic/claude-opus-5'] as const;
const QUESTION = [{ role: 'user' as const, content: 'What is six times seven?' }];
const TOOL = { name: 'multiply', description: 'Multiplies.', schema: { type: 'object' as const, properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] } };

const openai = async (): Promise<OpenAI> => new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: await member.token(), maxRetries: 0 });
const anthropic = async (): Promise<Anthropic> => new Anthropic({ baseURL: gateway.url, apiKey: await member.token(), maxRetries: 0 });

describe.each(MODELS)('the official clients, on %s', (model) => {
  it('openai: chat completions, whole and streamed, with usage', async () => {
    gateway.upstream.respondByDefault({ text: 'Forty-two.', usage: { inputTokens: 12, outputTokens: 4 } });
    const client = await openai();
    const { data: whole, response } = await client.chat.completions.create({ model, messages: QUESTION }).withResponse();
    expect(whole).toMatchObject({ object: 'chat.completion', model: expect.any(String), choices: [{ message: { role: 'assistant', content: 'Forty-two.' }, finish_reason: 'stop' }], usage: { prompt_tokens: 12, completion_tokens: 4 } });
    expect(response.headers.get('x-service-credential')).toBe('platform');
    expect(response.headers.get('x-service-provider')).toBe(model.split('/')[0]);

    const stream = await client.chat.completions.create({ model, messages: QUESTION, stream: true, stream_options: { include_usage: true } });
    let text = '';
    let usage: unknown;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      usage = chunk.usage ?? usage;
    }
    expect(text).toBe('Forty-two.');
    expect(usage).toMatchObject({ prompt_tokens: 12, completion_tokens: 4 });
  });

  it('openai: a stream without the usage chunk for who did not ask for it, still settled by what was reported', async () => {
    gateway.upstream.respondByDefault({ text: 'Hello.', usage: { inputTokens: 1000, outputTokens: 1000 } });
    const stream = await (await openai()).chat.completions.create({ model, messages: QUESTION, stream: true });
    for await (const chunk of stream) expect(chunk.usage ?? null).toBeNull();
    expect(await member.usage()).toMatchObject([{ model, credential: 'platform', requests: 1, input_tokens: 1000, output_tokens: 1000 }]);
  });

  it('openai: tool calls, streamed', async () => {
    gateway.upstream.respondByDefault({ toolCalls: [{ name: 'multiply', arguments: { a: 6, b: 7 } }] });
    const runner = (await openai()).chat.completions.stream({ model, messages: QUESTION, tools: [{ type: 'function', function: { name: TOOL.name, description: TOOL.description, parameters: TOOL.schema } }] });
    const message = (await runner.finalChatCompletion()).choices[0];
    expect(message?.finish_reason).toBe('tool_calls');
    const call = message?.message.tool_calls?.[0];
    expect(call?.type === 'function' && [call.function.name, JSON.parse(call.function.arguments)]).toEqual(['multiply', { a: 6, b: 7 }]);
  });

  it('openai: responses, whole and streamed', async () => {
    gateway.upstream.respondByDefault({ text: 'Forty-two.' });
    const client = await openai();
    expect((await client.responses.create({ model, input: 'What is six times seven?' })).output_text).toBe('Forty-two.');
    const final = await client.responses.stream({ model, input: 'What is six times seven?' }).finalResponse();
    expect(final.output_text).toBe('Forty-two.');
  });

  it('anthropic: messages, whole and streamed, tools and usage', async () => {
    gateway.upstream.respondByDefault({ text: 'Forty-two.', usage: { inputTokens: 12, outputTokens: 4 } });
    const client = await anthropic();
    const whole = await client.messages.create({ model, max_tokens: 100, messages: QUESTION });
    expect(whole).toMatchObject({ type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Forty-two.' }], stop_reason: 'end_turn', usage: { input_tokens: 12, output_tokens: 4 } });
    expect(await client.messages.stream({ model, max_tokens: 100, messages: QUESTION }).finalText()).toBe('Forty-two.');

    gateway.upstream.respondByDefault({ toolCalls: [{ name: 'multiply', arguments: { a: 6, b: 7 } }] });
    const called = await client.messages.stream({ model, max_tokens: 100, messages: QUESTION, tools: [{ name: TOOL.name, description: TOOL.description, input_schema: TOOL.schema }] }).finalMessage();
    expect(called.stop_reason).toBe('tool_use');
    expect(called.content.find((block) => block.type === 'tool_use')).toMatchObject({ name: 'multiply', input: { a: 6, b: 7 } });
  });

  it('a client that leaves mid-stream cancels the call and pays for what was streamed', async () => {
    gateway.upstream.respondByDefault({ text: Array.from({ length: 400 }, () => 'word '), dripMs: 5, until: new Promise(() => {}) });
    const stream = await (await openai()).chat.completions.create({ model, messages: QUESTION, stream: true });
    let seen = 0;
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content && ++seen === 5) break;
    const request = await gateway.upstream.request(0);
    expect(await request.aborted).toBe(true);
    const [row] = await expectEventually(() => member.usage(), (rows) => rows.length > 0);
    expect(row?.['cost_micros']).toBeGreaterThan(0);
    expect(row?.['output_tokens']).toBeGreaterThan(0);
    expect(row?.['output_tokens']).toBeLessThan(400);
    expect((await member.budget()).reserved).toBe(0);
  });
});

async function expectEventually<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
  }
}

describe('embeddings and models', () => {
  it('answers embeddings on the same checks', async () => {
    gateway.upstream.respondByDefault({ embedding: [0.5, 0.5], usage: { inputTokens: 3, outputTokens: 0 } });
    const { data } = await (await openai()).embeddings.create({ model: 'text-embedding-3-small', input: ['a'], encoding_format: 'float' });
    expect(data[0]?.embedding).toEqual([0.5, 0.5]);
    expect(await member.usage()).toMatchObject([{ model: 'openai/text-embedding-3-small', input_tokens: 3 }]);
  });

  it('lists the models that can be asked now', async () => {
    await member.setPolicy({ disabled_providers: ['anthropic'] });
    const ids: string[] = [];
    for await (const model of (await openai()).models.list()) ids.push(model.id);
    expect(ids).toContain(OPENAI_MODEL);
    expect(ids).toContain('service/auto');
    expect(ids.filter((id) => id.startsWith('anthropic/') || id.startsWith('google/'))).toEqual([]);
  });

  it.each(['/v1/models', `/v1/models/${encodeURIComponent(OPENAI_MODEL)}`])('%s is for nobody with a revoked token, and for no former member', async (path) => {
    const list = async (token: string): Promise<[number, unknown]> => {
      const response = await fetch(`${gateway.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
      return [response.status, ((await response.json()) as { error?: { code: string } }).error?.code];
    };
    const [named, other] = [await member.token({ name: 'to be revoked' }), await member.token()];
    expect(await list(named)).toEqual([200, undefined]);
    await gateway.db.query('update :schema.connect_token set revoked_at = now() where user_id = $1', [member.id]);
    expect(await list(named)).toEqual([401, 'unauthenticated']);
    await gateway.db.query('delete from :schema.organization_member where user_id = $1', [member.id]);
    expect(await list(named)).toEqual([401, 'unauthenticated']);
    expect(await list(other)).toEqual([403, 'workspace_membership_required']);
  });
});

describe('counting tokens', () => {
  const messages = [{ role: 'user' as const, content: 'word '.repeat(300) }];

  it.each(MODELS)('answers the estimate of a hold for %s on platform credit, and neither asks nor charges for it', async (model) => {
    await member.setCredit(1);
    const { data, response } = await (await anthropic()).messages.countTokens({ model, system: 'Be brief.', messages }).withResponse();
    expect(data.input_tokens).toBeGreaterThan(300);
    expect(data.input_tokens).toBeLessThan(1_000);
    expect(response.headers.get('x-service-credential')).toBe('platform');
    expect(gateway.upstream.requests).toHaveLength(0);
    expect(await member.budget()).toEqual({ spent: 0, reserved: 0 });
    expect(await member.usage()).toEqual([]);
  });

  it("asks Anthropic where the organization's own key would", async () => {
    await member.saveKey('anthropic', member.organization.defaultId, 'sk-ant-own');
    gateway.upstream.respondByDefault({ status: 200, body: '{"input_tokens":77}' });
    expect(await (await anthropic()).messages.countTokens({ model: ANTHROPIC_MODEL, messages })).toMatchObject({ input_tokens: 77 });
    expect(gateway.upstream.requests[0]).toMatchObject({ path: '/v1/messages/count_tokens', json: { model: 'claude-sonnet-4-5', messages }, headers: { 'x-api-key': 'sk-ant-own' } });
    gateway.upstream.respondByDefault({ status: 401 });
    await expect((await anthropic()).messages.countTokens({ model: ANTHROPIC_MODEL, messages })).rejects.toMatchObject({ status: 502, error: { error: { type: 'provider_key_rejected' } } });
  });

  it('takes the checks of every request', async () => {
    const client = await anthropic();
    const refusal = (model: string, type: string): Promise<void> => expect(client.messages.countTokens({ model, messages })).rejects.toMatchObject({ error: { type: 'error', error: { type } } });
    await refusal('nobody', 'model_not_found');
    await refusal('service/study', 'study_mode_unavailable');
    await member.setPolicy({ disabled_models: [ANTHROPIC_MODEL] });
    await refusal(ANTHROPIC_MODEL, 'policy_denied:model');
    await gateway.db.query('delete from :schema.organization_member where user_id = $1', [member.id]);
    await refusal(ANTHROPIC_MODEL, 'workspace_membership_required');
    expect(gateway.upstream.requests).toHaveLength(0);
  });
});

describe('thinking in a loop with tools', () => {
  const blocks = [{ kind: 'thinking' as const, text: 'Six times seven…' }, { kind: 'text' as const, text: 'Let me see.' }, { kind: 'tool' as const, id: 'toolu_1', name: TOOL.name, arguments: '{"a":6,"b":7}' }];
  const model = 'anthropic/claude-opus-5';

  it.each([1, 2, 3])('anthropic: goes back as the provider signed it (stream %i)', async (seed) => {
    gateway.upstream.respond({ blocks, seed });
    const client = await anthropic();
    const asked = { model, max_tokens: 4_000, thinking: { type: 'adaptive' as const }, tools: [{ name: TOOL.name, input_schema: TOOL.schema }] };
    const first = await client.messages.stream({ ...asked, messages: QUESTION }).finalMessage();
    await client.messages.create({ ...asked, messages: [...QUESTION, { role: 'assistant', content: first.content }, { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '42' }] }] });
    expect(gateway.upstream.requests.map(({ refused }) => refused)).toEqual([undefined, undefined]);
  });

  it.each([1, 2, 3])('responses: is sealed for the client and signed for the provider (stream %i)', async (seed) => {
    gateway.upstream.respond({ blocks, seed });
    const client = await openai();
    const asked = { model, store: false, reasoning: { effort: 'medium' as const, summary: 'auto' as const }, include: ['reasoning.encrypted_content' as const], tools: [{ type: 'function' as const, name: TOOL.name, parameters: TOOL.schema, strict: false }] };
    const first = await client.responses.stream({ ...asked, input: QUESTION }).finalResponse();
    const call = first.output.find((item) => item.type === 'function_call');
    await client.responses.create({ ...asked, input: [...QUESTION, ...(first.output as OpenAI.Responses.ResponseInputItem[]), { type: 'function_call_output', call_id: call?.call_id ?? '', output: '42' }] });
    expect(gateway.upstream.requests.map(({ refused }) => refused)).toEqual([undefined, undefined]);
    expect(gateway.upstream.requests[1]?.json).toMatchObject({ messages: [{}, { content: [{ type: 'thinking', thinking: 'Six times seven…' }, { type: 'text' }, { type: 'tool_use' }] }, {}] });
  });

  it('is left out when the conversation goes on with a model of the other provider', async () => {
    gateway.upstream.respond({ blocks });
    const client = await anthropic();
    const asked = { max_tokens: 4_000, tools: [{ name: TOOL.name, input_schema: TOOL.schema }] };
    const first = await client.messages.create({ ...asked, model, messages: QUESTION });
    await client.messages.create({ ...asked, model: 'openai/gpt-6-sol', messages: [...QUESTION, { role: 'assistant', content: first.content }, { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '42' }] }] });
    expect(gateway.upstream.requests.map(({ path, refused }) => [path, refused])).toEqual([['/v1/messages', undefined], ['/v1/responses', undefined]]);
  });
});

describe('refusals', () => {
  const ask = async (model: string, headers: Record<string, string> = {}, token?: string): Promise<{ status: number; code: string; message: string; headers: Headers }> => {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token ?? (await member.token())}`, ...headers },
      body: JSON.stringify({ model, messages: QUESTION }),
    });
    const { error } = (await response.json()) as { error?: { code: string; message: string } };
    return { status: response.status, code: error?.code ?? '', message: error?.message ?? '', headers: response.headers };
  };

  it.each([
    ['an unknown model', {}, 'nobody/nothing', 404, 'model_not_found'],
    ['a disabled provider', { disabled_providers: ['openai'] }, OPENAI_MODEL, 403, 'policy_denied:provider'],
    ['a disabled model', { disabled_models: [OPENAI_MODEL] }, OPENAI_MODEL, 403, 'policy_denied:model'],
    ['a model disabled under its other name', { disabled_models: ['gpt-5-mini'] }, OPENAI_MODEL, 403, 'policy_denied:model'],
    ['several at once', { disabled_providers: ['google'], disabled_models: ['google/gemini-2.5-pro'], require_zdr: true }, 'google/gemini-2.5-pro', 403, 'policy_denied:provider,policy_denied:model,policy_denied:compliance'],
    ['Study Mode, whatever is asked', { enforce_study_mode: true }, OPENAI_MODEL, 503, 'study_mode_unavailable'],
    ['the Study Mode model by its name, Study Mode off', {}, 'service/study', 503, 'study_mode_unavailable'],
    ['a model that would only call disabled ones', { disabled_models: ['gpt-6-sol', 'anthropic/claude-sonnet-5'] }, 'service/auto', 403, 'policy_denied:model'],
    ['a model that nothing can route', {}, 'google/gemini-2.5-pro', 424, 'model_not_routable'],
  ])('%s', async (_name, policy, model, status, code) => {
    await member.setPolicy(policy);
    expect(await ask(model)).toMatchObject({ status, code });
    expect(gateway.upstream.requests).toHaveLength(0);
  });

  it.each(['/v1/chat/completions', '/v1/responses', '/v1/messages', '/v1/embeddings'])('the Study Mode model on %s', async (path) => {
    const response = await fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await member.token()}` },
      body: JSON.stringify({ model: 'service/study', max_tokens: 5, messages: QUESTION, input: 'Hello' }),
    });
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('study_mode_unavailable');
  });

  it('says in words what the organization does not allow', async () => {
    await member.setPolicy({ disabled_providers: ['openai'] });
    expect((await ask(OPENAI_MODEL)).message).toBe('The selected AI model is not allowed for your organization.');
  });

  it('who has no token, a wrong one, a revoked one, one without the scope', async () => {
    expect(await ask(OPENAI_MODEL, {}, 'nonsense')).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(await ask(OPENAI_MODEL, {}, await member.token({ scopes: ['connect:read'] }))).toMatchObject({ status: 403, code: 'insufficient_scope' });
    const named = await member.token({ name: 'to be revoked' });
    expect(await ask(OPENAI_MODEL, {}, named)).toMatchObject({ status: 200 });
    await gateway.db.query('update :schema.connect_token set revoked_at = now() where user_id = $1', [member.id]);
    expect(await ask(OPENAI_MODEL, {}, named)).toMatchObject({ status: 401 });
  });

  it('who is no longer a member, at the very next request', async () => {
    const token = await member.token();
    expect(await ask(OPENAI_MODEL, {}, token)).toMatchObject({ status: 200 });
    await gateway.db.query('delete from :schema.organization_member where user_id = $1', [member.id]);
    expect(await ask(OPENAI_MODEL, {}, token)).toMatchObject({ status: 403, code: 'workspace_membership_required' });
  });

  it('a workspace of others, and one that the token is not for', async () => {
    const stranger = await gateway.newMember();
    expect(await ask(OPENAI_MODEL, { 'x-service-workspace': stranger.organization.defaultId })).toMatchObject({ status: 403, code: 'workspace_membership_required' });
    const bound = await member.token({ workspaceId: member.organization.defaultId });
    expect(await ask(OPENAI_MODEL, { 'x-service-workspace': member.organization.globalId }, bound)).toMatchObject({ status: 403 });
  });

  it('not the workspace that the token is for, by its id or its short name', async () => {
    const bound = await member.token({ workspaceId: member.organization.defaultId });
    for (const name of [member.organization.defaultId, 'default']) expect(await ask(OPENAI_MODEL, { 'x-service-workspace': name }, bound)).toMatchObject({ status: 200 });
    for (const name of [member.organization.globalId, 'global', 'nowhere']) expect(await ask(OPENAI_MODEL, { 'x-service-workspace': name }, bound)).toMatchObject({ status: 403, code: 'workspace_membership_required' });
  });

  it('an organization without balance, and nothing was reserved', async () => {
    await member.setCredit(1);
    expect(await ask(OPENAI_MODEL)).toMatchObject({ status: 429, code: 'quota_exceeded' });
    expect(await member.budget()).toEqual({ spent: 0, reserved: 0 });
    expect(gateway.upstream.requests).toHaveLength(0);
  });

  it('nobody for what an earlier request of theirs has left over', async () => {
    gateway.upstream.respondByDefault({ text: 'Forty-two.', usage: { inputTokens: 12, outputTokens: 4 } });
    // Enough for what one request may cost at most, not for two; each costs a fraction of it.
    await member.setCredit(1_000);
    const token = await member.token();
    for (let asked = 0; asked < 10; asked++) {
      const response = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: JSON.stringify({ model: OPENAI_MODEL, max_completion_tokens: 300, messages: QUESTION }) });
      await response.text();
      expect(response.status).toBe(200);
    }
    expect(await member.usage()).toMatchObject([{ requests: 10 }]);
  });

  it('a change of policy is in force for the very next request', async () => {
    expect((await ask(OPENAI_MODEL)).status).toBe(200);
    await member.setPolicy({ disabled_models: [OPENAI_MODEL] });
    expect((await ask(OPENAI_MODEL)).status).toBe(403);
    await member.setPolicy({ disabled_models: [] });
    expect((await ask(OPENAI_MODEL)).status).toBe(200);
  });

  it.each([
    ['broken JSON', '{', 400],
    ['no model', '{"messages":[]}', 400],
    ['not an object', '[]', 400],
  ])('%s names what is wrong', async (_name, body, status) => {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers: { authorization: `Bearer ${await member.token()}` }, body });
    expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([status, 'invalid_request']);
  });

  it.each([
    ['/v1/responses', { model: OPENAI_MODEL, input: 'Hello', background: true, conversation: 'conv_1' }, 'background', 'conversation'],
    ['/v1/chat/completions', { model: OPENAI_MODEL, messages: QUESTION, service_tier: 'priority', prediction: { type: 'content', content: 'x' } }, 'prediction', 'service_tier'],
    ['/v1/messages', { model: ANTHROPIC_MODEL, max_tokens: 5, messages: QUESTION, container: 'container_1' }, 'container'],
  ])('%s on platform credit what the hold does not bound; a key of its own may', async (path, body, ...fields) => {
    const post = async (): Promise<Response> => fetch(`${gateway.url}${path}`, { method: 'POST', headers: { authorization: `Bearer ${await member.token()}` }, body: JSON.stringify(body) });
    const refused = await post();
    const { error } = (await refused.json()) as { error: { message: string; code?: string; type: string } };
    expect([refused.status, error.code ?? error.type]).toEqual([400, 'invalid_request']);
    for (const field of fields) expect(error.message).toContain(`${field}: `);
    expect(await member.budget()).toEqual({ spent: 0, reserved: 0 });
    expect(gateway.upstream.requests).toHaveLength(0);

    for (const provider of ['openai', 'anthropic'] as const) await member.saveKey(provider, member.organization.defaultId, `sk-${provider}`);
    gateway.upstream.allow({ 'an earlier response is one that was kept': 'whether the reference reaches the provider is all that is asked here' });
    expect((await post()).status).toBe(200);
    expect(gateway.upstream.requests[0]?.json).toMatchObject({ ...body, model: expect.any(String) });
  });

  it('takes Anthropic shape on /v1/messages', async () => {
    const response = await fetch(`${gateway.url}/v1/messages`, { method: 'POST', headers: { 'x-api-key': await member.token() }, body: JSON.stringify({ model: 'nobody', max_tokens: 1, messages: QUESTION }) });
    expect([response.status, await response.json()]).toMatchObject([404, { type: 'error', error: { type: 'model_not_found' } }]);
  });
});

describe('credentials', () => {
  const credentialOf = async (model: string, headers: Record<string, string> = {}): Promise<{ status: number; credential: string | null; provider: string | null; sent: string }> => {
    const before = gateway.upstream.requests.length;
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await member.token()}`, ...headers },
      body: JSON.stringify({ model, messages: QUESTION }),
    });
    await response.text();
    const request = gateway.upstream.requests[before];
    const sent = String(request?.headers['x-api-key'] ?? request?.headers.authorization ?? '');
    return { status: response.status, credential: response.headers.get('x-service-credential'), provider: response.headers.get('x-service-provider'), sent };
  };

  it('platform credit by default, the own key of the workspace when there is one, and then nothing is reserved', async () => {
    expect(await credentialOf(OPENAI_MODEL)).toEqual({ status: 200, credential: 'platform', provider: 'openai', sent: 'Bearer sk-platform-openai' });
    const spent = (await member.budget()).spent;
    await member.saveKey('openai', member.organization.defaultId, 'sk-own');
    expect(await credentialOf(OPENAI_MODEL)).toEqual({ status: 200, credential: 'own-key', provider: 'openai', sent: 'Bearer sk-own' });
    expect(await member.budget()).toEqual({ spent, reserved: 0 });
  });

  it("does not serve a workspace from the organization's key unless that is switched on", async () => {
    await member.saveKey('anthropic', member.organization.globalId, 'sk-ant-organization');
    expect(await credentialOf(ANTHROPIC_MODEL)).toMatchObject({ credential: 'platform' });
    await member.setPolicy({ inherit_organization_keys: true });
    expect(await credentialOf(ANTHROPIC_MODEL)).toMatchObject({ credential: 'own-key', sent: 'sk-ant-organization' });
  });

  it('reads the organization scope for a request that names Global', async () => {
    await member.saveKey('openai', member.organization.globalId, 'sk-organization');
    for (const name of [member.organization.globalId, 'global']) expect(await credentialOf(OPENAI_MODEL, { 'x-service-workspace': name })).toMatchObject({ credential: 'own-key', sent: 'Bearer sk-organization' });
    expect(await credentialOf(OPENAI_MODEL)).toMatchObject({ credential: 'platform' });
  });

  it('passes over a provider where a disabled model would be called', async () => {
    expect(await credentialOf('service/auto')).toMatchObject({ status: 200, provider: 'openai' });
    await member.setPolicy({ disabled_models: ['openai/gpt-6-sol'] });
    expect(await credentialOf('service/auto')).toMatchObject({ status: 200, provider: 'anthropic' });
    await member.saveAccount(member.organization.defaultId, gateway.upstream.accountUrl, 'sk-account', ['*']);
    expect(await credentialOf('service/auto')).toMatchObject({ status: 200, credential: 'models-account', provider: 'anthropic' });
    expect(gateway.upstream.requests.at(-1)?.json).toMatchObject({ model: 'claude-sonnet-5' });
  });

  it('short-circuits a workspace key when the summary was written and reports none', async () => {
    await member.saveKey('openai', member.organization.defaultId, 'sk-own');
    await member.setPolicy({ provider_key_summary: { openai: false, anthropic: false } });
    expect(await credentialOf(OPENAI_MODEL)).toMatchObject({ credential: 'platform' });
    await member.setPolicy({ provider_key_summary: { openai: true, anthropic: false } });
    expect(await credentialOf(OPENAI_MODEL)).toMatchObject({ credential: 'own-key' });
  });

  it('lets a Models account win, and routes what only it can', async () => {
    await member.saveKey('openai', member.organization.defaultId, 'sk-own');
    await member.saveAccount(member.organization.defaultId, gateway.upstream.accountUrl, 'sk-account', ['google/*', 'gpt-5-mini']);
    expect(await credentialOf('google/gemini-2.5-pro')).toEqual({ status: 200, credential: 'models-account', provider: 'google', sent: 'Bearer sk-account' });
    expect(await credentialOf('gpt-5-mini')).toMatchObject({ credential: 'models-account' });
    expect(await credentialOf('openai/gpt-5')).toMatchObject({ credential: 'own-key' });
  });

  it('bypasses Require ZDR for the provider whose key is there, and for no other', async () => {
    await member.setPolicy({ require_zdr: true });
    expect((await credentialOf('openai/gpt-6-astra')).status).toBe(403);
    await member.saveKey('openai', member.organization.globalId, 'sk-organization');
    expect((await credentialOf('openai/gpt-6-astra')).status).toBe(200);
    expect((await credentialOf('anthropic/claude-fable-5')).status).toBe(403);
  });

  it('fails the turn on a key that cannot be decrypted, and never falls to platform credit', async () => {
    await member.saveKey('openai', member.organization.defaultId, 'sk-own', Buffer.alloc(32, 1));
    expect(await credentialOf(OPENAI_MODEL)).toMatchObject({ status: 424, sent: '' });
  });

  it('says that the organization key was rejected, and does not fall back to system credentials', async () => {
    await member.saveKey('openai', member.organization.defaultId, 'sk-own');
    gateway.upstream.respondByDefault({ status: 401, message: 'Incorrect API key provided: sk-own' });
    const response = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers: { authorization: `Bearer ${await member.token()}` }, body: JSON.stringify({ model: OPENAI_MODEL, messages: QUESTION }) });
    const text = await response.text();
    expect(response.status).toBe(502);
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'provider_key_rejected', message: 'Unable to connect to the AI service. Verify that your organization OpenAI API key is valid.' } });
    expect(text).not.toContain('sk-own');
    expect(gateway.upstream.requests.map((request) => request.headers.authorization)).toEqual(['Bearer sk-own']);
  });
});

describe('a provider in trouble', () => {
  const ask = async (stream: boolean): Promise<Response> =>
    fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers: { authorization: `Bearer ${await member.token()}` }, body: JSON.stringify({ model: OPENAI_MODEL, messages: QUESTION, stream }) });

  it.each([
    [500, 502, 'provider_unavailable'],
    [529, 503, 'server_is_overloaded'],
    [429, 429, 'provider_rate_limited'],
    [400, 400, 'provider_refused'],
    [401, 502, 'provider_unavailable'],
  ])('answers %i: the client gets %i %s and nothing is charged', async (status, expected, code) => {
    gateway.upstream.respondByDefault({ status });
    const response = await ask(false);
    expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([expected, code]);
    expect(await member.budget()).toEqual({ spent: 0, reserved: 0 });
  });

  it.each(['dies-midway', 'ends-early', 'error-midway'] as const)('%s: the stream ends with an error in it, and what was streamed is charged', async (fault) => {
    gateway.upstream.respondByDefault({ text: 'one two three four five six seven eight', fault });
    const text = await (await ask(true)).text();
    expect(text).toContain('"error"');
    expect(text).not.toContain('[DONE]');
    await expectEventually(() => member.budget(), ({ spent, reserved }) => spent > 0 && reserved === 0);
  });

  it.each(['dies-midway', 'ends-early', 'malformed', 'dies-before-headers'] as const)('%s: a whole answer is refused, never passed on in part', async (fault) => {
    gateway.upstream.respondByDefault({ text: 'one two three four five six seven eight', fault });
    const response = await ask(false);
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({ error: { code: expect.stringMatching(/^provider_/) } });
    await expectEventually(() => member.budget(), ({ reserved }) => reserved === 0);
  });

  it.each([OPENAI_MODEL, ANTHROPIC_MODEL])('an endless stream of %s to a client that does not read stays in bounds, and ends when the client leaves', async (model) => {
    gateway.upstream.respondByDefault({ text: 'again ', fault: 'endless' });
    const leaving = new AbortController();
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await member.token()}` },
      body: JSON.stringify({ model, messages: QUESTION, stream: true }),
      signal: leaving.signal,
    });
    const reader = response.body?.getReader();
    await reader?.read();
    const before = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < 50; i++) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
    leaving.abort();
    await reader?.read().catch(() => {});
    expect(await (await gateway.upstream.request(0)).aborted).toBe(true);
    await expectEventually(() => member.budget(), ({ spent, reserved }) => spent > 0 && reserved === 0);
  });

  it('takes a prompt of 10 MB and refuses one beyond the limit with 413', async () => {
    const long = (megabytes: number): string => JSON.stringify({ model: 'gpt-4.1-nano', max_tokens: 5, messages: [{ role: 'user', content: 'x'.repeat(megabytes * 1024 * 1024) }] });
    await member.setCredit(1_000_000_000);
    const post = async (body: string): Promise<Response> => fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers: { authorization: `Bearer ${await member.token()}` }, body });
    expect((await post(long(10))).status).toBe(200);
    const refused = await post(long(33));
    expect([refused.status, await refused.json()]).toMatchObject([413, { error: { code: 'request_too_large' } }]);
  });
});

describe('one round trip', () => {
  it('is all that a request needs before the provider is called, once its context is known', async () => {
    const token = await member.token();
    const ask = (): Promise<Response> => fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: JSON.stringify({ model: OPENAI_MODEL, messages: QUESTION }) });
    await (await ask()).text();
    await member.budget();
    const statements: string[] = [];
    const stop = gateway.watchStatements((sql) => statements.push(sql));
    await (await ask()).text();
    const beforeProvider = statements.filter((sql) => !sql.includes('chat_settle'));
    stop();
    expect(beforeProvider).toHaveLength(1);
    expect(beforeProvider[0]).toContain('chat_admit');
  });
});
