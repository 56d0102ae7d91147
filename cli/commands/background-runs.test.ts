import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { content, events, json, refuse } from '../../test/support/cli/canned-service.ts';
import { TOKEN, useCliStand } from '../../test/support/cli/cli-stand.ts';

const stand = useCliStand();
const AT = '2026-01-02T03:04:05.000Z';
const HASH = 'a'.repeat(64);
const JOB = {
  id: 'job_1',
  organization: 'org_1',
  workspace: 'ws_1',
  kind: 'chat',
  objective: 'List the issues',
  status: 'queued',
  createdAt: AT,
  attempt: 0,
  stream: 'jobs/job_1',
  createdBy: 'usr_1',
  capabilities: [],
};
const COMPLETED = { ...JOB, status: 'completed', attempt: 1, result: { text: 'There are two.' } };
const event = (id: number, type: string, status: string) => ({
  id,
  type,
  at: AT,
  actor: 'worker',
  status,
  attempt: 1,
  data: {},
});
const EVENTS = [event(0, 'job.queued', 'queued'), event(1, 'job.started', 'running')];

describe('run', () => {
  it('starts a run, follows it and prints its result', async () => {
    stand.serve({
      'POST /runtime/agents/factory/jobs': () => json({ job: JOB }, 202),
      'GET /runtime/jobs/job_1/events': events(...EVENTS, event(2, 'job.completed', 'completed')),
      'GET /runtime/jobs/job_1': { job: COMPLETED },
    });
    expect(await stand.servicectl(['run', 'List the issues', '--kind', 'chat', '--capability', 'github'])).toEqual({
      code: 0,
      stdout: 'There are two.\n',
      stderr: '',
    });
    expect(stand.requests()[0]).toMatchObject({
      bearer: TOKEN,
      body: { objective: 'List the issues', kind: 'chat', capabilities: ['github'] },
    });
  });

  it('resumes a broken stream after the last event', async () => {
    const streams = [events(...EVENTS), events(event(1, 'job.started', 'running'), event(2, 'job.failed', 'failed'))];
    stand.serve({
      'POST /runtime/agents/factory/jobs': () => json({ job: JOB }, 202),
      'GET /runtime/jobs/job_1/events': () => (streams.shift() ?? events())(),
      'GET /runtime/jobs/job_1': { job: { ...JOB, status: 'failed', attempt: 1, error: 'It was told to fail.' } },
    });
    const { code, stdout, stderr } = await stand.servicectl(['run', '-', '--json'], { input: 'Fail\n' });
    expect([code, stdout.trim().split('\n').length, JSON.parse(stderr)]).toMatchObject([5, 4, { error: 'run_failed' }]);
    expect(
      stand
        .requests()
        .filter(({ path }) => path.endsWith('/events'))
        .map(({ headers }) => headers['last-event-id']),
    ).toEqual([undefined, '1']);
  });

  it('--detach prints the ID', async () => {
    stand.serve({ 'POST /runtime/agents/factory/jobs': () => json({ job: JOB }, 202) });
    expect(await stand.servicectl(['run', 'x', '--detach'])).toMatchObject({ code: 0, stdout: 'job_1\n' });
  });

  it('says what to do when the service refuses', async () => {
    stand.serve({ 'POST /runtime/agents/factory/jobs': refuse(409, 'idempotency_conflict') });
    expect(await stand.servicectl(['run', 'x', '--idempotency-key', 'k'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('→ Use a new --idempotency-key'),
    });
  });
});

describe('jobs', () => {
  it('lists a page and says how to see more', async () => {
    stand.serve({
      'GET /runtime/jobs': {
        jobs: [{ ...JOB, waiting: { reason: 'no_worker', message: 'No worker.' } }, COMPLETED],
        cursor: 'next',
      },
    });
    expect(await stand.servicectl(['jobs', '--status', 'queued', '--limit', '2'])).toEqual({
      code: 0,
      stdout: `job_1\tqueued (no_worker)\tchat\t${AT}\tList the issues\njob_1\tcompleted\tchat\t${AT}\tList the issues\n`,
      stderr: 'To see more: servicectl jobs --cursor next (or --all)\n',
    });
    expect(stand.requests()[0]?.query).toEqual({ status: 'queued', limit: '2' });
  });

  it('--all reads every page', async () => {
    stand.serve({
      'GET /runtime/jobs': ({ query }) =>
        json(query['cursor'] === undefined ? { jobs: [JOB], cursor: 'next' } : { jobs: [COMPLETED] }),
    });
    expect(JSON.parse((await stand.servicectl(['jobs', '--all', '--json'])).stdout).jobs).toHaveLength(2);
  });

  it('fails on a cursor of another list', async () => {
    stand.serve({ 'GET /runtime/jobs': refuse(400, 'invalid_request') });
    expect(await stand.servicectl(['jobs', '--cursor', 'x'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^servicectl: invalid_request[\s\S]*→ Check the input/),
    });
  });
});

describe('job', () => {
  it('shows a run and its result', async () => {
    stand.serve({ 'GET /runtime/jobs/job_1': { job: COMPLETED } });
    const { code, stdout } = await stand.servicectl(['job', 'job_1']);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^job\tjob_1\nstatus\tcompleted\n[\s\S]*\n\nThere are two\.\n$/),
    ]);
  });

  it('shows its events, receipts and files', async () => {
    const receipt = { stream: 'jobs/job_1', index: 0, kind: 'job.queued', at: AT, actor: 'user:usr_1', body: {} };
    stand.serve({
      'GET /runtime/jobs/job_1/events': { events: EVENTS },
      'GET /runtime/jobs/job_1/receipts': {
        receipts: [{ ...receipt, prev: HASH, hash: HASH }],
        head: { index: 0, hash: HASH },
      },
      'GET /runtime/jobs/job_1/artifacts': { artifacts: [{ name: 'report.md', size: 8 }] },
    });
    expect((await stand.servicectl(['job', 'job_1', '--events'])).stdout).toBe(`${AT}  queued\n${AT}  started\n`);
    expect((await stand.servicectl(['job', 'job_1', '--receipts'])).stdout).toBe(
      `0\t${AT}\tjob.queued\tuser:usr_1\t{}\t${HASH}\n`,
    );
    expect((await stand.servicectl(['job', 'job_1', '--artifacts'])).stdout).toBe('report.md\t8\n');
  });

  it('--download writes a file that only its owner can read, and fails for an unknown one', async () => {
    const file = join(stand.directory, 'report.md');
    stand.serve({
      'GET /runtime/jobs/job_1/artifacts/report.md': content('application/octet-stream', 'findings'),
      'GET /runtime/jobs/job_1/artifacts/gone.md': refuse(404, 'not_found'),
    });
    const download = (name: string) => stand.servicectl(['job', 'job_1', '--download', name, '--output', file]);
    expect(await download('report.md')).toMatchObject({ code: 0, stderr: `Wrote ${file}, 8 bytes.\n` });
    expect(await readFile(file, 'utf8')).toBe('findings');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await download('gone.md')).toMatchObject({ code: 1, stderr: expect.stringContaining('--artifacts') });
  });

  it('fails for a run that does not exist', async () => {
    expect(await stand.servicectl(['job', 'job_2', '--json'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"error":"not_found"'),
    });
  });
});

