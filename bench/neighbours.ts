// One tenant, a stranger or somebody who only waits attacks each kind of route; another tenant's medians are compared
// with an idle stack. The real stack, through the gateway, which trusts this machine as a proxy, so that strangers come
// from many networks; the attacker is a separate process.
import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { startStack } from '../test/support/stack/stack.ts';
import { startToldModel, type ToldModel } from '../test/support/models/told-model.ts';
import { attack, ATTACKS, exchange, MODEL, type Person, type Sent, type Stage } from './support/neighbour-attacks.ts';

const ATTACK_MS = 8_000;
const WARM_UP_MS = 1_500;
const MOST_RATIO = 3;
const CHAT_REQUESTS_PER_MINUTE = 450;
/** Of the attacker's conversation. */
const TURNS = 50;
const TURN_CHARACTERS = 2_000_000;
const PROBES = ['/api/me', '/v1/chat/completions', '/connect/mcp'] as const;

export async function bench(report: (line: string) => void): Promise<void> {
  const only = process.env['SERVICE_BENCH_ONLY'] ?? '';
  // A process of its own, because this one measures.
  const model = fork(import.meta.filename, ['model']);
  const environment = await new Promise<ToldModel['environment']>((resolve) =>
    model.once('message', (told) => resolve(told as ToldModel['environment'])),
  );
  const stack = await startStack({
    environment: {
      ...environment,
      SERVICE_LOG_LEVEL: 'error',
      SERVICE_TRUSTED_PROXIES: '127.0.0.1,::1',
      SERVICE_CHAT_REQUESTS_PER_MINUTE: String(CHAT_REQUESTS_PER_MINUTE),
    },
  });
  try {
    const [attacker, victim] = [await signUp(stack.url, 'attacker'), await signUp(stack.url, 'victim')];
    const stage = await prepare(stack.url, attacker, environment.OPENAI_API_URL);
    await measure(stack.url, victim, WARM_UP_MS);
    const idle = await measure(stack.url, victim, ATTACK_MS);
    report(
      `another tenant's medians when idle: ${PROBES.map((probe, at) => `${probe} ${idle.medians[at]?.toFixed(1)} ms`).join(' · ')}; a run starts after ${Math.round(await timeToStart(stack.url, victim))} ms`,
    );
    report(`  ${'what somebody does'.padEnd(36)} ${'ratios'.padEnd(20)} answers of its own, of the other`);
    let missed = 0;
    for (const name of ATTACKS.filter((each) => each.includes(only))) {
      const child = fork(import.meta.filename, ['attack', name, JSON.stringify(stage)]);
      const statuses = new Promise<Record<string, number>>((resolve) =>
        child.once('message', (told) => resolve(told as Record<string, number>)),
      );
      await sleep(WARM_UP_MS);
      const measured = await measure(stack.url, victim, ATTACK_MS);
      const started = name.endsWith('runs') ? await timeToStart(stack.url, victim) : undefined;
      child.send('stop');
      const own = await statuses;
      child.kill('SIGKILL');
      const ratios = measured.medians.map((ms, at) => ms / (idle.medians[at] ?? 1));
      const fails = (counted: Record<string, number>, bad: (status: number) => boolean): boolean =>
        Object.keys(counted).some((status) => bad(Number(status)));
      const isHeld =
        Math.max(...ratios) <= MOST_RATIO &&
        started !== Number.POSITIVE_INFINITY &&
        !fails(own, (status) => status >= 500) &&
        !fails(measured.statuses, (status) => status !== 200);
      if (!isHeld) missed++;
      report(
        `  ${name.padEnd(36)} ${ratios
          .map((ratio) => ratio.toFixed(1))
          .join(' · ')
          .padEnd(
            20,
          )} ${JSON.stringify(own)} ${JSON.stringify(measured.statuses)}${started === undefined ? '' : ` a run starts after ${Math.round(started)} ms`} ${isHeld ? 'held' : 'MISSED'}`,
      );
      // What was counted against the limits of a minute is left behind by then, and what was begun has ended.
      await sleep(2_000);
    }
    report(`  ${missed} missed: within ${MOST_RATIO} × idle, no 5xx, and nothing but 200 for the other tenant`);
  } finally {
    await stack.stop();
    model.kill('SIGKILL');
  }
}

