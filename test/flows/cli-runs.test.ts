// Background runs from the command line, in a pipe and on a terminal: the built servicectl against real processes,
// whose model does what an objective says (test/support/models/told-model.ts).
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '../support/http-client.ts';
import { type RuntimeStand, openRuntimeStand } from '../support/runs/runtime-stand.ts';
import type { Program } from '../support/watch-process.ts';
import { needs } from '../support/needs.ts';
import {
  type Ran,
  type RunOptions,
  type Running,
  servicectl,
  startOnTerminal,
  startServicectl,
} from '../support/cli/servicectl.ts';

let stand: RuntimeStand;
let worker: Program;
let gateway: Program;
let home: string;
let url: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'servicectl-runs-'));
  stand = await openRuntimeStand();
  url = stand.gatewayUrl;
  gateway = await startGateway();
  await stand.start('broker');
  await stand.start('api');
  await stand.start('driver');
  worker = await stand.start('worker-chat');
});
afterAll(async () => {
  await stand?.close();
  await rm(home, { recursive: true, force: true });
});

const startGateway = (): Promise<Program> =>
  stand.start('gateway', {
    environment: { SERVICE_GATEWAY_HOST: '127.0.0.1', SERVICE_RUNTIME_URL: stand.url, SERVICE_DATA_DIR: home },
  });

const environment = (more: Record<string, string> = {}): Record<string, string> => ({
  HOME: home,
  SERVICE_URL: url,
  SERVICE_TOKEN: stand.token,
  ...more,
});
const run = (args: string[], { environment: more, ...options }: RunOptions = {}): Promise<Ran> =>
  servicectl(args, { environment: environment(more), ...options });
const start = (args: string[]): Running => startServicectl(args, { environment: environment() });
async function runJson(args: string[]): Promise<Body> {
  const { code, stdout, stderr } = await run([...args, '--json']);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}
