// Worker, controller, broker, driver, api and PostgreSQL die at random during runs of twenty steps each. Every run ends, and
// no step that was finished is done again: counted at the app, in the files of the run, and at the model.
// SERVICE_TEST_RUNS and SERVICE_TEST_SEED give another number of runs and another order of deaths; the seed is printed.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeReference } from '../../src/connections/stored-reference.ts';
import { seeded } from '../support/broker/broker-fuzz.ts';
import { type DeathWorld, openDeathWorld } from '../support/faults/death-world.ts';
import type { Body } from '../support/http-client.ts';
import { performScript, type Script } from '../support/models/model-scripts.ts';
import { leaveOut } from '../support/needs.ts';
import { poll } from '../support/poll.ts';
import { expectAllEndedOnce } from '../support/runs/run-faults.ts';
import { type ControllerProcess, sandboxSkipReason, startController } from '../support/sandbox/sandbox.ts';
import { type ProviderStand, startProviderStand } from '../support/tools/mcp-provider.ts';

const RUNS = Number(process.env['SERVICE_TEST_RUNS'] ?? 50);
const SEED = Number(process.env['SERVICE_TEST_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const STEPS = 20;
const APP_EVERY = 4;
const THINKS_MS = 150;
/** Numbers of runs that the storm does not have. */
const FIRST_OF_SINGLE = 10_000;
const STEPS_BEFORE = 5;
const RECOVERY_MS = 300_000;
const CONNECTION_KEY = randomBytes(32);

/** A model that knows only what it is sent: the next step is the number of results in it. */
function nextStep({ input = [] }: { input?: readonly Body[] }): { run: string; script: Script; step: number } {
  const objective = input.find(({ role }) => role === 'user')?.['content'];
  const text = typeof objective === 'string' ? objective : objective?.[0]?.text;
  const run = /run-\d+/.exec(String(text))?.[0] ?? '';
  const step = input.filter(({ type }) => type === 'function_call_output').length;
  const call = (name: string, given: object): Script => ({
    toolCalls: [{ name, arguments: { ...given }, id: `call_${run}_${step}` }],
    delayMs: THINKS_MS,
  });
  if (step === STEPS) return { run, step, script: { text: `Done ${run}`, delayMs: THINKS_MS } };
  if (step % APP_EVERY === APP_EVERY - 1)
    return { run, step, script: call('github__list-issues', { owner: run, repo: `step-${step}` }) };
  return { run, step, script: call('bash', { command: `cat steps.log 2>/dev/null; echo ${step} >>steps.log` }) };
}

async function startModel(asked: { run: string; step: number }[]): Promise<Server> {
  let number = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const json = JSON.parse(body) as { input?: Body[] };
      const { run, step, script } = nextStep(json);
      asked.push({ run, step });
      const taken = { path: request.url ?? '', headers: request.headers, json, number: ++number };
      performScript(script, taken, response).catch(() => response.destroy());
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return server;
}

describe(`${RUNS} runs of ${STEPS} steps under deaths (seed ${SEED})`, leaveOut(sandboxSkipReason), () => {
  const asked: { run: string; step: number }[] = [];
  let world: DeathWorld;
  let apps: ProviderStand;
  let model: Server;
  let controller: ControllerProcess;
  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'service-steps-'));
    [apps, model, controller] = await Promise.all([
      startProviderStand(),
      startModel(asked),
      startController({ directory }),
    ]);
    world = await openDeathWorld(
      {
        OPENAI_API_URL: `http://127.0.0.1:${(model.address() as AddressInfo).port}`,
        SERVICE_SANDBOX_URL: controller.url,
        SERVICE_SANDBOX_TOKEN: '',
        SERVICE_CONNECTION_ENCRYPTION_KEY_B64: CONNECTION_KEY.toString('base64'),
        SERVICE_INTEGRATIONS_URL: apps.url,
        SERVICE_INTEGRATIONS_SECRET_KEY: '2f9b4d8e-6c1a-4f53-9b7e-0d2a8c4e6f10',
        SERVICE_ALLOW_PRIVATE_URLS: '1',
      },
      {
        controller: async () => {
          await controller.stop('SIGKILL');
          controller = await startController({ directory });
        },
      },
    );
    const { db, stand } = world;
    const address = {
      organizationId: stand.organization.id,
      workspaceId: stand.organization.defaultId,
      provider: 'github',
      name: 'default',
    };
    const reference = {
      kind: 'integration-reference' as const,
      integrationId: 'github',
      connectionId: 'at-provider-github',
    };
    await db.transaction((tx) => storeReference(db, tx, CONNECTION_KEY, { address, reference, whenTaken: 'replace' }));
  });
  afterAll(async () => {
    await world?.close();
    await Promise.all([apps?.close(), controller?.remove()]);
    model?.closeAllConnections();
    model?.close();
  });

  const start = async (at: number): Promise<string> =>
    poll(async () => {
      const body = { objective: `run-${at}`, capabilities: ['github'], idempotencyKey: `run-${at}` };
      const answer = await world.stand.request('POST', '/agents/factory/jobs', { body }).catch(() => undefined);
      return answer?.status === 202 && (answer.body.job.id as string);
    }, 200);
  const eventsOf = async (id: string): Promise<Body[]> =>
    (await world.stand.request('GET', `/jobs/${id}/events`)).body.events;

  it('one death alone costs a run little', async () => {
    const lines: string[] = [];
    for (const [at, [name, kill]] of Object.entries(world.deaths).entries()) {
      const ids = await Promise.all([0, 1, 2].map((one) => start(FIRST_OF_SINGLE + at * 3 + one)));
      await poll(async () => (await Promise.all(ids.map(eventsOf))).every((events) => stepsOf(events) >= STEPS_BEFORE));
      await kill();
      await expectAllEndedOnce(world.db, ids, RECOVERY_MS, 100);
      const gaps = (await Promise.all(ids.map(eventsOf))).map((events) => longestGapOf(events));
      lines.push(`${name.padEnd(16)} ${gaps.map((ms) => `${ms} ms`.padStart(10)).join('')}`);
      expect(await Promise.all(ids.map(async (id) => stepsOf(await eventsOf(id))))).toEqual(ids.map(() => STEPS));
    }
    process.stdout.write(`the longest pause of each of three runs, by what died:\n${lines.join('\n')}\n`);
  });

  it('every run ends, and no finished step is done again', async () => {
    asked.splice(0);
    const ids = await Promise.all(Array.from({ length: RUNS }, (_, at) => start(at)));
    const open = async (): Promise<number> =>
      (await world.db.query('select 1 from :schema.job where id = any($1) and ended_at is null', [ids])).rowCount;
    // Things go on dying for as long as half of the runs are under way; the rest ends in peace.
    const random = seeded(SEED);
    while ((await open().catch(() => RUNS)) > RUNS / 2) await world.killFor(5_000, random);
    await expectAllEndedOnce(world.db, ids, RECOVERY_MS, 100);
    await sleep(1_000);

    const runs = await Promise.all(
      ids.map(async (id): Promise<{ id: string; job: Body; events: Body[] }> => ({
        id,
        job: (await world.stand.request('GET', `/jobs/${id}`)).body.job,
        events: await eventsOf(id),
      })),
    );
    const facts = (events: Body[], type: string): Body[] =>
      events.flatMap(({ data }) => (data.progress?.type === type ? [data.progress] : []));
    const repeated = runs.flatMap(({ id, events }) =>
      repeatedOf(facts(events, 'tool.started').map(({ call }) => `${id} ${call}`)),
    );
    const repeatedAtApp = repeatedOf(apps.asked.map(({ url }) => url));
    const recorded = runs.flatMap(({ events }) => facts(events, 'model')).length;
    const unknown = runs
      .flatMap(({ events }) => facts(events, 'tool.ended'))
      .filter((fact) => fact.unknown === true).length;
    const again = runs.filter(({ events }) => beginsAgain(events));
    const costs = runs.flatMap(({ events }) => costsOf(events)).toSorted((a, b) => a - b);
    const at = (part: number): number =>
      Math.round(costs[Math.min(costs.length - 1, Math.floor(costs.length * part))] ?? 0);
    process.stdout.write(
      `${RUNS} runs of ${STEPS} steps (seed ${SEED}): ${runs.filter(({ job }) => job.status === 'completed').length} completed, ` +
        `${costs.length} interruptions, ${repeated.length + repeatedAtApp.length} finished steps repeated, ${unknown} ends unknown, ` +
        `${asked.length - recorded} model calls without a recorded answer, ${again.length} began again; ` +
        `an interruption cost ${at(0.5)} ms (median), ${at(0.95)} ms (95 %), ${at(1)} ms (most) until the run went on\n`,
    );
    for (const { id, events } of again)
      process.stdout.write(
        `${id} began again:\n${[...events.map(({ at, type, data }) => `${at} ${type} ${JSON.stringify(data.progress ?? data)}`), ...world.logOf(id)].join('\n')}\n`,
      );
    const beganAgain = again.map(({ id }) => id);
    expect({ repeated, repeatedAtApp, beganAgain }).toEqual({ repeated: [], repeatedAtApp: [], beganAgain: [] });
    for (const { job, events } of runs) {
      expect(job).toMatchObject({ status: 'completed' });
      // What the last command found: each finished one before it has left its line once.
      const commands = events.filter(
        ({ data: { progress } }) =>
          progress?.type === 'tool.ended' && progress.tool === 'bash' && progress.unknown !== true,
      );
      const found = String(commands.at(-1)?.['detail']?.output ?? '')
        .trim()
        .split('\n')
        .map(Number);
      expect(repeatedOf(found.map(String))).toEqual([]);
      expect(found.length).toBeGreaterThanOrEqual(commands.length - 1);
    }
  });
});