/** What an attacker collects beforehand: a conversation of large messages and a large stored item, on an account of its own. */
async function prepare(url: string, attacker: Person, modelUrl: string): Promise<Stage> {
  const headers = { cookie: attacker.cookie, origin: url, 'content-type': 'application/json' };
  const ask = async (sent: Sent): Promise<string> => {
    const { status, text } = await exchange(url, { headers, ...sent });
    if (status >= 300) throw new Error(`${sent.path} answered ${status}: ${text.slice(0, 500)}`);
    return text;
  };
  await ask({
    method: 'PUT',
    path: `/api/organizations/${attacker.org}/models-account`,
    body: JSON.stringify({ baseUrl: `${modelUrl}/v1`, key: 'sk-any', models: ['*'] }),
  });
  const words = 'a word of a long message '.repeat(TURN_CHARACTERS / 25);
  let thread: string | undefined;
  for (let turn = 0; turn < TURNS; turn++) {
    await ask({
      method: 'POST',
      path: '/api/chat',
      body: JSON.stringify({ organization: attacker.org, thread, model: MODEL, message: { text: words } }),
    });
    const { threads } = JSON.parse(await ask({ path: `/api/threads?organization=${attacker.org}` })) as {
      threads: { id: string }[];
    };
    thread ??= threads[0]?.id;
  }
  const stored = JSON.parse(
    await ask({
      method: 'POST',
      path: '/v1/responses',
      headers: { authorization: `Bearer ${attacker.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, input: [{ role: 'user', content: words }] }),
    }),
  ) as { id: string };
  const items = JSON.parse(
    await ask({
      path: `/v1/responses/${stored.id}/input_items`,
      headers: { authorization: `Bearer ${attacker.token}` },
    }),
  ) as { data: { id: string }[] };
  return { url, attacker, thread: thread ?? '', item: items.data[0]?.id ?? '' };
}

const START_LIMIT_MS = 30_000;

/** How long a run of this tenant waits until it is worked on; infinite if it is not in time. */
async function timeToStart(url: string, { token }: Person): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const startedAt = performance.now();
  const { text } = await exchange(url, {
    method: 'POST',
    path: '/runtime/agents/factory/jobs',
    headers,
    body: JSON.stringify({ objective: 'anything', model: MODEL }),
  });
  const { job } = JSON.parse(text) as { job: { id: string } };
  while (performance.now() - startedAt < START_LIMIT_MS) {
    const shown = JSON.parse((await exchange(url, { path: `/runtime/jobs/${job.id}`, headers })).text) as {
      job: { status: string };
    };
    if (shown.job.status !== 'queued') return performance.now() - startedAt;
    await sleep(50);
  }
  return Number.POSITIVE_INFINITY;
}

async function measure(
  url: string,
  { cookie, token }: Person,
  forMs: number,
): Promise<{ medians: number[]; statuses: Record<string, number> }> {
  const json = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const probes: Sent[] = [
    { path: PROBES[0], headers: { cookie } },
    {
      path: PROBES[1],
      method: 'POST',
      headers: json,
      body: JSON.stringify({ model: MODEL, max_tokens: 16, messages: [{ role: 'user', content: 'hello' }] }),
    },
    {
      path: PROBES[2],
      method: 'POST',
      headers: { ...json, accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    },
  ];
  const times: number[][] = probes.map(() => []);
  const statuses: Record<string, number> = {};
  const endsAt = performance.now() + forMs;
  while (performance.now() < endsAt) {
    for (const [at, probe] of probes.entries()) {
      const startedAt = performance.now();
      const { status } = await exchange(url, probe);
      times[at]?.push(performance.now() - startedAt);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    await sleep(100);
  }
  return {
    medians: times.map((each) => each.toSorted((a, b) => a - b)[Math.floor(each.length / 2)] ?? Number.NaN),
    statuses,
  };
}

async function signUp(url: string, name: string): Promise<Person> {
  const headers = { origin: url, 'content-type': 'application/json' };
  const made = await exchange(url, {
    method: 'POST',
    path: '/api/auth/sign-up/email',
    headers,
    body: JSON.stringify({ name, email: `${name}@example.test`, password: 'correct horse battery' }),
  });
  const cookie = made.cookies.map((each) => each.split(';', 1)[0]).join('; ');
  const post = async <T>(path: string, body: unknown): Promise<T> => {
    const { status, text } = await exchange(url, {
      method: 'POST',
      path,
      headers: { ...headers, cookie },
      body: JSON.stringify(body),
    });
    if (status >= 300) throw new Error(`${path} answered ${status}: ${text}`);
    return JSON.parse(text) as T;
  };
  const { organization } = await post<{ organization: { id: string } }>('/api/organizations', { name });
  const { token } = await post<{ token: string }>('/api/tokens', {
    name,
    organization: organization.id,
    scopes: ['chat', 'connect:read', 'jobs:read', 'jobs:write', 'receipts:read'],
  });
  const rules: Record<string, unknown[]> = {
    keyword: [
      {
        kind: 'keyword',
        config: {
          keywords: Array.from({ length: 95 }, (_, at) => `${'a'.repeat(187)} ${String(at).padStart(2, 'b')}`),
        },
      },
    ],
    phrases: [
      {
        kind: 'topic',
        config: { topics: [{ name: 'x', terms: Array.from({ length: 150 }, (_, at) => `${'a b '.repeat(24)}${at}`) }] },
      },
    ],
    'json-schema': Array.from({ length: 50 }, () => ({
      kind: 'json-schema',
      config: {
        schema: {
          items: {
            anyOf: Array.from({ length: 100 }, (_, at) => ({
              properties: { a: { const: `x${at}` } },
              required: ['a'],
            })),
          },
        },
      },
    })),
    pii: Array.from({ length: 50 }, () => ({ kind: 'pii', config: {} })),
  };
  const guardrails: Record<string, string> = {};
  for (const [kind, list] of Object.entries(rules))
    guardrails[kind] = (
      await post<{ group: { id: string } }>(`/api/organizations/${organization.id}/guardrails`, {
        name: kind,
        rules: list,
      })
    ).group.id;
  return { cookie, token, org: organization.id, guardrails };
}

const [role, attackName, stage] = process.argv.slice(2);
if (role === 'model') process.send?.((await startToldModel()).environment);
if (role === 'attack' && attackName !== undefined && stage !== undefined)
  await attack(attackName, JSON.parse(stage) as Stage);
