import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { needs } from '../support/needs.ts';
import { startRedis } from '../support/redis.ts';
import { type ChatGateway, type Member, startChatGateway } from '../support/http/chat-gateway.ts';

const ask = async (
  gateway: ChatGateway,
  token: string,
  model: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; code: string; message: string; credential: string | null; retryAfter: string | null }> => {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...headers },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
  });
  const { error } = (await response.json()) as { error?: { code: string; message: string } };
  return {
    status: response.status,
    code: error?.code ?? '',
    message: error?.message ?? '',
    credential: response.headers.get('x-service-credential'),
    retryAfter: response.headers.get('retry-after'),
  };
};

describe('strict mode (CHAT_REQUIRE_BYOK=true)', () => {
  let gateway: ChatGateway;
  let member: Member;
  beforeAll(async () => {
    gateway = await startChatGateway({ CHAT_REQUIRE_BYOK: 'true' });
  });
  afterAll(() => gateway.close());
  beforeEach(async () => {
    member = await gateway.newMember();
  });

  it('denies a request without a key, in the words of the specification', async () => {
    expect(await ask(gateway, await member.token(), 'gpt-5-mini')).toMatchObject({
      status: 403,
      code: 'policy_denied:missing_provider_api_key:openai',
      message: 'This provider requires an organization API key, but no key is configured.',
    });
  });

  it('denies a model that own-key execution does not support', async () => {
    expect(await ask(gateway, await member.token(), 'google/gemini-2.5-pro')).toMatchObject({
      status: 403,
      code: 'policy_denied:provider_not_supported_by_byok:google',
    });
  });

  it('reads the organization scope when the turn carries no workspace, and the workspace otherwise', async () => {
    await member.saveKey('openai', member.organization.globalId, 'sk-organization');
    expect(await ask(gateway, await member.token(), 'gpt-5-mini')).toMatchObject({
      status: 200,
      credential: 'own-key',
    });
    expect(
      await ask(gateway, await member.token(), 'gpt-5-mini', { 'x-service-workspace': member.organization.defaultId }),
    ).toMatchObject({ status: 403, code: 'policy_denied:missing_provider_api_key:openai' });
    await member.saveKey('openai', member.organization.defaultId, 'sk-workspace');
    expect(await ask(gateway, await member.token(), 'gpt-5-mini', { 'x-service-workspace': 'default' })).toMatchObject({
      status: 200,
      credential: 'own-key',
    });
  });

  it('is not short-circuited by the summary, but still skips a provider that it marks unconfigured', async () => {
    await member.saveKey('openai', member.organization.globalId, 'sk-organization');
    await member.setPolicy({ provider_key_summary: { openai: false, anthropic: false } });
    expect(await ask(gateway, await member.token(), 'gpt-5-mini')).toMatchObject({
      status: 403,
      code: 'policy_denied:missing_provider_api_key:openai',
    });
  });
});

describe('the per-user limit', () => {
  let gateway: ChatGateway;
  beforeAll(async () => {
    gateway = await startChatGateway({ SERVICE_CHAT_REQUESTS_PER_MINUTE: '30' });
  });
  afterAll(() => gateway.close());

  it('lets exactly 30 of 60 concurrent requests through and says how long to wait', async () => {
    const member = await gateway.newMember();
    const token = await member.token();
    const answers = await Promise.all(Array.from({ length: 60 }, () => ask(gateway, token, 'gpt-5-nano')));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
    expect(refused).toHaveLength(30);
    for (const { code, retryAfter } of refused) {
      expect(code).toBe('rate_limited');
      expect(Number(retryAfter)).toBeGreaterThan(0);
      expect(Number(retryAfter)).toBeLessThanOrEqual(60);
    }
  });

  it('counts token counts too', async () => {
    const member = await gateway.newMember();
    const token = await member.token();
    const count = async (): Promise<number> =>
      (
        await fetch(`${gateway.url}/v1/messages/count_tokens`, {
          method: 'POST',
          headers: { 'x-api-key': token },
          body: JSON.stringify({ model: 'gpt-5-nano', messages: [{ role: 'user', content: 'Hello' }] }),
        })
      ).status;
    const answers = await Promise.all(Array.from({ length: 31 }, count));
    expect(answers.sort()).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
  });

  it('comes before the catalogue and the policy', async () => {
    const member = await gateway.newMember();
    const token = await member.token();
    const answers = await Promise.all(Array.from({ length: 31 }, () => ask(gateway, token, 'no-such-model')));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 30 }, () => 404), 429]);
  });
});

describe('the per-user limit in Redis (SERVICE_KV_URL)', needs('redis-server'), () => {
  it('is as exact, and moves to PostgreSQL when Redis is gone', async () => {
    const redis = await startRedis();
    const gateway = await startChatGateway({ SERVICE_KV_URL: redis.url, SERVICE_CHAT_REQUESTS_PER_MINUTE: '30' });
    const member = await gateway.newMember();
    const token = await member.token();
    const passed = async (count: number): Promise<number> =>
      (await Promise.all(Array.from({ length: count }, () => ask(gateway, token, 'gpt-5-nano')))).filter(
        ({ status }) => status === 200,
      ).length;
    expect(await passed(45)).toBe(30);
    const { rows } = await gateway.db.query('select 1 from :schema.chat_rate where user_id = $1', [member.id]);
    expect(rows).toEqual([]);
    await redis.stop();
    expect(await passed(45)).toBe(30);
    await gateway.close();
  });
});

describe('DISABLE_KV_STORE=true', () => {
  it('turns the limit off', async () => {
    const gateway = await startChatGateway({ DISABLE_KV_STORE: 'true', SERVICE_CHAT_REQUESTS_PER_MINUTE: '1' });
    const member = await gateway.newMember();
    const token = await member.token();
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(gateway, token, 'gpt-5-nano')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await gateway.close();
  });
});