const lines = (text: string): Body[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const newest = async (): Promise<Body> => (await stand.request('GET', '/jobs?limit=1')).body.jobs[0];

describe('servicectl run', () => {
  it('follows the run, prints its answer on standard output and nothing else in a pipe', async () => {
    const { code, stdout, stderr } = await run(['run', 'say hello']);
    expect([code, stderr, stdout]).toEqual([0, '', 'Done: say hello\n']);
  });

  it('takes the objective from standard input', async () => {
    expect((await run(['run', '-'], { input: 'say from a pipe\n' })).stdout).toBe('Done: say from a pipe\n');
    expect(await run(['run', '-'], { input: ' \n' })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no objective'),
    });
  });

  it('with --json prints each event on a line, then the job', async () => {
    const { code, stdout } = await run(['run', 'sleep 1', '--json']);
    const printed = lines(stdout);
    expect([code, printed.slice(0, -1).map(({ id, type }) => [id, type])]).toEqual([
      0,
      [
        [0, 'job.queued'],
        [1, 'job.started'],
        [2, 'job.progress'],
        [3, 'job.progress'],
        [4, 'job.progress'],
        [5, 'job.completed'],
      ],
    ]);
    expect(printed.at(-1)).toMatchObject({ job: { status: 'completed', result: { text: 'Done: sleep 1' } } });
  });

  it('ends with the run’s own end: 5 failed, 6 aborted, 7 lost from sight', async () => {
    expect(await run(['run', 'fail'])).toMatchObject({
      code: 5,
      stdout: '',
      stderr: expect.stringMatching(
        /the run failed: .*It was told to fail\.[\s\S]*→ See what it did with: servicectl job job_\w+ --events/,
      ),
    });

    const aborted = start(['run', 'hang', '--json']);
    await aborted.said(/"job\.started"/);
    expect(await run(['abort', (await newest()).id])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^Aborted job_/),
    });
    const ended = await aborted.ended;
    expect([ended.code, lines(ended.stdout).at(-1).job.status, JSON.parse(ended.stderr)]).toEqual([
      6,
      'aborted',
      expect.objectContaining({ ok: false, error: 'run_aborted', exit: 6, next: expect.any(String) }),
    ]);

    const blind = await stand.mint(stand.owner, stand.organization.id, ['jobs:write']);
    const lost = await run(['run', 'say nothing'], { environment: { SERVICE_TOKEN: blind } });
    expect(lost).toMatchObject({
      code: 7,
      stdout: '',
      stderr: expect.stringMatching(/lost track of run job_\w+: insufficient_scope[\s\S]*→ The run keeps running/),
    });
  });

  it('takes a broken connection up where it was: nothing twice, nothing missing', async () => {
    const following = start(['run', 'sleep 2500', '--json']);
    await following.said(/"job\.progress"/);
    await gateway.stop('SIGKILL');
    gateway = await startGateway();
    const { code, stdout } = await following.ended;
    expect([code, lines(stdout).map(({ id }) => id)]).toEqual([0, [0, 1, 2, 3, 4, 5, undefined]]);
  });

  it('says why a run waits, also in a pipe, and goes on when it no longer does', async () => {
    await worker.stop();
    const waiting = start(['run', 'say at last']);
    await waiting.said(/The run is waiting: No worker for runs of this kind is connected\./);
    worker = await stand.start('worker-chat');
    const { code, stdout } = await waiting.ended;
    expect([code, stdout]).toEqual([0, 'Done: say at last\n']);
  });

  it('interrupted in a pipe leaves the run alone and says how to end it', async () => {
    const following = start(['run', 'hang', '--json']);
    await following.said(/"job\.started"/);
    const { id } = await newest();
    following.child.kill('SIGINT');
    const { code, stderr } = await following.ended;
    expect([code, JSON.parse(stderr)]).toEqual([
      130,
      expect.objectContaining({ exit: 130, next: expect.stringContaining(`servicectl abort ${id}`) }),
    ]);
    expect((await runJson(['job', id])).job.status).toBe('running');
    await run(['abort', id]);
  });

  it('starts and leaves with --detach; the same idempotency key names the same run', async () => {
    const { code, stdout, stderr } = await run(['run', 'say later', '--detach', '--idempotency-key', 'k1']);
    expect([code, stdout, stderr]).toEqual([
      0,
      expect.stringMatching(/^job_\w+\n$/),
      expect.stringContaining('servicectl job job_'),
    ]);
    expect((await run(['run', 'say later', '--detach', '--idempotency-key', 'k1'])).stdout).toBe(stdout);
    expect(await run(['run', 'say other', '--detach', '--idempotency-key', 'k1'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/idempotency_conflict[\s\S]*→ Use a new --idempotency-key/),
    });
    expect(await runJson(['run', 'say json', '--detach', '--kind', 'chat'])).toMatchObject({
      job: { status: 'queued', kind: 'chat' },
    });
    const again = await run(['job', stdout.trim(), '--follow']);
    expect([again.code, again.stdout]).toEqual([0, 'Done: say later\n']);
  });

  it('says what to do about what it cannot start', async () => {
    expect(await run(['run', 'x', '--capability', 'github'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/capability_unusable[\s\S]*→ Run: servicectl connections/),
    });
    expect(await run(['run', 'x', '--model', 'nobody/nothing'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/model_not_found[\s\S]*→ Run: servicectl models/),
    });
    expect(await run(['run', 'x', '--workspace', 'nowhere'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/workspace_membership_required[\s\S]*--workspace/),
    });
    expect(await run(['run', 'x', '--kind', 'odd'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Allowed choices are chat, control, codex'),
    });
    const reader = await stand.mint(stand.owner, stand.organization.id, ['jobs:read']);
    expect(await run(['run', 'x'], { environment: { SERVICE_TOKEN: reader } })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/insufficient_scope[\s\S]*→ Use a token/),
    });
  });
});

