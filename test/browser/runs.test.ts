// Background runs in the browser: start one, watch it work, find it again, end it, and see when its record was changed.
// One run is executed by the real engine on demo models; the others are moved by hand, receipt by receipt.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { appendRunReceipt, type RunReceiptDraft } from '../../src/runs/record/move-run.ts';
import { insertRun, type NewRun } from '../../src/runs/record/insert-run.ts';
import { type Run, streamOf } from '../../src/runs/record/run.ts';
import { createAnnouncer } from '../../src/receipts/announce-appends.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { faultsOf, findFaults } from '../support/browser/axe.ts';
import {
  createOrganization,
  createWorkspace,
  describeInBrowser,
  heading,
  type OrganizationUnderTest,
  openWebApp,
  type Visitor,
  type WebAppUnderTest,
} from '../support/browser/browser.ts';
import { quiet } from '../support/database.ts';
import { leaveOut } from '../support/needs.ts';
import { takePictures } from '../support/browser/pictures.ts';
import { sandboxSkipReason } from '../support/sandbox/sandbox.ts';

const ACTOR = 'system:worker-chat';

describeInBrowser('runs', () => {
  let app: WebAppUnderTest;
  let db: Database;
  let owner: Visitor;
  let organization: OrganizationUnderTest;
  let home: string;
  let lab: { id: string; slug: string };
  let person: string;
  let page: Page;
  beforeAll(async () => {
    app = await openWebApp();
    db = await openDatabase({
      url: app.database.url,
      schema: app.database.schema,
      poolMax: 2,
      applicationName: 'test',
      log: quiet,
    });
    owner = await app.visitSignedIn(app.newPerson('Ruth Runner'));
    organization = await createOrganization(owner, 'Runners');
    person = (await owner.call<{ user: { id: string } }>('GET', '/api/me')).user.id;
    home =
      (
        await owner.call<{ workspaces: { id: string; kind: string }[] }>(
          'GET',
          `/api/organizations/${organization.id}/workspaces`,
        )
      ).workspaces.find(({ kind }) => kind === 'default')?.id ?? '';
    page = owner.page;
  });
  afterAll(async () => {
    await db?.close();
    await app?.close();
  });

  const announce = async (job: Run): Promise<void> => {
    const announcer = createAnnouncer(db, quiet);
    announcer.announce([{ stream: streamOf(job) }]);
    await announcer.flush();
  };
  /** A run that is not executed: it waits, and says why. */
  async function record(objective: string, more: Partial<NewRun> = {}): Promise<Run> {
    const { run: job } = await insertRun(db, {
      organizationId: organization.id,
      workspaceId: home,
      createdBy: person,
      actor: `user:${person}`,
      kind: 'chat',
      objective,
      waitingReason: 'sandbox_engine_unavailable',
      ...more,
    });
    await announce(job);
    return job;
  }
  async function move(job: Run, ...drafts: Omit<RunReceiptDraft, 'actor'>[]): Promise<Run> {
    let now = job;
    for (const draft of drafts)
      now = (await appendRunReceipt(db, now, { actor: ACTOR, ...draft })) ?? expect.unreachable();
    await announce(now);
    return now;
  }
  const begin = { kind: 'job.started', body: { attempt: 1 } } as const;
  const list = () => page.getByRole('list', { name: 'Runs, latest first' });

  it(
    'starts a run, watches it work without a reload, and shows its answer, files and receipts',
    leaveOut(sandboxSkipReason),
    async () => {
      await page.goto('/runs');
      await heading(page, 'Runs');
      await page.getByText('No runs yet').waitFor();
      await page.getByRole('button', { name: 'Start a run' }).click();
      const dialog = page.getByRole('dialog', { name: 'Start a run' });
      await dialog.getByRole('button', { name: 'Start run' }).click();
      await dialog.getByText('Enter an objective.').waitFor();
      await dialog.getByLabel('Objective').fill('Write a report about the files here');
      await dialog.getByRole('button', { name: 'Start run' }).click();

      await heading(page, 'Write a report about the files here');
      await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/runs\/job_/);
      await page.getByText('Completed', { exact: true }).first().waitFor({ timeout: 60_000 });
      await page.getByRole('heading', { name: 'Answer', exact: true }).waitFor();
      await page.getByRole('listitem').filter({ hasText: 'Ran a command' }).getByText('exit code 0').first().waitFor();
      await expect.poll(() => page.getByRole('button', { name: 'Abort' }).count()).toBe(0);
      await page
        .getByRole('definition')
        .filter({ hasText: /^\w+; memory.* time by a timer/ })
        .waitFor();
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { description: 'Download' }).first().click();
      expect((await readFile(await (await downloading).path(), 'utf8')).length).toBeGreaterThan(0);

      await page.getByRole('button', { name: 'Verify' }).click();
      await page.getByText('The chain is intact').waitFor();
      await page.getByRole('link', { name: 'Open receipts' }).click();
      await heading(page, /^Run: /);
    },
  );

  it('says before a run is started that none can be, that it would wait, or that its limits are weak', async () => {
    const answers = {
      off: { ok: false, reason: 'bubblewrap: bwrap is not installed', fix: 'apt-get install bubblewrap' },
      lost: { ok: false, reason: 'unreachable', fix: 'start the sandbox controller' },
      weak: {
        ok: true,
        driver: 'bubblewrap',
        limits: { memory: 'rlimit', processes: 'rlimit', disk: 'watchdog', cpu: 'priority', time: 'timer' },
      },
    };
    const said: Record<keyof typeof answers, string[]> = {
      off: [
        'Runs are unavailable on this deployment',
        'Reason: bubblewrap: bwrap is not installed.',
        'What your operator can do: apt-get install bubblewrap.',
      ],
      lost: [
        'Runs you start now begin as soon as it does.',
        'What your operator can do: start the sandbox controller.',
      ],
      weak: ['Weak limits on memory, processes and disk:'],
    };
    for (const name of ['off', 'lost', 'weak'] as const) {
      await page.route('**/runtime/sandbox', (route) => route.fulfill({ json: answers[name] }));
      await page.goto('/runs');
      for (const words of said[name]) await page.getByRole('main').getByText(words).waitFor();
      expect(
        await faultsOf(page, [
          { path: '/runs', heading: 'Runs', act: (opened) => opened.getByText(said[name][0] ?? '').waitFor() },
        ]),
      ).toEqual([]);
      await page.getByRole('button', { name: 'Start a run' }).click();
      for (const words of said[name])
        await page.getByRole('dialog', { name: 'Start a run' }).getByText(words).waitFor();
      await page.goto('/chat');
      await page.getByText('Background', { exact: true }).click();
      const hint = page.getByText(said[name][0] ?? '');
      await hint.waitFor();
      expect((await hint.textContent())?.includes('A run works on it in the background')).toBe(name !== 'off');
      await page.unroute('**/runtime/sandbox');
    }
  });

  it('says why a run waits, and follows it through every step, aloud only when its status changes', async () => {
    const job = await record('Wait for it');
    await page.goto(`/runs/${job.id}`);
    await page.getByText('Nothing on this deployment can execute runs of this kind yet.').waitFor();
    await page.getByText('Queued', { exact: true }).first().waitFor();
    await page
      .getByRole('definition')
      .filter({ hasText: /^Chat$/ })
      .waitFor();
    const limits = { memory: 'cgroup', processes: 'cgroup', disk: 'watchdog', cpu: 'cgroup', time: 'timer' };
    const started = await move(
      job,
      begin,
      {
        kind: 'job.progress',
        body: {
          attempt: 1,
          progress: { type: 'began', model: 'service/auto', tools: 1, sandbox: 'bubblewrap', limits },
        },
      },
      { kind: 'job.progress', body: { attempt: 1, progress: { type: 'tool.started', step: 1, tool: 'bash' } } },
    );
    await page.getByText('Running', { exact: true }).waitFor();
    await page.getByRole('status').filter({ hasText: 'The run has started.' }).waitFor();
    await page.getByText('in progress').waitFor();
    await page
      .getByRole('definition')
      .filter({ hasText: 'bubblewrap; memory, processes and cpu by cgroup, disk by watchdog, time by a timer' })
      .getByText('Weak limit on disk:')
      .waitFor();
    const elapsed = page.locator('.elapsed').first();
    const seen = await elapsed.textContent();
    await expect.poll(() => elapsed.textContent()).not.toBe(seen);
    await expect.poll(() => page.getByText('Nothing on this deployment can execute').count()).toBe(0);
    await move(
      started,
      {
        kind: 'job.progress',
        body: { attempt: 1, progress: { type: 'tool.ended', step: 1, tool: 'bash', exit: 3, ms: 1_500 } },
      },
      { kind: 'job.completed', body: { attempt: 1 }, result: { text: '## Found\n\n- one **thing**' } },
    );
    await page.getByText('exit code 3 · 1.5 s').waitFor();
    await page.getByRole('status').filter({ hasText: 'The run is complete.' }).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'one thing' }).locator('strong').waitFor();
    await expect.poll(() => page.locator('[aria-live] .step, output .step').count()).toBe(0);
  });

  const step = (progress: Record<string, string | number | boolean | string[]>) =>
    ({ kind: 'job.progress', body: { attempt: 1, progress } }) as const;

  it('says that it waits for the model, and shows what a command prints while it runs', async () => {
    const waiting = await move(
      await record('Look alive'),
      begin,
      step({ type: 'model.started', step: 1, model: 'gpt-5' }),
    );
    await page.goto(`/runs/${waiting.id}`);
    const figures = page.getByRole('region', { name: 'Time and cost' });
    await figures.getByText(/^Waiting for the model, \d+ s$/).waitFor();
    await figures.getByText('0, 1 in progress').waitFor();
    await figures.getByText('None yet').waitFor();
    await page.getByRole('heading', { name: 'Waiting for the model' }).waitFor();
    await takePictures(page, 'run-waiting');

    let text = 'one line\n';
    await page.route('**/runtime/jobs/*/output', (route) =>
      route.fulfill({ json: { output: { event: waiting.head.index + 2, from: 0, text } } }),
    );
    const printing = await move(
      waiting,
      step({ type: 'model', step: 1, model: 'gpt-5', inputTokens: 10, outputTokens: 4, costMicros: 1_500 }),
      step({ type: 'tool.started', step: 1, tool: 'bash' }),
    );
    const output = page.getByLabel('Output so far');
    await output.getByText('one line').waitFor();
    text += 'another line\n';
    await output.getByText('another line').waitFor();
    await figures.getByText('$0.0015').waitFor();
    await takePictures(page, 'run-printing');
    await move(printing, step({ type: 'tool.ended', step: 1, tool: 'bash', exit: 0, ms: 250 }), {
      kind: 'job.aborted',
      body: { attempt: 1 },
    });
    await page.getByText('exit code 0').waitFor();
    await output.waitFor({ state: 'detached' });
    await page.unroute('**/runtime/jobs/*/output');
  });

  it('shows its cost against the cap that it is under, and where it was lost and went on', async () => {
    await owner.call('PUT', `/api/organizations/${organization.id}/caps`, {
      subject: { kind: 'member', id: person },
      monthlyUsd: 5,
    });
    const job = await move(
      await record('Spend a little'),
      begin,
      step({ type: 'model', step: 1, model: 'gpt-5', inputTokens: 10, outputTokens: 4, costMicros: 1_250_000 }),
      step({ type: 'tool.started', step: 1, tool: 'bash', call: 'call_1' }),
      { kind: 'job.retried', body: { attempt: 2 } },
      { kind: 'job.progress', body: { attempt: 2, progress: { type: 'began', step: 1, files: true } } },
      {
        kind: 'job.progress',
        body: { attempt: 2, progress: { type: 'tool.ended', step: 1, tool: 'bash', call: 'call_1', unknown: true } },
      },
    );
    await page.goto(`/runs/${job.id}`);
    const figures = page.getByRole('region', { name: 'Time and cost' });
    await figures.getByText(/ is left this month for you$/).waitFor();
    await expect
      .poll(() => figures.getByRole('progressbar', { name: /^This run/ }).getAttribute('aria-valuenow'))
      .toBe('25');
    await page.getByText('Went on at step 2').waitFor();
    await page.getByText('interrupted; how it ended is unknown').waitFor();
    expect(await findFaults(page, 'a run that went on')).toEqual([]);
    const { caps } = await owner.call<{ caps: { id: string }[] }>('GET', `/api/organizations/${organization.id}/caps`);
    for (const { id } of caps) await owner.call('DELETE', `/api/organizations/${organization.id}/caps/${id}`);
    await move(job, { kind: 'job.aborted', body: { attempt: 2 } });
  });

  it('shows the files of an aborted run once they are collected', async () => {
    let artifacts: { name: string; size: number }[] = [];
    await page.route('**/runtime/jobs/*/artifacts', (route) => route.fulfill({ json: { artifacts } }));
    const job = await move(await record('Leave a file and stop'), begin);
    await page.goto(`/runs/${job.id}`);
    await page.getByText('Running', { exact: true }).waitFor();
    await move(job, { kind: 'job.aborted', body: { attempt: 1 } });
    await page.getByText('Aborted', { exact: true }).first().waitFor();
    artifacts = [{ name: 'half.txt', size: 5 }];
    await page.getByRole('button', { name: 'half.txt', exact: true }).waitFor();
    await page.unroute('**/runtime/jobs/*/artifacts');
  });

  it('tells in words what a run did, how long each step took, and what it cost', async () => {
    const job = await move(
      await record('Count the issues'),
      begin,
      step({ type: 'clients', profiles: ['github:service'] }),
      step({ type: 'model', step: 1, model: 'gpt-5', inputTokens: 1_200, outputTokens: 34, costMicros: 1_500 }),
      step({ type: 'tool.started', step: 1, tool: 'github--work__list-issues' }),
    );
    await page.goto(`/runs/${job.id}`);
    await page.getByRole('heading', { name: 'Listing issues in GitHub (work)' }).waitFor();
    await page.getByRole('switch', { name: 'Follow' }).click();
    const done = await move(
      job,
      step({ type: 'tool.ended', step: 1, tool: 'github--work__list-issues', ok: true, ms: 250 }),
      step({ type: 'model', step: 2, model: 'gpt-5', inputTokens: 800, outputTokens: 16, costMicros: 2_500 }),
      { kind: 'job.completed', body: { attempt: 1 }, result: { text: 'There are **three**.', cost: 0.004 } },
    );
    await page.getByText('Listed issues in GitHub (work)').waitFor();
    await expect.poll(() => page.getByText('github--work__list-issues').count()).toBe(0);
    await page.getByText('Command-line accounts set up').waitFor();
    await page.getByText('Available: github (service).').waitFor();
    await page.getByText('250 ms').waitFor();
    await page.getByText('1,200 tokens in, 34 out').waitFor();
    const figures = page.getByRole('region', { name: 'Time and cost' });
    await figures.getByText('2,000 in, 50 out').waitFor();
    await figures.getByText('$0.004').waitFor();
    await expect.poll(() => page.getByRole('switch', { name: 'Follow' }).count()).toBe(0);
    await takePictures(page, 'run');

    const other = await move(await record('Count the issues', { model: 'gpt-4.1' }), begin, {
      kind: 'job.failed',
      body: { attempt: 1, code: 'run_step_limit' },
      error: 'It asked the model too often.',
    });
    await page.goto(`/runs/${done.id}`);
    await page.getByRole('button', { name: 'Compare' }).click();
    const dialog = page.getByRole('dialog', { name: 'Compare with another run' });
    await expect.poll(() => dialog.getByLabel('Other run').inputValue()).toBe(other.id);
    await dialog.getByRole('button', { name: 'Compare' }).click();
    await heading(page, 'Compare two runs');
    const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name} `) });
    await row('Outcome').getByText('Completed').waitFor();
    await row('Outcome').getByText('Failed: It asked the model too often.').waitFor();
    await row('Model').getByText('gpt-4.1').waitFor();
    await row('Steps').getByText('Listed issues in GitHub (work)').waitFor();
    await takePictures(page, 'compare');
    await page.getByRole('switch', { name: 'Only differences' }).click();
    await expect.poll(() => row('Objective').count()).toBe(0);
    await page.getByRole('button', { name: 'Swap sides' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('left')).toBe(other.id);
    expect(
      await faultsOf(page, [
        { path: `/runs/compare?left=${done.id}&right=${other.id}`, heading: 'Compare two runs' },
        { path: `/runs/${done.id}`, heading: 'Count the issues' },
      ]),
    ).toEqual([]);
  });

  it('previews the files that a run left, and lets none of them do anything', async () => {
    const job = await move(await record('Leave files'), begin, {
      kind: 'job.completed',
      body: { attempt: 1 },
      result: { text: 'Done.' },
    });
    // Counted where they would arrive: a browser also reports requests that it refused to make.
    const asked: string[] = [];
    const elsewhere = createServer((request, response) => void (asked.push(request.url ?? ''), response.end()));
    await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
    const address = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    const evil = `<h1>Hello</h1><p style="color: red">Red</p><script>document.body.textContent = 'ran'; parent.document.title = 'taken'</script>
      <img src="${address}/pixel.png" onerror="document.body.textContent = 'ran'"><meta http-equiv="refresh" content="0;url=${address}/">`;
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const files: Record<string, string | Buffer> = {
      'notes.md': '# Findings\n\n- one **thing**',
      'page.html': evil,
      'picture.png': png,
      'program.bin': '\0\0',
      'sub/data.csv': 'name,stars\n"web, old",3\n',
      'log.txt': `${'line\n'.repeat(120_000)}the end`,
    };
    await page.route('**/runtime/jobs/*/artifacts', (route) =>
      route.fulfill({
        json: { artifacts: Object.entries(files).map(([name, body]) => ({ name, size: Buffer.byteLength(body) })) },
      }),
    );
    await page.route('**/runtime/jobs/*/artifacts/**', (route) => {
      const name = decodeURIComponent(new URL(route.request().url()).pathname.split('/artifacts/')[1] ?? '');
      return route.fulfill({ body: files[name] ?? '', contentType: 'application/octet-stream' });
    });
    await page.goto(`/runs/${job.id}`);
    const preview = (name: string) => page.getByRole('button', { name: `Preview ${name}` }).click();
    await preview('notes.md');
    await page.getByRole('heading', { name: 'Findings' }).waitFor();
    await preview('sub/data.csv');
    await page.getByRole('cell', { name: 'web, old' }).waitFor();
    await takePictures(page, 'files');
    await preview('picture.png');
    const picture = page.getByRole('img', { name: 'Preview of picture.png' });
    await expect.poll(() => picture.evaluate<number, { naturalWidth: number }>((image) => image.naturalWidth)).toBe(1);
    await preview('log.txt');
    await page.getByText('The first 512 kB of 600 kB.').waitFor();
    await expect.poll(() => page.getByText('the end').count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'Preview program.bin' }).count()).toBe(0);
    await preview('page.html');
    const frame = page.frameLocator('iframe[title="Preview of page.html"]');
    await frame.getByRole('heading', { name: 'Hello' }).waitFor();
    await expect.poll(() => page.locator('iframe').getAttribute('sandbox')).toBe('');
    await takePictures(page, 'html');
    await expect.poll(() => frame.getByText('ran', { exact: true }).count()).toBe(0);
    expect(await page.title()).not.toBe('taken');
    await fetch(`${address}/reachable`);
    expect(asked).toEqual(['/reachable']);
    elsewhere.close();
    await page.getByRole('button', { name: 'Show source' }).click();
    await page.getByText('parent.document.title').waitFor();
    await page.unroute('**/runtime/jobs/*/artifacts');
    await page.unroute('**/runtime/jobs/*/artifacts/**');
  });

  it('ends a run only after asking, and tells why one failed', async () => {
    const aborting = await move(await record('Never mind'), begin);
    await page.goto(`/runs/${aborting.id}`);
    await page.getByRole('button', { name: 'Abort' }).click();
    await page.getByRole('dialog', { name: 'Abort this run?' }).getByRole('button', { name: 'Abort' }).click();
    await page.getByText('Aborted', { exact: true }).first().waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Abort' }).count()).toBe(0);

    const failing = await move(await record('Too much', { model: 'gpt-4.1', fundingWorkspaceId: home }), begin, {
      kind: 'job.failed',
      body: { attempt: 1, code: 'run_step_limit' },
      error: 'It asked the model too often.',
    });
    await page.goto(`/runs/${failing.id}`);
    await page.getByText('It asked the model too often.').waitFor();
    await page.getByText('Took', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Run again with changes' }).click();
    const dialog = page.getByRole('dialog', { name: 'Start a run' });
    await expect.poll(() => dialog.getByLabel('Objective').inputValue()).toBe('Too much');
    await expect.poll(() => dialog.getByLabel('Kind').inputValue()).toBe('chat');
    await expect.poll(() => dialog.getByLabel('Paid by').inputValue()).toBe(home);
    await expect.poll(() => dialog.getByLabel('Workspace', { exact: true }).inputValue()).toBe(home);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });

  it('refuses to show a run whose record was changed, with the sentence that says where', async () => {
    const job = await move(await record('Tampered'), begin);
    await app.query(
      `set session_replication_role = replica; update receipt set body = replace(body, '"attempt":1', '"attempt":2') where stream = '${streamOf(job)}' and idx = 1`,
    );
    await page.goto(`/runs/${job.id}`);
    const sentence = `Service runtime refused to replay invalid chain for stream '${streamOf(job)}': hash_mismatch at index 1`;
    await page.getByText(sentence).waitFor();
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('The chain is broken at receipt 1').waitFor();
    await page.getByRole('button', { name: 'Abort' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Abort' }).click();
    await page.getByRole('dialog').getByText(sentence).waitFor();
  });

  it('filters by status, kind and workspace in the address, and pages through the rest', async () => {
    lab = await createWorkspace(owner, organization, 'Lab');
    await record('In the lab', { workspaceId: lab.id, kind: 'codex' });
    for (let n = 0; n < 31; n++) await record(`Number ${n}`);
    await page.goto('/runs');
    await list().getByRole('link', { name: 'Number 30' }).waitFor();
    await expect.poll(() => list().getByRole('link', { name: 'In the lab' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Load more' }).click();
    await list().getByRole('link', { name: 'In the lab' }).waitFor();
    // Every run that waits says why.
    await list()
      .getByRole('listitem')
      .filter({ hasText: 'In the lab' })
      .getByText('Nothing on this deployment can execute runs of this kind yet.')
      .waitFor();

    await page.getByLabel('Status').selectOption('failed');
    await list().getByRole('link', { name: 'Too much' }).waitFor();
    await expect
      .poll(() =>
        list()
          .getByRole('link', { name: /^Number/ })
          .count(),
      )
      .toBe(0);
    await page.reload();
    await list().getByRole('link', { name: 'Too much' }).waitFor();
    await expect.poll(() => page.getByLabel('Status').inputValue()).toBe('failed');
    await page.getByLabel('Kind').selectOption('codex');
    await page.getByText('No runs match').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await list().getByRole('link', { name: 'Number 30' }).waitFor();
    await page.getByLabel('Workspace', { exact: true }).selectOption('lab');
    await expect.poll(() => list().getByRole('link').count()).toBe(1);
    await expect.poll(() => new URL(page.url()).searchParams.get('in')).toBe('lab');
  });

  it('shows what colleagues start as it happens, and only where one is a member', async () => {
    const colleague = await app.visitSignedIn(app.newPerson('Cole League'));
    const { user } = await colleague.call<{ user: { id: string; email: string } }>('GET', '/api/me');
    await owner.call('POST', `/api/organizations/${organization.id}/members`, { email: user.email, role: 'member' });
    await colleague.page.goto(`/runs?org=${organization.slug}`);
    const theirs = colleague.page.getByRole('list', { name: 'Runs, latest first' });
    await theirs.getByRole('link', { name: 'Number 30' }).waitFor();
    await expect.poll(() => theirs.getByRole('link', { name: 'In the lab' }).count()).toBe(0);

    const secret = await record('Secret of the lab', { workspaceId: lab.id });
    const shared = await record('For everybody');
    await theirs.getByRole('link', { name: 'For everybody' }).waitFor();
    await move(shared, begin);
    await theirs.getByRole('listitem').filter({ hasText: 'For everybody' }).getByText('Running').waitFor();
    await expect.poll(() => theirs.getByRole('link', { name: 'Secret of the lab' }).count()).toBe(0);
    await colleague.page.goto(`/runs/${secret.id}?org=${organization.slug}`);
    await heading(colleague.page, 'Run not found');
    await colleague.context.close();
  });

  it('is reached with the keyboard', async () => {
    await page.goto('/receipts');
    await heading(page, 'Receipts');
    await page.keyboard.press('g');
    await page.keyboard.press('b');
    await heading(page, 'Runs');
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    await palette.waitFor();
    await page.keyboard.type('Start a run');
    await palette.getByText('Start a run', { exact: true }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Start a run' }).waitFor();
    await expect.poll(() => page.evaluate<string>('document.activeElement.tagName')).toBe('TEXTAREA');
  });

  it('has no fault that axe can find, in light and dark, and fits a phone', async () => {
    const done = await move(
      await record('A run of many words, '.repeat(12)),
      begin,
      { kind: 'job.progress', body: { attempt: 1, progress: { type: 'tool.ended', tool: 'bash', exit: 1, ms: 3 } } },
      { kind: 'job.failed', body: { attempt: 1 }, error: 'No.' },
    );
    const faults = await faultsOf(page, [
      { path: '/runs', heading: 'Runs' },
      { path: '/runs', heading: 'Runs', open: (opened) => opened.getByRole('button', { name: 'Start a run' }).click() },
      { path: `/runs/${done.id}`, heading: /^A run of many words/ },
    ]);
    expect(faults).toEqual([]);
  });
});
