// What a run changed in its repository, on its page: files and diffs in both layouts, long ones in pieces, comments on
// lines; with a keyboard, on a phone, and with names and lines that mean something to a browser.
import { readFile } from 'node:fs/promises';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Changes } from '../../src/contract/patches/run-changes.ts';
import { appendRunReceipt } from '../../src/runs/record/move-run.ts';
import { insertRun } from '../../src/runs/record/insert-run.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { faultsOf } from '../support/browser/axe.ts';
import {
  createOrganization,
  describeInBrowser,
  heading,
  openWebApp,
  type Visitor,
  type WebAppUnderTest,
} from '../support/browser/browser.ts';
import { quiet } from '../support/database.ts';
import { takePictures } from '../support/browser/pictures.ts';

const HOSTILE = '<img src=x onerror="document.title=1">';
const LONG = 5_000;
const SMALL = `diff --git a/README b/README
index 1111111..2222222 100644
--- a/README
+++ b/README
@@ -1,3 +1,3 @@ Title
 one
-two
+2
 three
diff --git "a/${HOSTILE.replaceAll('"', '\\"')}" "b/${HOSTILE.replaceAll('"', '\\"')}"
new file mode 100644
--- /dev/null
+++ "b/${HOSTILE.replaceAll('"', '\\"')}"
@@ -0,0 +1 @@
+${HOSTILE}
`;
const MANY = `diff --git a/long b/long
new file mode 100644
--- /dev/null
+++ b/long
@@ -0,0 +1,${LONG} @@
${Array.from({ length: LONG }, (_, at) => `+line ${at + 1}`).join('\n')}
`;

