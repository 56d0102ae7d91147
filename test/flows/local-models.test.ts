// The recipes for Ollama and vLLM, word for word, against what these servers are documented to do.
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { randomBytes } from 'node:crypto';
import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readGuides, runBlock } from '../support/stack/guides.ts';
import { signUp } from '../support/http-client.ts';
import { type LocalServer, startOllama, startVllm } from '../support/models/local-model-servers.ts';
import { SERVICECTL, startServicectl } from '../support/cli/servicectl.ts';
import { startStack, type TestStack } from '../support/stack/stack.ts';

const MODEL = 'local/llama-3.3-70b';
const KEY = 'token-of-vllm';
const messages = [{ role: 'user' as const, content: 'Hello' }];
let directory: string;
let stack: TestStack;
let ollama: LocalServer;
let vllm: LocalServer;
let environment: Record<string, string>;
let anthropic: Anthropic;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'service-local-models-'));
  [ollama, vllm] = [await startOllama(['qwen3:8b']), await startVllm(MODEL, KEY)];
  stack = await startStack({ environment: { BYOK_ENCRYPTION_KEY_B64: randomBytes(32).toString('base64') } });
  const program = join(directory, 'servicectl');
  await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${SERVICECTL}' "$@"\n`);
  await chmod(program, 0o755);
  environment = {
    PATH: `${directory}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    HOME: directory,
    SERVICE_URL: stack.url,
    OLLAMA_URL: ollama.url,
    VLLM_URL: vllm.url,
    VLLM_API_KEY: KEY,
    VLLM_MODEL: MODEL,
  };
  const owner = await signUp(stack.url, 'Owner');
  const { body } = await owner.post('/api/organizations', { name: 'Acme' });
  const login = startServicectl(['login', '--no-browser'], { environment });
  const [, code = ''] = await login.said(/user_code=([A-Z0-9-]+)/);
  await owner.get(`/api/auth/device?user_code=${code}`);
  await owner.post('/api/auth/device/approve', { userCode: code });
  await login.ended;
  const apiKey = await owner.token(body.organization.id, ['chat']);
  anthropic = new Anthropic({ apiKey, baseURL: stack.url, maxRetries: 0 });
});
afterAll(async () => {
  await stack?.stop();
  ollama?.stop();
  vllm?.stop();
  await rm(directory, { recursive: true, force: true });
});

it.each([
  ['ollama', 'qwen3:8b'],
  ['vllm', MODEL],
])('%s: is added and answers, on another surface too', async (name, model) => {
  const block = readGuides('local-models').find((one) => one.name === name);
  const { code, stdout, stderr } = await runBlock(block ?? expect.fail(`no block ${name}`), {
    cwd: directory,
    environment,
  });
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  expect(stdout).toContain(`"id":"${model}"`);
  expect(stdout).toMatch(/Hello there\.\s*$/);
  const ask = { model, max_tokens: 50, messages };
  expect(await anthropic.messages.stream(ask).finalText()).toBe('Hello there.');
  const whole = await anthropic.messages.create(ask);
  expect(whole.content.at(-1)).toMatchObject({ type: 'text', text: 'Hello there.' });
  expect(whole.usage).toMatchObject({ input_tokens: 7, output_tokens: 3 });
});

const tools = [{ name: 'weather', input_schema: { type: 'object' as const, properties: {} } }];

it('ollama: calls tools, and says which model it does not have', async () => {
  const ask = { model: 'qwen3:8b', max_tokens: 50, messages, tools };
  for (const answer of [await anthropic.messages.create(ask), await anthropic.messages.stream(ask).finalMessage()])
    expect([answer.stop_reason, answer.content.at(-1)]).toMatchObject(['tool_use', { name: 'weather', input: {} }]);
  await expect(anthropic.messages.create({ ...ask, model: 'qwen3:70b' })).rejects.toMatchObject({
    status: 404,
    error: { error: { type: 'not_found_error', message: "model 'qwen3:70b' not found" } },
  });
});

it('vllm: its refusals keep their words', async () => {
  const ask = { model: MODEL, max_tokens: 50, messages };
  await expect(anthropic.messages.create({ ...ask, tools })).rejects.toMatchObject({
    status: 400,
    error: { error: { type: 'invalid_request_error', message: expect.stringContaining('--enable-auto-tool-choice') } },
  });
  const long = [{ role: 'user' as const, content: 'long '.repeat(5_000) }];
  await expect(anthropic.messages.create({ ...ask, messages: long })).rejects.toMatchObject({
    status: 400,
    error: { error: { message: 'prompt is too long: 9000 tokens > 4096 maximum' } },
  });
});