describe('servicectl jobs, job and abort', () => {
  it('lists runs by status and page by page', async () => {
    const all = await runJson(['jobs', '--all']);
    expect(all.cursor).toBeUndefined();
    const first = await runJson(['jobs', '--limit', '2']);
    expect([first.jobs.length, first.jobs[0].id]).toEqual([2, all.jobs[0].id]);
    const second = await runJson(['jobs', '--limit', '2', '--cursor', first.cursor]);
    expect(second.jobs.map(({ id }: Body) => id)).toEqual(all.jobs.slice(2, 4).map(({ id }: Body) => id));
    expect((await runJson(['jobs', '--status', 'failed'])).jobs.map(({ objective }: Body) => objective)).toEqual([
      'fail',
    ]);
    expect((await runJson(['jobs', '--kind', 'codex'])).jobs).toEqual([]);
    const { stdout, stderr } = await run(['jobs', '--limit', '1']);
    expect([stdout.split('\t')[0], stderr]).toEqual([
      all.jobs[0].id,
      expect.stringContaining('servicectl jobs --cursor '),
    ]);
  });

  it('shows a run, its events, its receipts and what it left', async () => {
    const { job } = await runJson(['run', 'artifact findings', '--detach']);
    await stand.until(job.id, 'completed');
    expect((await run(['job', job.id])).stdout).toMatch(
      new RegExp(`^job\t${job.id}\nstatus\tcompleted\n[\\s\\S]*receipts\tjobs/${job.id}\n\nDone: artifact findings\n`),
    );
    const events = (await run(['job', job.id, '--events'])).stdout
      .trim()
      .split('\n')
      .map((line) => line.split('  ')[1]);
    expect([events[0], events[1], events.at(-1)]).toEqual(['queued', 'started', 'completed']);
    const { receipts, head } = await runJson(['job', job.id, '--receipts']);
    expect([receipts[0].kind, receipts[1].kind, receipts.at(-1).kind, head.index]).toEqual([
      'job.queued',
      'job.started',
      'job.completed',
      events.length - 1,
    ]);
    expect((await run(['job', job.id, '--artifacts'])).stdout).toBe('empty\t0\nreport.txt\t8\n');
    expect(await runJson(['verify', `jobs/${job.id}`])).toMatchObject({ ok: true, count: events.length });

    const here = await mkdtemp(join(home, 'artifacts-'));
    expect(await run(['job', job.id, '--download', 'report.txt'], { cwd: here })).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'Wrote report.txt, 8 bytes.\n',
    });
    expect(await readFile(join(here, 'report.txt'), 'utf8')).toBe('findings');
    await writeFile(join(here, 'report.txt'), 'mine');
    expect(await run(['job', job.id, '--download', 'report.txt'], { cwd: here })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/already exists[\s\S]*--output/),
    });
    expect(
      await run(['job', job.id, '--download', 'report.txt', '--output', 'report.txt'], { cwd: here }),
    ).toMatchObject({ code: 0 });
    expect(await readFile(join(here, 'report.txt'), 'utf8')).toBe('findings');
    expect(await run(['job', job.id, '--download', 'report.txt', '--output', '-'])).toMatchObject({
      code: 0,
      stdout: 'findings',
      stderr: '',
    });
    expect(await run(['job', job.id, '--download', '../secret'], { cwd: here })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/not the name of a file of a run[\s\S]*--artifacts/),
    });
    expect(await run(['job', job.id, '--download', 'nothing.txt'], { cwd: here })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/has no file 'nothing.txt'[\s\S]*--artifacts/),
    });
    expect(await readdir(here)).toEqual(['report.txt']);
  });

  it('a file in a directory keeps its path below this one, and a link does not lead it out of here', async () => {
    const { job } = await runJson(['run', 'artifact findings', '--detach']);
    await stand.until(job.id, 'completed');
    await mkdir(join(stand.directory, 'artifacts', job.id, 'parts', 'one'), { recursive: true });
    await writeFile(join(stand.directory, 'artifacts', job.id, 'parts', 'one', 'a.txt'), 'part of findings');
    const here = await mkdtemp(join(home, 'artifacts-'));
    expect(await run(['job', job.id, '--download', 'parts/one/a.txt'], { cwd: here })).toMatchObject({
      code: 0,
      stderr: 'Wrote parts/one/a.txt, 16 bytes.\n',
    });
    expect(await readFile(join(here, 'parts', 'one', 'a.txt'), 'utf8')).toBe('part of findings');
    const [elsewhere, linked] = [await mkdtemp(join(home, 'elsewhere-')), await mkdtemp(join(home, 'linked-'))];
    await symlink(elsewhere, join(linked, 'parts'));
    expect(await run(['job', job.id, '--download', 'parts/one/a.txt'], { cwd: linked })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is a link to another place'),
    });
    expect(await readdir(join(elsewhere, 'one')).catch(() => [])).toEqual([]);
  });

  it('abort of a run that is done leaves it as it is', async () => {
    const { jobs } = await runJson(['jobs', '--status', 'failed']);
    expect(await run(['abort', jobs[0].id])).toMatchObject({
      code: 0,
      stderr: `${jobs[0].id} had already ended: failed.\n`,
    });
  });

  it.each([
    ['a run that there is not', ['job', 'job_nothing'], {}, 1, /not_found/],
    ['two views at once', ['job', 'job_x', '--events', '--receipts'], {}, 2, /only one of --events and --receipts/],
    ['--output alone', ['job', 'job_x', '--output', 'x'], {}, 2, /--output needs --download/],
    ['a wrong limit', ['jobs', '--limit', '1000'], {}, 2, /--limit takes a whole number from 1 to 200[\s\S]*--all/],
    ['a wrong status', ['jobs', '--status', 'lost'], {}, 2, /Allowed choices/],
    ['a wrong flag', ['run', 'x', '--fast'], {}, 2, /unknown option '--fast'[\s\S]*--help/],
    ['a wrong host', ['jobs', '--url', 'http://127.0.0.1:1009'], {}, 4, /connection refused[\s\S]*→ Check the address/],
    ['a wrong token', ['run', 'x'], { SERVICE_TOKEN: 'a.b.c' }, 3, /→ Run: servicectl login/],
    ['a cursor of another list', ['jobs', '--cursor', 'elsewhere'], {}, 1, /invalid_request/],
  ] as const)('%s says what to do', async (_, args, more, code, said) => {
    expect(await run([...args], { environment: more })).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringMatching(said),
    });
  });
});

