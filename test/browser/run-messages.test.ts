// What is said to runs in the browser: to one that works, to one that has ended, on its page and under its card in a chat.
// The runs are moved by hand, receipt by receipt, except those that go on, which the demo models work on.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAnnouncer } from '../../src/receipts/announce-appends.ts';
import { insertRun } from '../../src/runs/record/insert-run.ts';
import { appendRunReceipt, type RunReceiptDraft } from '../../src/runs/record/move-run.ts';
import { type Run, streamOf } from '../../src/runs/record/run.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { faultsOf } from '../support/browser/axe.ts';
import {
  describeInBrowser,
  heading,
  openAsOwner,
  type OrganizationUnderTest,
  type Visitor,
  type WebAppUnderTest,
} from '../support/browser/browser.ts';
import { takePictures } from '../support/browser/pictures.ts';
import { quiet } from '../support/database.ts';
import { leaveOut } from '../support/needs.ts';
import { sandboxSkipReason } from '../support/sandbox/sandbox.ts';

describeInBrowser('messages to runs', () => {
  let app: WebAppUnderTest;
  let owner: Visitor;
  let organization: OrganizationUnderTest;
  let page: Page;
  let db: Database;
  let person: string;
  let home: string;
  openAsOwner('Faye Follower', 'Followers', (at) => ({ app, owner, organization, page } = at));
  beforeAll(async () => {
    const { url, schema } = app.database;
    db = await openDatabase({ url, schema, poolMax: 2, applicationName: 'test', log: quiet });
    person = (await owner.call<{ user: { id: string } }>('GET', '/api/me')).user.id;
    const { workspaces } = await owner.call<{ workspaces: { id: string; kind: string }[] }>(
      'GET',
      `/api/organizations/${organization.id}/workspaces`,
    );
    home = workspaces.find(({ kind }) => kind === 'default')?.id ?? '';
  });
  afterAll(() => db?.close());

  async function announce(run: Run): Promise<void> {
    const announcer = createAnnouncer(db, quiet);
    announcer.announce([{ stream: streamOf(run) }]);
    await announcer.flush();
  }
  /** A run that nothing executes. */
  async function record(objective: string): Promise<Run> {
    const { run } = await insertRun(db, {
      organizationId: organization.id,
      workspaceId: home,
      createdBy: person,
      actor: `user:${person}`,
      kind: 'chat',
      objective,
      waitingReason: 'sandbox_engine_unavailable',
    });
    return run;
  }
  async function move(from: Run, ...drafts: Omit<RunReceiptDraft, 'actor'>[]): Promise<Run> {
    let run = from;
    for (const draft of drafts)
      run = (await appendRunReceipt(db, run, { actor: 'system:worker-chat', ...draft })) ?? expect.unreachable();
    await announce(run);
    return run;
  }
  const begin = { kind: 'job.started', body: { attempt: 1 } } as const;
  const complete = (text: string) => ({ kind: 'job.completed', body: { attempt: 1 }, result: { text } }) as const;
  const field = (on = page) => on.getByRole('textbox', { name: 'Message to the run' });
  const waiting = () => page.getByRole('list', { name: 'Messages to the run' });

  it('are shown as waiting until the run has read them', async () => {
    let run = await record('Count the issues');
    await page.goto(`/runs/${run.id}`);
    await page.getByText('The run reads your message when it begins.').waitFor();
    run = await move(run, begin);
    await page.getByText('The run reads your message before its next step.').waitFor();
    await field().fill('Leave out\nthe closed ones');
    await field().press('Shift+Enter');
    await field().press('Enter');
    const message = waiting().getByRole('listitem').filter({ hasText: 'Leave out' });
    await message.getByText('Not read yet').waitFor();
    await page.getByRole('status').filter({ hasText: 'Your message is waiting for the run.' }).waitFor();
    await expect.poll(() => field().inputValue()).toBe('');
    await takePictures(page, 'waiting-message');

    // What is typed survives a reload.
    await field().fill('And then');
    await page.reload();
    await message.waitFor();
    await expect.poll(() => field().inputValue()).toBe('And then');

    await move(run, {
      kind: 'job.progress',
      body: { attempt: 1, progress: { type: 'message', message: 'msg_1', number: 1 } },
      seen: 1,
    });
    await waiting().waitFor({ state: 'hidden' });
  });

  it('are said once when the answer is lost and they are sent again', async () => {
    const run = await move(await record('Hear it once'), begin);
    await page.goto(`/runs/${run.id}`);
    await page.route(
      '**/messages',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await field().fill('Only once');
    await field().press('Enter');
    await page.getByRole('alert').waitFor();
    await field().press('Enter');
    await expect.poll(() => field().inputValue()).toBe('');
    const said = waiting().getByRole('listitem');
    await expect.poll(() => said.allInnerTexts()).toHaveLength(1);
    // The same words are said again once they are known to have arrived.
    await field().fill('Only once');
    await field().press('Enter');
    await expect.poll(() => said.count()).toBe(2);
  });

  it('that a run did not read before it ended are shown so, and can be taken up again', async () => {
    const run = await move(await record('End at once'), begin);
    await page.goto(`/runs/${run.id}`);
    await field().fill('Too late');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await waiting().getByText('Not read yet').waitFor();
    await move(run, { kind: 'job.failed', body: { attempt: 1 }, error: 'No.' });
    await waiting().getByText('Not read: the run ended first').waitFor();
    await page.getByRole('button', { name: 'Take up again' }).click();
    await expect.poll(() => field().inputValue()).toBe('Too late');
    await page.getByText(/^Your message starts a new run/).waitFor();
  });

  it('start a new run once the run has ended, and both are one conversation', leaveOut(sandboxSkipReason), async () => {
    const first = await move(await record('Name a color'), begin, complete('Blue it is.'));
    await page.goto(`/runs/${first.id}`);
    await field().fill('And a second one');
    await field().press('Enter');
    await heading(page, 'And a second one');
    const earlier = page.getByRole('article', { name: 'Earlier run: Name a color' });
    await earlier.getByText('Blue it is.').waitFor();
    await takePictures(page, 'earlier-run');
    await earlier.getByRole('link', { name: 'Open run' }).click();
    await heading(page, 'Name a color');
    const later = page.getByRole('article', { name: 'Later run: And a second one' });
    await later.getByText('Completed').waitFor({ timeout: 60_000 });
    await later.getByRole('link', { name: 'Open run' }).click();
    await heading(page, 'And a second one');
  });

  it('are for the person who started the run while it works, and for everyone once it has ended', async () => {
    const colleague = await app.visitSignedIn(app.newPerson('Cole League'));
    const { user } = await colleague.call<{ user: { email: string } }>('GET', '/api/me');
    await owner.call('POST', `/api/organizations/${organization.id}/members`, { email: user.email, role: 'member' });
    const run = await move(await record('Mine'), begin);
    await colleague.page.goto(`/runs/${run.id}?org=${organization.slug}`);
    await colleague.page.getByText(/^Only the person who started this run can speak to it while it works/).waitFor();
    await expect.poll(() => field(colleague.page).isDisabled()).toBe(true);
    await move(run, complete('Done.'));
    await expect.poll(() => field(colleague.page).isEnabled()).toBe(true);
    await colleague.context.close();
  });

  it('answer a run under its card in a chat', leaveOut(sandboxSkipReason), async () => {
    await page.goto('/chat');
    await page.getByRole('radiogroup', { name: 'Response mode' }).getByText('Background').click();
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Write a haiku');
    await page.keyboard.press('Enter');
    const card = page.getByRole('region', { name: 'Background run' }).first();
    await card.getByText('Completed').waitFor({ timeout: 60_000 });
    await card.getByRole('button', { name: 'Reply' }).click();
    await expect.poll(() => page.evaluate<string>('document.activeElement.ariaLabel')).toBe('Message to the run');
    await page.keyboard.type('Another one');
    await page.keyboard.press('Enter');
    const next = page.getByRole('region', { name: 'Background run' }).nth(1);
    await next.getByText('Completed').waitFor({ timeout: 60_000 });
    await page
      .getByRole('paragraph')
      .filter({ hasText: /^Another one$/ })
      .waitFor();
    await takePictures(page, 'card');
  });

  it('have no fault that axe can find, in light and dark, and fit a phone', async () => {
    const first = await move(
      await record(`Earlier ${'words '.repeat(30)}`),
      begin,
      complete('An answer. '.repeat(200)),
    );
    const { run: second } = await insertRun(db, {
      organizationId: organization.id,
      workspaceId: home,
      createdBy: person,
      actor: `user:${person}`,
      kind: 'chat',
      objective: 'Later words',
      continues: first.id,
      waitingReason: 'sandbox_engine_unavailable',
    });
    await page.goto(`/runs/${second.id}`);
    await field().fill('Wait for me');
    await field().press('Enter');
    await waiting().waitFor();
    const faults = await faultsOf(page, [
      {
        path: `/runs/${first.id}`,
        heading: /^Earlier words/,
        act: (opened) => opened.getByText('Later words').waitFor(),
      },
      {
        path: `/runs/${second.id}`,
        heading: 'Later words',
        act: (opened) => opened.getByText('An answer.').first().waitFor(),
      },
    ]);
    expect(faults).toEqual([]);
  });
});