describeInBrowser('the changes of a run', () => {
  let app: WebAppUnderTest;
  let db: Database;
  let owner: Visitor;
  let page: Page;
  let path: string;
  beforeAll(async () => {
    app = await openWebApp();
    const { url, schema } = app.database;
    db = await openDatabase({ url, schema, poolMax: 2, applicationName: 'test', log: quiet });
    owner = await app.visitSignedIn(app.newPerson('Dora Differ'));
    const organization = await createOrganization(owner, 'Differs');
    const { user } = await owner.call<{ user: { id: string } }>('GET', '/api/me');
    const { workspaces } = await owner.call<{ workspaces: { id: string; kind: string }[] }>(
      'GET',
      `/api/organizations/${organization.id}/workspaces`,
    );
    const { run } = await insertRun(db, {
      organizationId: organization.id,
      workspaceId: workspaces.find(({ kind }) => kind === 'default')?.id ?? '',
      createdBy: user.id,
      actor: `user:${user.id}`,
      kind: 'chat',
      objective: 'Change the repository',
      waitingReason: 'sandbox_engine_unavailable',
    });
    const actor = 'system:worker-chat';
    const started = await appendRunReceipt(db, run, { kind: 'job.started', actor, body: { attempt: 1 } });
    await appendRunReceipt(db, started ?? expect.unreachable(), {
      kind: 'job.completed',
      actor,
      body: { attempt: 1 },
      result: { text: 'Done.' },
    });
    path = `/runs/${run.id}`;
    page = owner.page;
  });
  afterAll(async () => {
    await db?.close();
    await app?.close();
  });

  /** As the runtime answers for a run that has changes. */
  async function serve(on: Page, changes: Partial<Changes>, patch: string): Promise<void> {
    const whole: Changes = {
      repository: 'acme/app',
      base: 'b'.repeat(40),
      total: { files: 2, additions: 2, deletions: 1 },
      files: [
        { path: 'README', status: 'modified', additions: 1, deletions: 1 },
        { path: HOSTILE, status: 'added', additions: 1, deletions: 0 },
      ],
      patch: { sha256: 'a'.repeat(64), bytes: patch.length },
      ...changes,
    };
    await on.route('**/runtime/jobs/*', async (route: Route) => {
      const answer = await route.fetch();
      const { job } = (await answer.json()) as { job: object };
      await route.fulfill({ json: { job: { ...job, changes: whole.total } } });
    });
    await on.route('**/runtime/jobs/*/changes', (route: Route) =>
      route.request().headers()['accept'] === 'text/x-diff'
        ? route.fulfill({ contentType: 'text/x-diff', body: patch })
        : route.fulfill({ json: whole }),
    );
  }
  const diff = (on: Page, name = 'README') => on.getByRole('region', { name: `What changed in ${name}` });

  it('are shown file by file, in one column or side by side, which is remembered', async () => {
    await serve(page, {}, SMALL);
    await page.goto(path);
    await heading(page, 'Change the repository');
    await page.getByText('2 files in acme/app, compared with bbbbbbbbbbbb. 2 lines added, 1 deleted.').waitFor();
    await diff(page).getByText('two', { exact: true }).waitFor();
    await diff(page, HOSTILE).getByText(HOSTILE, { exact: true }).waitFor();
    expect(await page.title()).not.toBe('1');
    await expect.poll(() => diff(page).locator('.diff-side').count()).toBe(0);
    await takePictures(page, 'run-changes');
    await page.getByText('Side by side', { exact: true }).click();
    await expect.poll(() => diff(page).locator('.diff-side').count()).toBe(6);
    await takePictures(page, 'run-changes-split');
    await page.reload();
    await expect.poll(() => diff(page).locator('.diff-side').count()).toBe(6);
    await page.getByRole('button', { name: 'Hide README' }).click();
    await expect.poll(() => diff(page).count()).toBe(0);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download patch' }).click();
    expect(await readFile(await (await downloading).path(), 'utf8')).toBe(SMALL);
    await page.getByText('One column', { exact: true }).click();
  });

  it('take comments on lines with the keyboard, which become a message to the run', async () => {
    await page.unrouteAll();
    await serve(page, {}, SMALL);
    await page.goto(path);
    await diff(page)
      .getByRole('button', { name: /^1\s+comment on this line/ })
      .focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByLabel('Comment', { exact: true }).fill('Keep the word.');
    await page.getByRole('button', { name: 'Add comment' }).click();
    await page.getByText('Added to your message below.').waitFor();
    const message = page.getByRole('textbox', { name: 'Message to the run' });
    await expect.poll(() => message.inputValue()).toBe('README, deleted line 2:\n> two\nKeep the word.');
    expect(await faultsOf(page, [{ path, heading: 'Change the repository' }])).toEqual([]);
    await message.fill('');
  });

  it('are closed where they are long, and drawn in pieces', async () => {
    await page.unrouteAll();
    await serve(
      page,
      {
        total: { files: 4_000, additions: LONG, deletions: 0 },
        files: [{ path: 'long', status: 'added', additions: LONG, deletions: 0 }],
        patch: { sha256: 'a'.repeat(64), bytes: MANY.length, cut: true },
      },
      MANY,
    );
    await page.goto(path);
    await page.getByText('The patch has only the first files').waitFor();
    await page.getByText('3,999 more files are not listed').waitFor();
    await page.getByRole('button', { name: 'Show long' }).click();
    await diff(page, 'long').getByText('line 1', { exact: true }).waitFor();
    await expect.poll(() => diff(page, 'long').locator('.diff-row').count()).toBeLessThan(1_000);
    await diff(page, 'long').locator('> :last-child').scrollIntoViewIfNeeded();
    await diff(page, 'long').getByText(`line ${LONG}`, { exact: true }).waitFor();
  });

  it('can be read on a phone, in one column', async () => {
    const phone = await app.visit({
      viewport: { width: 360, height: 740 },
      locale: 'de-DE',
      storageState: await owner.context.storageState(),
    });
    await serve(phone.page, {}, SMALL);
    await phone.page.goto(path);
    await phone.page.getByRole('heading', { name: 'Änderungen' }).waitFor();
    await phone.page.getByRole('region', { name: 'Was sich in README geändert hat' }).waitFor();
    await expect.poll(() => phone.page.getByText('Nebeneinander').count()).toBe(0);
    await expect
      .poll(() => phone.page.evaluate<number>('document.documentElement.scrollWidth'))
      .toBeLessThanOrEqual(360);
    await phone.context.close();
  });
});