describe('on a terminal', needs('terminal'), () => {
  const onTerminal = (args: string[]): Running =>
    startOnTerminal(args, { environment: environment({ NO_COLOR: '1' }) });

  it('shows what happens, and the answer last', async () => {
    const { code, stdout } = await onTerminal(['run', 'sleep 200']).ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /Run job_\w+ \(chat\)[\s\S]* {2}queued[\s\S]* {2}started[\s\S]* {2}completed[\s\S]*Done: sleep 200/,
    );
  });

  it('says what the run is doing, and shows what its command prints while it runs', async () => {
    const file = join(stand.directory, 'go-on');
    const following = onTerminal(['run', `print ${file}`]);
    await following.said(/waiting for the model since/);
    await following.said(/using bash since \d\d:\d\d:\d\dZ · 1 model call, \$0\.\d+/);
    await following.said(/│ first/);
    await writeFile(file, '');
    const { code, stdout } = await following.ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/│ first[\s\S]*│ last[\s\S]*bash ends: exit=0[\s\S]*Done: print/);
    expect(stdout.match(/│ /g)).toHaveLength(2);
  });

  it('names the files that the run left', async () => {
    expect((await onTerminal(['run', 'artifact x']).ended).stdout).toMatch(
      /The run created 2 files: servicectl job job_\w+ --artifacts/,
    );
  });

  it('Ctrl-C asks; a aborts the run', async () => {
    const following = onTerminal(['run', 'hang']);
    await following.said(/started/);
    following.child.stdin.write('\u0003');
    await following.said(/\(a\)bort it/);
    following.child.stdin.write('a\r');
    expect(await following.ended).toMatchObject({ code: 6, stdout: expect.stringContaining('the run was aborted') });
  });

  it('Ctrl-C, then Enter goes on watching; twice leaves, and the run goes on', async () => {
    const following = onTerminal(['run', 'hang']);
    await following.said(/started/);
    const { id } = await newest();
    following.child.stdin.write('\u0003');
    await following.said(/\(a\)bort it/);
    following.child.stdin.write('\r');
    await following.said(/\(a\)bort it[\s\S]*running, attempt 1/);
    following.child.stdin.write('\u0003');
    await following.said(/\(a\)bort it[\s\S]*\(a\)bort it/);
    following.child.stdin.write('\u0003');
    expect(await following.ended).toMatchObject({
      code: 130,
      stdout: expect.stringContaining(`servicectl abort ${id}`),
    });
    expect((await stand.request('GET', `/jobs/${id}`)).body.job.status).toBe('running');
    await run(['abort', id]);
  });
});
