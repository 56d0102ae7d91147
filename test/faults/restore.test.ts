// A backup is taken while people chat and runs write, restored onto a new place, and the service works there. Again and
// again: SERVICE_TEST_ROUNDS says how often, each time at another moment of the load.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { servicectl } from '../support/cli/servicectl.ts';
import {
  type Cluster,
  CLUSTER_PROGRAMS,
  clusterSkipReason,
  createServiceCluster,
} from '../support/faults/postgres-cluster.ts';
import { type Body, signUp } from '../support/http-client.ts';
import { leaveOut } from '../support/needs.ts';
import { poll } from '../support/poll.ts';
import { sandboxSkipReason } from '../support/sandbox/sandbox.ts';
import { readGuides, runBlock } from '../support/stack/guides.ts';
import { startStack, type TestStack } from '../support/stack/stack.ts';

const ROUNDS = Number(process.env['SERVICE_TEST_ROUNDS'] ?? 2);
const SETTINGS = {
  SERVICE_DB_SCHEMA: 'service',
  SERVICE_INTEGRATIONS_URL: 'off',
  SERVICE_LOG_LEVEL: 'error',
  SERVICE_CHAT_REQUESTS_PER_MINUTE: '1000',
};
/** The machine must have something left for the second stack. */
const CHAT_PAUSE_MS = 500;
const RUN_PAUSE_MS = 200;

describe('a backup of a service at work', leaveOut(clusterSkipReason ?? sandboxSkipReason), () => {
  let directory: string;
  let cluster: Cluster;
  let stack: TestStack;
  let token: string;
  let load: {
    readonly runs: string[];
    readonly chats: () => number;
    readonly running: Promise<unknown>;
    stop(): Promise<void>;
  };

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'service-restore-'));
    cluster = await createServiceCluster(join(directory, 'postgres'), { max_connections: '200' });
    stack = await start(cluster.url, join(directory, 'data'));
    const owner = await signUp(stack.url, 'Owner');
    const { body } = await owner.post('/api/organizations', { name: 'Acme' });
    token = await owner.token(body.organization.id, ['chat', 'jobs:read', 'jobs:write', 'receipts:read']);
    load = startLoad();
    await Promise.race([load.running, poll(() => load.runs.length >= 3)]);
  });
  afterAll(async () => {
    await load?.stop();
    await stack?.stop();
    await cluster?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const start = (url: string, dataDirectory: string): Promise<TestStack> =>
    startStack({ dataDirectory, environment: { ...SETTINGS, SERVICE_UPSTREAM_DB: url } });

  async function ask(at: string, path: string, sent?: object): Promise<Body> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${at}${path}`, {
      headers,
      ...(sent === undefined ? {} : { method: 'POST', body: JSON.stringify(sent) }),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json() as Promise<Body>;
  }

  const chat = async (at: string): Promise<string> => {
    const messages = [{ role: 'user', content: 'Hello' }];
    return (await ask(at, '/v1/chat/completions', { model: 'openai/gpt-5-mini', messages })).choices[0].message.content;
  };
  const run = async (at: string): Promise<string> =>
    (await ask(at, '/runtime/agents/factory/jobs', { objective: 'Look around' })).job.id;
  const ended = (at: string, id: string): Promise<string> =>
    poll(async () => {
      const { status } = (await ask(at, `/runtime/jobs/${id}`)).job;
      return !['queued', 'running'].includes(status) && (status as string);
    });

  function startLoad(): typeof load {
    const runs: string[] = [];
    let chats = 0;
    const stopping = new AbortController();
    const repeat = async (pauseMs: number, work: () => Promise<void>): Promise<void> => {
      while (!stopping.signal.aborted) {
        await work();
        await sleep(pauseMs);
      }
    };
    const running = Promise.all([
      repeat(CHAT_PAUSE_MS, async () => {
        await chat(stack.url);
        chats++;
      }),
      repeat(RUN_PAUSE_MS, async () => {
        const id = await run(stack.url);
        runs.push(id);
        await ended(stack.url, id);
      }),
    ]);
    return {
      runs,
      chats: () => chats,
      running,
      async stop() {
        stopping.abort();
        // A failure of it fails the round that waits for it; here everything else is still to be stopped.
        await running.catch(() => {});
      },
    };
  }

  const operate = async (args: readonly string[], environment: Record<string, string>): Promise<string> => {
    const path = { PATH: `${CLUSTER_PROGRAMS}:${process.env['PATH'] ?? ''}` };
    const { code, stdout, stderr } = await servicectl(args, { environment: { ...path, ...environment } });
    expect([args[1], code, code === 0 ? '' : stderr]).toEqual([args[1], 0, '']);
    return stdout + stderr;
  };

  it.each(Array.from({ length: ROUNDS }, (_, at) => at + 1))('is restored and works, round %i', async (round) => {
    const fromMs = performance.now();
    const [backup, data] = [join(directory, `backup-${round}`), join(directory, `data-${round}`)];
    const [before, chats] = [[...load.runs], load.chats()];
    const here = {
      SERVICE_DB_SCHEMA: 'service',
      SERVICE_UPSTREAM_DB: cluster.url,
      SERVICE_DATA_DIR: stack.dataDirectory,
    };
    await operate(['admin', 'backup', backup], here);
    expect(await operate(['admin', 'verify-backup', backup], {})).toMatch(/^Intact: /);
    await Promise.race([load.running, poll(() => load.runs.length > before.length && load.chats() > chats)]);

    const name = `restored_${round}`;
    await cluster.query(`create database ${name} owner service`);
    const url = cluster.url.replace(/postgres$/, name);
    await operate(['admin', 'restore', backup], { ...here, SERVICE_UPSTREAM_DB: url, SERVICE_DATA_DIR: data });
    const chains = readGuides().find((block) => block.page === 'backup' && block.name === 'chains');
    if (!chains) throw new Error('backup.md has no block chains');
    const checked = await runBlock(chains, {
      cwd: directory,
      environment: { PATH: `${CLUSTER_PROGRAMS}:/usr/bin:/bin`, RESTORED_URL: url },
    });
    const [receipts = 0, broken] = checked.stdout.trim().split(' ').map(Number);
    expect(receipts).toBeGreaterThan(before.length);
    expect(broken).toBe(0);

    const there = await start(url, data);
    try {
      for (const id of before) await ended(there.url, id);
      expect(await chat(there.url)).toMatch(/^Demo answer/);
      expect(await ended(there.url, await run(there.url))).toBe('completed');
      const verified = await operate(['verify'], { SERVICE_URL: there.url, SERVICE_TOKEN: token });
      expect(verified.split('\n').filter((line) => /^jobs\/\S+\tok\t/.test(line)).length).toBeGreaterThan(
        before.length,
      );
    } finally {
      await there.stop();
    }
    await rm(data, { recursive: true });
    await rm(backup, { recursive: true });
    const took = ((performance.now() - fromMs) / 1_000).toFixed(1);
    process.stdout.write(`round ${round}: ${receipts} receipts, ${before.length} runs before it, ${took} s\n`);
  });
});
