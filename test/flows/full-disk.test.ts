// The data directory, with the stack's own PostgreSQL in it, is on a disk that becomes full while runs are under way, and
// has room again later: nothing that was acknowledged is lost, and everything comes back by itself.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StackState } from '../../src/stack/stack-file.ts';
import { type Body, signUp } from '../support/http-client.ts';
import { leaveOut } from '../support/needs.ts';
import { poll } from '../support/poll.ts';
import { onSmallDisk, reachSmallDisk, type SmallDisk, whyNoSmallDisk } from '../support/faults/small-disk.ts';
import { spawnStack, type StackProcess } from '../support/stack/stack.ts';
import { startToldModel, type ToldModel } from '../support/models/told-model.ts';
import { startUnconfinedSandbox, type UnconfinedSandbox } from '../support/runs/unconfined-sandbox.ts';

const DISK_BYTES = 320_000_000;

describe('a stack whose disk is full', leaveOut(whyNoSmallDisk()), () => {
  let dataDirectory: string;
  let stack: StackProcess;
  let disk: SmallDisk;
  let model: ToldModel;
  let sandbox: UnconfinedSandbox;
  let token: string;
  const acknowledged: string[] = [];

  beforeAll(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'service-full-disk-'));
    [model, sandbox] = await Promise.all([startToldModel(), startUnconfinedSandbox()]);
    stack = await spawnStack({
      dataDirectory,
      command: onSmallDisk(dataDirectory, DISK_BYTES),
      environment: { ...model.environment, ...sandbox.environment },
    });
    await stack.said(/^ready /m);
    disk = reachSmallDisk(dataDirectory, stack.child.pid ?? 0);
    const person = await signUp(url(), 'Full');
    const { body } = await person.post('/api/organizations', { name: 'Full' });
    token = await person.token(body.organization.id, ['jobs:read', 'jobs:write']);
  });
  afterAll(async () => {
    await stack?.stop();
    await Promise.all([model?.close(), sandbox?.close()]);
    await rm(dataDirectory, { recursive: true, force: true });
  });

  const url = (): string => `http://localhost:${stack.port}`;
  const ask = async (method: string, path: string, body?: unknown): Promise<{ status: number; body: Body }> => {
    const response = await fetch(`${url()}/runtime${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json().catch(() => undefined)) as Body };
  };
  /** Whether it was acknowledged. */
  const start = async (objective: string): Promise<boolean> => {
    const { status, body } = await ask('POST', '/agents/factory/jobs', { objective }).catch(() => ({
      status: 0,
      body: undefined as Body,
    }));
    if (status === 202) acknowledged.push(body.job.id);
    return status === 202;
  };
  const until = (id: string, ...statuses: string[]): Promise<Body> =>
    poll(async () => {
      const { body } = await ask('GET', `/jobs/${id}`).catch(() => ({ body: undefined as Body }));
      return statuses.includes(body?.job?.status) && body.job;
    });

  it('reports it once, keeps serving, and loses nothing that it has acknowledged', async () => {
    for (const objective of ['artifact one', 'wait', 'wait']) expect(await start(objective)).toBe(true);
    for (const id of acknowledged.slice(1)) await until(id, 'running');

    disk.fill();
    // What runs write now fails, in their logs and in the database.
    model.release();
    for (let asked = 0; asked < 10; asked++) await start('artifact more');
    await stack.said(
      /^warning: the disk that holds .* is full: 0 MB are free\. Free some space; the parts come back by themselves\.$/m,
    );

    await exhaustLog((JSON.parse(await readFile(join(disk.path, 'stack.json'), 'utf8')) as StackState).databaseUrl);
    await stack.said(/^warning: postgres could not be started \(.*No space left on device/m);
    expect(stack.child.exitCode).toBeNull();

    disk.free();
    await stack.said('postgres is up again');
    await stack.said(`${dataDirectory} can be written again`);
    for (const id of acknowledged) {
      expect(await until(id, 'completed', 'failed', 'aborted')).toMatchObject({ status: 'completed' });
      const { body } = await ask('GET', `/jobs/${id}/receipts`);
      expect(body.receipts.filter(({ kind }: Body) => /job\.(?:completed|failed|aborted)/.test(kind))).toHaveLength(1);
    }
    expect(stack.output.stderr.match(/is full/g)).toHaveLength(1);
  }, 300_000);

  it('works as before once there is room', async () => {
    expect(await start('artifact last')).toBe(true);
    const id = acknowledged.at(-1) ?? '';
    expect(await until(id, 'completed', 'failed')).toMatchObject({ status: 'completed', attempt: 1 });
    expect((await ask('GET', `/jobs/${id}/artifacts`)).body.artifacts).toContainEqual({ name: 'report.txt', size: 4 });
    const state = JSON.parse(await readFile(join(disk.path, 'stack.json'), 'utf8')) as StackState;
    expect(state.parts['postgres']?.restarts).toBeGreaterThan(0);
    // A line may have been cut when the disk was full, and may be the last one; nothing is written behind it.
    const lines = (await readFile(join(disk.path, 'logs', 'runtime-api.log'), 'utf8')).trim().split('\n');
    expect(lines.at(-1)).toMatch(/^\{"level"(?!.*\{"level").*$/);
  });
});

/** Fills PostgreSQL's write-ahead log until it finds no room for more, and ends. */
async function exhaustLog(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  try {
    await client.connect();
    for (;;) await client.query("select pg_logical_emit_message(false, 'full', repeat('x', 1000000))");
  } catch {
    // Its last answer, or none.
  } finally {
    await client.end().catch(() => {});
  }
}
