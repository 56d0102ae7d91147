// With every documented variable set to a legal value the stack comes up, in two starts of it, and a chat request on a
// demo model is answered. The values are a table: test/support/stack/environment-values.ts.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { findProgram } from '../../scripts/test-programs.ts';
import { readConfig } from '../../src/base/config.ts';
import { ENVIRONMENT } from '../../src/base/environment.ts';
import { newSchemaName } from '../support/database.ts';
import { type DemoProviders, startDemoProviders } from '../support/models/demo-providers.ts';
import { ENVIRONMENT_VALUES, environmentOf, type Ground } from '../support/stack/environment-values.ts';
import { freePort, freePorts } from '../support/free-port.ts';
import { signUp } from '../support/http-client.ts';
import { type ProviderStand, startProviderStand } from '../support/tools/mcp-provider.ts';
import { startRedis } from '../support/redis.ts';
import { type RuntimeProcess, startRuntime } from '../support/runs/runtime-process.ts';
import { startStack, type TestStack } from '../support/stack/stack.ts';
import { startTraceCollector, type TraceCollector } from '../support/trace-collector.ts';
import { startUnconfinedSandbox, type UnconfinedSandbox } from '../support/runs/unconfined-sandbox.ts';

const PORTS_OF_A_STACK = 14;
/** Every role of the runtime exports spans, at least of the statements by which it says that it is alive; web and gateway of the chat. */
const EXPORTING = [
  ...['api', 'driver', 'worker-chat', 'worker-control', 'worker-codex'].map((role) => `service-runtime/${role}`),
  'service-web',
  'service-gateway',
];

let ground: Ground;
let models: DemoProviders;
let apps: ProviderStand;
let sandbox: UnconfinedSandbox;
let collector: TraceCollector;
let redis: Awaited<ReturnType<typeof startRedis>> | undefined;
let broker: RuntimeProcess;

beforeAll(async () => {
  [models, apps, sandbox, collector, redis] = await Promise.all([
    startDemoProviders(),
    startProviderStand(),
    startUnconfinedSandbox(),
    startTraceCollector(),
    findProgram('redis-server') === undefined ? undefined : startRedis(),
  ]);
  const brokerPort = await freePort();
  ground = {
    port: await freePorts(PORTS_OF_A_STACK),
    dataDirectory: await mkdtemp(join(tmpdir(), 'service-variables-')),
    postgresUrl: inject('postgresUrl'),
    schema: newSchemaName(),
    brokerUrl: `http://127.0.0.1:${brokerPort}`,
    sandbox: sandbox.environment,
    modelsUrl: models.url,
    appsUrl: apps.url,
    collectorUrl: collector.url,
    redisUrl: redis?.url,
  };
  broker = startRuntime({ ...environmentOf('outside', ground), SERVICE_BROKER_PORT: String(brokerPort) }, 'broker');
});
afterAll(async () => {
  await broker?.stop();
  await Promise.all([models?.stop(), apps?.close(), sandbox?.close(), collector?.close(), redis?.stop()]);
  if (ground !== undefined) await rm(ground.dataDirectory, { recursive: true, force: true });
});

async function chat(stack: TestStack): Promise<number> {
  const person = await signUp(stack.url, 'Every');
  const { body } = await person.post('/api/organizations', { name: 'Every' });
  const token = await person.token(body.organization.id, ['chat']);
  const answer = await fetch(`${stack.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'openai/gpt-5-mini', messages: [{ role: 'user', content: 'Say hello.' }] }),
  });
  await answer.text();
  return answer.status;
}

it('has a value for every variable that is documented, and each is legal', () => {
  expect(Object.keys(ENVIRONMENT_VALUES).toSorted()).toEqual(Object.keys(ENVIRONMENT).toSorted());
  for (const start of ['outside', 'inside'] as const)
    expect(() => readConfig(environmentOf(start, ground))).not.toThrow();
});

it('the stack serves with all that can be elsewhere elsewhere, and tells the collector', async () => {
  const stack = await startStack({
    dataDirectory: ground.dataDirectory,
    port: ground.port,
    environment: environmentOf('outside', ground),
  });
  try {
    expect(Object.keys((await stack.state()).parts).toSorted()).toEqual([
      'gateway',
      'runtime-api',
      'runtime-driver',
      'runtime-worker-chat',
      'runtime-worker-codex',
      'runtime-worker-control',
      'web',
    ]);
    expect(await chat(stack)).toBe(200);
  } finally {
    await stack.stop();
  }
  expect(collector.sources()).toEqual(expect.arrayContaining(EXPORTING));
});

it('the stack serves with everything of its own', async () => {
  const own: Ground = {
    ...ground,
    port: await freePorts(PORTS_OF_A_STACK),
    dataDirectory: await mkdtemp(join(tmpdir(), 'service-variables-')),
  };
  const stack = await startStack({
    dataDirectory: own.dataDirectory,
    port: own.port,
    environment: environmentOf('inside', own),
  });
  try {
    expect(await chat(stack)).toBe(200);
  } finally {
    await stack.stop();
    await rm(own.dataDirectory, { recursive: true, force: true });
  }
});