const stepsOf = (events: readonly Body[]): number =>
  events.filter(({ data }) => data.progress?.type === 'tool.ended').length;

/** Between two events that follow each other: without a death, a step of the model or of a tool. */
function longestGapOf(events: readonly Body[]): number {
  const times = events.map(({ at }) => Date.parse(at));
  return Math.max(...times.slice(1).map((at, before) => at - (times[before] ?? at)));
}

/** Whether an attempt began from nothing although the model had answered before. */
function beginsAgain(events: readonly Body[]): boolean {
  const isFact = (type: string) => (event: Body) => event.data.progress?.type === type;
  const answered = events.findIndex(isFact('model'));
  return events.some(
    (event, at) => answered >= 0 && at > answered && isFact('began')(event) && event.data.progress.step === undefined,
  );
}

function repeatedOf(keys: readonly string[]): string[] {
  return [...new Set(keys.filter((key, at) => keys.indexOf(key) !== at))];
}

/** From the last sign of an attempt to the beginning of the next one, in milliseconds. */
function costsOf(events: readonly Body[]): number[] {
  return events.flatMap((event, at) => {
    if (event.data.progress?.type !== 'began') return [];
    const retried = events.findLastIndex((one, index) => index < at && one.type === 'job.retried');
    const before = events[retried - 1];
    return retried < 0 || events.slice(retried, at).some(({ data }) => data.progress?.type === 'began') || !before
      ? []
      : [Date.parse(event.at) - Date.parse(before.at)];
  });
}