describe('job say', () => {
  const message = { id: 'msg_1', text: 'Leave out the closed ones', at: AT, by: 'usr_1', read: false };

  it('tells a run that works, and what happens next', async () => {
    stand.serve({ 'POST /runtime/jobs/job_1/messages': () => json({ message }, 202) });
    expect(await stand.servicectl(['job', 'say', 'job_1', '-'], { input: `${message.text}\n` })).toEqual({
      code: 0,
      stdout: '',
      stderr: 'job_1 reads it before its next step. Follow it with: servicectl job job_1 --follow\n',
    });
    expect(stand.requests()[0]).toMatchObject({ bearer: TOKEN, body: { text: message.text } });
    expect(JSON.parse((await stand.servicectl(['job', 'say', 'job_1', 'x', '--json'])).stdout)).toEqual({ message });
  });

  it('goes on with one that has ended, and follows the new run', async () => {
    stand.serve({
      'POST /runtime/jobs/job_0/messages': () => json({ job: { ...JOB, continues: 'job_0' } }, 202),
      'GET /runtime/jobs/job_1/events': events(...EVENTS, event(2, 'job.completed', 'completed')),
      'GET /runtime/jobs/job_1': { job: COMPLETED },
    });
    expect(
      await stand.servicectl(['job', 'say', 'job_0', 'And then?', '--files-required', '--idempotency-key', 'k1']),
    ).toEqual({
      code: 0,
      stdout: 'There are two.\n',
      stderr: 'job_0 had ended, so job_1 goes on from there.\n',
    });
    expect(stand.requests()[0]?.body).toEqual({ text: 'And then?', files: 'required', idempotencyKey: 'k1' });
    expect((await stand.servicectl(['job', 'say', 'job_0', 'x', '--detach'])).stdout).toBe('job_1\n');
  });

  it('says what to do when there is no text, or the files are gone', async () => {
    stand.serve({ 'POST /runtime/jobs/job_1/messages': refuse(409, 'snapshot_gone') });
    expect(await stand.servicectl(['job', 'say', 'job_1', ' '])).toMatchObject({ code: 2 });
    expect(await stand.servicectl(['job', 'say', 'job_1', 'x', '--files-required'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('→ Leave out --files-required'),
    });
  });

  it('is shown with the run', async () => {
    stand.serve({
      'GET /runtime/jobs/job_1': { job: { ...JOB, continues: 'job_0', continuedBy: ['job_2'], messages: [message] } },
    });
    const { stdout } = await stand.servicectl(['job', 'job_1']);
    expect(stdout).toContain('continues\tjob_0\ncontinued by\tjob_2\nnot read\tLeave out the closed ones\n');
  });
});

describe('abort', () => {
  it('aborts a run, and says so if it had already ended', async () => {
    stand.serve({ 'POST /runtime/jobs/job_1/abort': { job: { ...JOB, status: 'aborted' } } });
    expect(await stand.servicectl(['abort', 'job_1'])).toEqual({ code: 0, stdout: '', stderr: 'Aborted job_1.\n' });
    stand.serve({ 'POST /runtime/jobs/job_1/abort': { job: COMPLETED } });
    expect((await stand.servicectl(['abort', 'job_1'])).stderr).toBe('job_1 had already ended: completed.\n');
  });

  it('fails without the scope', async () => {
    stand.serve({ 'POST /runtime/jobs/job_1/abort': refuse(403, 'insufficient_scope') });
    expect(await stand.servicectl(['abort', 'job_1'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('→ Use a token with this scope'),
    });
  });
});
