// Background runs through real processes: api, broker, driver and workers.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import pg from 'pg';
import type { Body } from '../support/http-client.ts';
import { DEBUG_TOKEN, type RuntimeStand, openRuntimeStand } from '../support/runs/runtime-stand.ts';
import type { Program } from '../support/watch-process.ts';
import { addOrganization, addPerson, join as joinOrganization } from '../support/people.ts';

let stand: RuntimeStand;
let worker: Program;
beforeAll(async () => {
  stand = await openRuntimeStand();
  await stand.start('api');
  await Promise.all([stand.start('broker'), stand.start('driver')]);
  worker = await stand.start('worker-chat');
  await stand.start('worker-control');
});
afterAll(() => stand?.close());

/** Of the receipts that move a run; what it tells about its work is between them. */
const kinds = (body: Body): string[] =>
  body.receipts.map(({ kind }: { kind: string }) => kind).filter((kind: string) => kind !== 'job.progress');
const receiptsOf = async (id: string): Promise<string[]> =>
  kinds((await stand.request('GET', `/jobs/${id}/receipts`)).body);

describe('a run', () => {
  it('goes from the api through driver and worker to one final receipt', async () => {
    const id = await stand.run('artifact hello');
    const job = await stand.until(id, 'completed', 'failed');
    expect(job).toMatchObject({
      status: 'completed',
      attempt: 1,
      kind: 'chat',
      workspace: stand.organization.defaultId,
      result: {
        text: 'Done: artifact hello',
        artifacts: [
          { name: 'empty', size: 0 },
          { name: 'report.txt', size: 5 },
        ],
      },
      stream: `jobs/${id}`,
      endedAt: expect.any(String),
    });
    expect(job.waiting).toBeUndefined();
    const { body } = await stand.request('GET', `/jobs/${id}/receipts`);
    expect(kinds(body)).toEqual(['job.queued', 'job.started', 'job.completed']);
    expect(JSON.stringify(body)).not.toContain('artifact hello');
    expect([...new Set(body.receipts.map(({ actor }: Body) => actor))]).toEqual([
      `user:${stand.owner.id}`,
      'system:worker-chat',
    ]);
    expect((await stand.request('GET', `/service/verify?stream=jobs/${id}`)).body).toMatchObject({
      ok: true,
      count: body.receipts.length,
      head: body.head,
    });
    expect((await stand.request('GET', '/service/stream')).body.streams).toContainEqual({
      stream: `jobs/${id}`,
      head: body.head,
      objective: 'artifact hello',
    });
  });

  it('shows what it failed of', async () => {
    const job = await stand.until(await stand.run('fail'), 'completed', 'failed');
    expect(job).toMatchObject({ status: 'failed', error: expect.stringContaining('It was told to fail.'), attempt: 1 });
  });

  it('is begun again by another worker when its worker is killed', async () => {
    const id = await stand.run('hang-once');
    await stand.until(id, 'running');
    await worker.stop('SIGKILL');
    worker = await stand.start('worker-chat');
    expect(await stand.until(id, 'completed', 'failed')).toMatchObject({ status: 'completed', attempt: 2 });
    expect(await receiptsOf(id)).toEqual(['job.queued', 'job.started', 'job.retried', 'job.completed']);
  });

  it('can be aborted while it runs, and stays as it is afterwards', async () => {
    const id = await stand.run('hang');
    await stand.until(id, 'running');
    const aborted = await stand.request('POST', `/jobs/${id}/abort`);
    expect([aborted.status, aborted.body.job.status]).toEqual([200, 'aborted']);
    const again = await stand.request('POST', `/jobs/${id}/abort`);
    expect([again.status, again.body]).toEqual([200, aborted.body]);
    // The worker is free again: as many runs as it takes at once, and one more, come through.
    await Promise.all(Array.from({ length: 9 }, async () => stand.until(await stand.run('quick'), 'completed')));
    expect(await receiptsOf(id)).toEqual(['job.queued', 'job.started', 'job.aborted']);
  });

  it('is not aborted by another member, who may abort their own', async () => {
    const id = await stand.run('hang');
    const member = await joinOrganization(stand.db, stand.organization.id, await addPerson(stand.db), 'member');
    const token = await stand.mint(member, stand.organization.id);
    expect((await stand.request('GET', `/jobs/${id}`, { token })).status).toBe(200);
    expect(await stand.request('POST', `/jobs/${id}/abort`, { token })).toMatchObject({
      status: 403,
      body: { error: 'workspace_authority_required' },
    });
    const own = await stand.request('POST', '/agents/factory/jobs', { token, body: { objective: 'hang' } });
    expect((await stand.request('POST', `/jobs/${own.body.job.id}/abort`, { token })).status).toBe(200);
    expect((await stand.request('POST', `/jobs/${id}/abort`)).body.job.status).toBe('aborted');
  });

  it('has its files listed and read, and nothing but plain files of its own', async () => {
    const id = await stand.run('artifact content');
    await stand.until(id, 'completed');
    const directory = join(stand.directory, 'artifacts', id);
    await writeFile(join(stand.directory, 'secret'), 'secret');
    await symlink(join(stand.directory, 'secret'), join(directory, 'link'));
    await mkdir(join(directory, 'inner/more'), { recursive: true });
    await writeFile(join(directory, 'inner/more/ü 1.txt'), 'nested');
    await mkdir(join(directory, 'run-log'), { recursive: true });
    await writeFile(join(directory, 'run-log/log.ndjson'), 'log');
    await symlink(stand.directory, join(directory, 'linked'));
    expect((await stand.request('GET', `/jobs/${id}/artifacts`)).body).toEqual({
      artifacts: [
        { name: 'empty', size: 0 },
        { name: 'inner/more/ü 1.txt', size: 6 },
        { name: 'report.txt', size: 7 },
      ],
    });
    expect((await stand.request('GET', `/jobs/${id}/artifacts/report.txt`)).body).toBe('content');
    const { headers } = await fetch(`${stand.url}/jobs/${id}/artifacts/report.txt`, {
      headers: { authorization: `Bearer ${stand.token}` },
    });
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(/^attachment;/);
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    for (const name of ['inner/more/ü 1.txt', encodeURIComponent('inner/more/ü 1.txt')])
      expect((await stand.request('GET', `/jobs/${id}/artifacts/${name}`)).body).toBe('nested');
    for (const name of [
      'link',
      'inner',
      'inner/',
      'none',
      'linked/secret',
      'linked%2fsecret',
      'run-log/log.ndjson',
      'inner/none',
      'inner/..%2freport.txt',
      '..%2f..%2fsecret',
      '%2e%2e',
    ])
      expect([name, (await stand.request('GET', `/jobs/${id}/artifacts/${name}`)).status]).toEqual([name, 404]);
  });

  it('serves its events as JSON and live, and resumes after the last one seen', async () => {
    const id = await stand.run('sleep 300');
    const live = await fetch(`${stand.url}/jobs/${id}/events`, {
      headers: { authorization: `Bearer ${stand.token}`, accept: 'text/event-stream', 'last-event-id': '0' },
    });
    expect(live.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const text = await live.text();
    expect([...text.matchAll(/^id: (\d+)$/gm)].map(([, index]) => Number(index))).toEqual([1, 2, 3, 4, 5]);
    const { body } = await stand.request('GET', `/jobs/${id}/events`);
    expect(body.events.map(({ type, status }: Body) => [type, status])).toEqual([
      ['job.queued', 'queued'],
      ['job.started', 'running'],
      ['job.progress', 'running'],
      ['job.progress', 'running'],
      ['job.progress', 'running'],
      ['job.completed', 'completed'],
    ]);
  });
});

describe('a run of the service itself', () => {
  it('runs through the same broker, and no tenant sees it', async () => {
    const headers = { authorization: `Bearer ${DEBUG_TOKEN}` };
    const started = await stand.request('POST', '/service-debug/jobs', {
      token: DEBUG_TOKEN,
      body: { task: 'verify-chains' },
    });
    expect(started.status).toBe(202);
    const { id } = started.body.job;
    const own = async (): Promise<Body> =>
      (await stand.request('GET', '/service-debug/jobs', { headers })).body.own.find((job: Body) => job.id === id);
    await expect.poll(async () => (await own()).status, { timeout: 20_000 }).toBe('completed');
    expect(await own()).toMatchObject({ task: 'verify-chains', attempt: 1, result: { faults: 0 } });
    const [queued] = (
      await stand.db.query<{ body: string }>('select body from :schema.receipt where stream = $1 and idx = 0', [
        `jobs/${id}`,
      ])
    ).rows;
    expect(queued?.body).toContain('"actor":"system:api"');
    expect((await stand.request('GET', `/jobs/${id}`)).status).toBe(404);
    expect((await stand.request('GET', `/service/verify?stream=jobs/${id}`)).status).toBe(404);
    expect((await stand.request('GET', '/service-debug/broker', { token: DEBUG_TOKEN })).body).toMatchObject({
      groups: expect.arrayContaining([expect.objectContaining({ group: 'service-driver' })]),
    });
  });
});

describe('visibility of a run', () => {
  it('members of its workspace only, with the scope of the route', async () => {
    const id = await stand.run('quick');
    const stranger = await addPerson(stand.db, 'stranger');
    const elsewhere = await addOrganization(stand.db, stranger);
    const token = await stand.mint(stranger, elsewhere.id);
    for (const path of [
      `/jobs/${id}`,
      `/jobs/${id}/events`,
      `/jobs/${id}/receipts`,
      `/jobs/${id}/artifacts`,
      `/service/verify?stream=jobs/${id}`,
    ])
      expect([path, (await stand.request('GET', path, { token })).status]).toEqual([path, 404]);
    expect((await stand.request('POST', `/jobs/${id}/abort`, { token })).status).toBe(404);
    expect((await stand.request('GET', '/jobs', { token })).body.jobs).toEqual([]);
    const reading = await stand.mint(stand.owner, stand.organization.id, ['jobs:read']);
    expect(
      await stand.request('POST', '/agents/factory/jobs', { token: reading, body: { objective: 'x' } }),
    ).toMatchObject({ status: 403, body: { error: 'insufficient_scope' } });
    expect(
      (
        await stand.request('GET', `/jobs/${id}`, {
          token: await stand.mint(stand.owner, stand.organization.id, ['jobs:write']),
        })
      ).status,
    ).toBe(403);
    const colleague = await joinOrganization(
      stand.db,
      stand.organization.id,
      await addPerson(stand.db, 'colleague'),
      'member',
    );
    expect(
      (await stand.request('GET', `/jobs/${id}`, { token: await stand.mint(colleague, stand.organization.id) })).status,
    ).toBe(200);
  });
});

describe('a request for runs', () => {
  it.each([
    ['/jobs?status=', 200, undefined],
    ['/jobs?status=&workspace=&cursor=&limit=1', 200, undefined],
    ['/jobs?status=finished', 400, ['status']],
    ['/jobs?status=queued&kind=none', 400, ['kind']],
    ['/service/stream?stream=&from=&limit=', 200, undefined],
    ['/service/stream?cursor=a%00b', 400, ['cursor']],
    ['/service/verify?stream=connect/a%00b', 400, ['stream']],
    ['/jobs/a%00b/artifacts/x', 400, ['path']],
  ])('%s answers %i', async (path, status, fields) => {
    const { status: answered, body } = await stand.request('GET', path);
    expect([answered, body.details && Object.keys(body.details)]).toEqual([status, fields]);
    if (status === 400) expect(body.error).toBe('invalid_request');
  });

  it('is refused for its scope before what it sends is looked at', async () => {
    const token = await stand.mint(stand.owner, stand.organization.id, ['chat']);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    for (const [method, path, body] of [
      ['POST', '/agents/factory/jobs', '{'],
      ['POST', '/agents/factory/jobs', '{"kind":7}'],
      ['POST', '/jobs/x/abort', '{'],
      ['GET', '/jobs?status=finished'],
      ['GET', '/service/verify'],
    ] as const) {
      const response = await fetch(`${stand.url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
      expect([path, response.status, await response.json()]).toMatchObject([
        path,
        403,
        { error: 'insufficient_scope' },
      ]);
    }
  });
});

describe('a chain that was changed', () => {
  async function tamper(sql: string, id: string): Promise<void> {
    const intruder = new pg.Client({ connectionString: inject('postgresUrl') });
    await intruder.connect();
    await intruder.query('set session_replication_role = replica');
    await intruder.query(sql.replace('receipt', `"${stand.db.schema}".receipt`), [`jobs/${id}`]);
    await intruder.end();
  }

  it.each([
    [
      'its text',
      "update receipt set body = replace(body, 'job.started', 'job.progres') where stream = $1 and idx = 1",
      'hash_mismatch',
      1,
    ],
    ['its tail cut off', 'delete from receipt where stream = $1 and idx = 5', 'head_mismatch', 5],
    ['a receipt taken out', 'delete from receipt where stream = $1 and idx = 1', 'index_gap', 1],
    ['a link', "update receipt set prev = sha256('x') where stream = $1 and idx = 2", 'prev_mismatch', 2],
    ['everything gone', 'delete from receipt where stream = $1', 'head_mismatch', 5],
    [
      'a hash that is none',
      "update receipt set hash = convert_to(upper(encode(hash, 'hex')), 'UTF8') where stream = $1 and idx = 2",
      'hash_mismatch',
      2,
    ],
    ['a link that is none', "update receipt set prev = '' where stream = $1 and idx = 1", 'prev_mismatch', 1],
  ])('with %s is refused wherever it is replayed', async (_what, sql, reason, index) => {
    const id = await stand.run('quick');
    await stand.until(id, 'completed');
    await tamper(sql, id);
    const sentence = `Service runtime refused to replay invalid chain for stream 'jobs/${id}': ${reason} at index ${index}`;
    for (const [method, path, headers] of [
      ['GET', 'events', {}],
      ['GET', 'events', { accept: 'text/event-stream' }],
      ['GET', 'receipts', {}],
      ['POST', 'abort', {}],
    ] as const) {
      const { status, body } = await stand.request(method, `/jobs/${id}/${path}`, { headers });
      expect([status, body.error, body.details]).toEqual([409, sentence, { reason, index }]);
    }
    expect(await stand.request('GET', `/service/verify?stream=jobs/${id}`)).toMatchObject({
      status: 200,
      body: { ok: false, reason, index },
    });
    expect((await stand.request('GET', `/service/stream?stream=jobs/${id}`)).status).toBe(200);
    expect((await stand.request('GET', '/service/stream')).body.streams.map(({ stream }: Body) => stream)).toContain(
      `jobs/${id}`,
    );
  });

  it('is counted once all streams were verified, though no run waits for it', async () => {
    const figures = async (): Promise<Record<string, number>> =>
      Object.fromEntries(
        [...(await (await fetch(`${stand.url}/metrics`)).text()).matchAll(/^(service_receipt_\w+) (\S+)$/gm)].map(
          ([, name = '', value]) => [name, Number(value)],
        ),
      );
    const { body } = await stand.request('POST', '/service-debug/jobs', {
      token: DEBUG_TOKEN,
      body: { task: 'verify-chains' },
    });
    const own = async (): Promise<Body> =>
      (await stand.request('GET', '/service-debug/jobs', { token: DEBUG_TOKEN })).body.own.find(
        (job: Body) => job.id === body.job.id,
      );
    await expect.poll(async () => (await own()).status, { timeout: 20_000 }).toBe('completed');
    const { result, endedAt } = await own();
    expect(result.faults).toBeGreaterThan(0);
    await expect.poll(figures, { timeout: 20_000 }).toMatchObject({
      service_receipt_chains_broken: result.faults,
      service_receipt_verification_timestamp_seconds: Date.parse(endedAt) / 1000,
    });
    const health = await stand.request('GET', '/service-debug/health', { token: DEBUG_TOKEN });
    expect(health.body.checks).toContainEqual(
      expect.objectContaining({
        name: 'receipt chains',
        ok: false,
        detail: expect.stringContaining(`${result.faults} streams`),
      }),
    );
  });
});
