// Receipts in the browser: find a stream, follow it live, verify it, see exactly where it was tampered with, take it away.
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { createAnnouncer } from '../../src/receipts/announce-appends.ts';
import { createReceiptWriter } from '../../src/receipts/receipt-writer.ts';
import { insertRun } from '../../src/runs/record/insert-run.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { findFaults } from '../support/browser/axe.ts';
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
import { takePictures } from '../support/browser/pictures.ts';
import { NARROW, showOn, WIDE, widthOf } from '../support/browser/screen.ts';

describeInBrowser('receipts', () => {
  let app: WebAppUnderTest;
  let db: Database;
  let owner: Visitor;
  let organization: OrganizationUnderTest;
  let page: Page;
  let person: string;
  beforeAll(async () => {
    app = await openWebApp();
    db = await openDatabase({
      url: app.database.url,
      schema: app.database.schema,
      poolMax: 2,
      applicationName: 'test',
      log: quiet,
    });
    owner = await app.visitSignedIn(app.newPerson('Rosa Receipt'));
    organization = await createOrganization(owner, 'Auditors');
    person = (await owner.call<{ user: { id: string } }>('GET', '/api/me')).user.id;
    page = owner.page;
  });
  afterAll(async () => {
    await db?.close();
    await app?.close();
  });

  async function append(workspace: string, count: number, by = person): Promise<void> {
    const announcer = createAnnouncer(db, quiet);
    const writer = createReceiptWriter({
      db,
      clock: systemClock,
      onAppended: (receipts) => announcer.announce(receipts),
    });
    for (let n = 0; n < count; n++)
      await writer.append(`connect/${workspace}`, {
        kind: n % 2 === 0 ? 'tool.called' : 'tool.observed',
        actor: `user:${by}`,
        body: { tool: 'list-issues', n },
      });
    await announcer.flush();
  }
  const appendOne = async (workspace: string, kind: string, body: Record<string, string | number>): Promise<void> => {
    const writer = createReceiptWriter({ db, clock: systemClock });
    await writer.append(`connect/${workspace}`, { kind, actor: `user:${person}`, body });
  };
  /** As anyone with access to the database could. */
  const tamper = (sql: string, stream: string): Promise<unknown> =>
    app.query(`set session_replication_role = replica; ${sql.replaceAll('$1', `'${stream}'`)}`);
  const row = (index: number) => page.locator(`#receipt-${index}`);

  it('says what to do while there are none', async () => {
    await page.goto('/receipts');
    await heading(page, 'Receipts');
    await page.getByText('No receipts yet').waitFor();
    await page.getByRole('link', { name: 'Open the MCP Gateway' }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Open runs' }).getAttribute('href')).toMatch(/^\/runs/);
  });

  it('lists streams by the name of their workspace, shows the links of a chain, and verifies it', async () => {
    const { id } = await createWorkspace(owner, organization, 'Ledger');
    await append(id, 5);
    await page.goto('/receipts');
    await page.getByRole('link', { name: 'Tool calls in Ledger' }).click();
    await heading(page, 'Tool calls in Ledger');
    await expect.poll(() => decodeURIComponent(new URL(page.url()).pathname)).toBe(`/receipts/connect/${id}`);
    await row(4).getByText('You started list-issues').waitFor();
    await expect.poll(() => row(0).getByText('Start of the stream').isVisible()).toBe(false);
    await row(0).getByText('Hash, link and contents').click();
    await row(0).getByText('Start of the stream').waitFor();
    const { rows } = await db.query<{ idx: number; prev: Buffer; hash: Buffer }>(
      'select idx, prev, hash from :schema.receipt where stream = $1 order by idx',
      [`connect/${id}`],
    );
    expect(
      await row(3)
        .locator('code')
        .evaluateAll((codes) => codes.map((code) => (code as unknown as { title: string }).title)),
    ).toEqual([rows[3]?.prev.toString('hex'), rows[3]?.hash.toString('hex')]);
    await row(3).getByText('Hash, link and contents').click();
    await row(3).getByText('"tool":"list-issues"').waitFor();
    await row(3).getByText('tool.observed', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByText('The chain is intact').waitFor();
    await page.getByText('5 receipts checked').waitFor();
    await page.getByRole('button', { name: 'Verify in this browser' }).click();
    await page.getByText('Your browser agrees: the chain is intact').waitFor();
    await page.getByText('computed the hashes and links of all 5 receipts').waitFor();
    await page.reload();
    await heading(page, 'Tool calls in Ledger');
  });

  it('calls colleagues by their names', async () => {
    const visitor = await app.visitSignedIn(app.newPerson('Cora League'));
    const { user } = await visitor.call<{ user: { id: string; email: string } }>('GET', '/api/me');
    await owner.call('POST', `/api/organizations/${organization.id}/members`, { email: user.email, role: 'member' });
    const { id } = await createWorkspace(owner, organization, 'Shared');
    await append(id, 1, user.id);
    await page.goto(`/receipts/${encodeURIComponent(`connect/${id}`)}`);
    await row(0).getByText('Cora League started list-issues').waitFor();
    await visitor.context.close();
  });

  it('follows a stream live', async () => {
    const { id } = await createWorkspace(owner, organization, 'Ticker');
    await append(id, 2);
    await page.goto(`/receipts/${encodeURIComponent(`connect/${id}`)}`);
    await row(1).waitFor();
    await page.getByRole('switch', { name: 'Live' }).click();
    await page.getByText('New receipts appear at the top as they are written.').waitFor();
    await append(id, 2);
    await row(3).getByText('New', { exact: true }).waitFor();
    await expect.poll(() => row(1).getByText('New', { exact: true }).count()).toBe(0);
    expect(
      await page.locator('.receipt').evaluateAll((rows) => rows.map((each) => (each as unknown as { id: string }).id)),
    ).toEqual(['receipt-3', 'receipt-2', 'receipt-1', 'receipt-0']);
    await page.getByRole('switch', { name: 'Live' }).click();
    await append(id, 1);
    await page.reload();
    await row(4).waitFor();
  });

  it.each([
    [
      'Changed',
      "update receipt set body = replace(body, 'list-issues', 'drop-tables') where stream = $1 and idx = 2",
      2,
      'Its contents do not match its hash',
    ],
    ['Taken out', 'delete from receipt where stream = $1 and idx = 1', 1, 'The receipt with this number is missing'],
  ])('shows a fault at its exact place: %s', async (name, sql, index, reason) => {
    const { id } = await createWorkspace(owner, organization, name);
    await append(id, 5);
    await tamper(sql, `connect/${id}`);
    await page.goto(`/receipts/${encodeURIComponent(`connect/${id}`)}`);
    await row(4).waitFor();
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByText(`The chain is broken at receipt ${index}`).waitFor();
    await row(index).getByText(reason).waitFor();
    await expect.poll(() => page.locator('.receipt[data-broken]').count()).toBe(1);
    await page.reload();
    await row(4).waitFor();
    await page.getByRole('button', { name: 'Verify in this browser' }).click();
    await page.getByText(`Your browser found the chain broken at receipt ${index}`).waitFor();
    await row(index).getByText(reason).waitFor();
  });

  it('leads with who did what, where and how it ended, across streams, and narrows it down', async () => {
    const { id, slug } = await createWorkspace(owner, organization, 'Calls');
    const body = { call: 'call_1', provider: 'github', name: 'default', tool: 'list-repositories' };
    await appendOne(id, 'tool.called', body);
    await appendOne(id, 'tool.observed', { ...body, status: 200 });
    await appendOne(id, 'tool.failed', { ...body, provider: 'slack', tool: 'post-message', status: 404 });
    await insertRun(db, {
      organizationId: organization.id,
      workspaceId: id,
      createdBy: person,
      actor: `user:${person}`,
      kind: 'chat',
      objective: 'Count the open issues',
      waitingReason: 'sandbox_engine_unavailable',
    });
    const list = page.getByRole('list', { name: 'Activity, latest first' });
    const shown = (): Promise<string[]> => list.locator('.found-text').allTextContents();
    await page.goto(`/receipts?in=${slug}`);
    await expect
      .poll(shown)
      .toEqual([
        'You started a run: Count the open issues',
        'You called post-message in Slack: failed (404)',
        'You called list-repositories in GitHub: succeeded (200)',
      ]);
    await takePictures(page, 'receipts');
    const filters = page.getByRole('search', { name: 'Filters' });
    await filters.getByLabel('App').selectOption('GitHub');
    await expect.poll(shown).toEqual(['You called list-repositories in GitHub: succeeded (200)']);
    await filters.getByLabel('Show').selectOption('Every receipt');
    await expect
      .poll(shown)
      .toEqual(['You called list-repositories in GitHub: succeeded (200)', 'You started list-repositories in GitHub']);
    await expect.poll(() => new URL(page.url()).search).toContain('app=github');
    await filters.getByLabel('From').fill('2099-01-01');
    await page.getByText('No receipts match').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await filters.getByLabel('Show').selectOption('Runs that were started');
    await list.getByRole('link', { name: 'You started a run: Count the open issues' }).click();
    await heading(page, 'Run: Count the open issues');
    await row(0).waitFor();
  });

  it('leads to a fault far down a long stream', async () => {
    const { id } = await createWorkspace(owner, organization, 'Long');
    await append(id, 130);
    await tamper(
      "update receipt set body = replace(body, 'list-issues', 'drop-tables') where stream = $1 and idx = 7",
      `connect/${id}`,
    );
    await page.goto(`/receipts/${encodeURIComponent(`connect/${id}`)}`);
    await row(129).waitFor();
    await expect.poll(() => row(79).count()).toBe(0);
    await page.getByRole('button', { name: 'Load earlier receipts' }).click();
    await row(79).waitFor();
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByRole('link', { name: 'Show receipt 7' }).click();
    await row(7).getByText('Its contents do not match its hash').waitFor();
    await page.getByRole('link', { name: 'Show the latest' }).click();
    await row(129).waitFor();
  });

  it('hands out an export', async () => {
    const { id } = await createWorkspace(owner, organization, 'Takeaway');
    await append(id, 3);
    await page.goto(`/receipts/${encodeURIComponent(`connect/${id}`)}`);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe(`connect-${id}.receipts.jsonl`);
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n');
    expect(lines).toHaveLength(4);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ format: 'receipt-stream/v1', stream: `connect/${id}` });
  });

  it('hides the streams of others, and keeps its tokens out of storage and addresses', async () => {
    const stranger = await app.visitSignedIn(app.newPerson('Sid Stranger'));
    await createOrganization(stranger, 'Others');
    const { workspaces } = await owner.call<{ workspaces: { id: string }[] }>(
      'GET',
      `/api/organizations/${organization.id}/workspaces`,
    );
    await stranger.page.goto(`/receipts/${encodeURIComponent(`connect/${workspaces[0]?.id}`)}`);
    await heading(stranger.page, 'Stream not found');
    await stranger.context.close();
    expect(
      await page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])'),
    ).not.toMatch(/eyJ/);
  });

  it('has no fault that axe can find, in light and dark, and fits a phone', async () => {
    const { id } = await createWorkspace(owner, organization, 'Everybody');
    await append(id, 3);
    await tamper('delete from receipt where stream = $1 and idx = 1', `connect/${id}`);
    const faults: string[] = [];
    for (const path of ['/receipts', `/receipts/${encodeURIComponent(`connect/${id}`)}`]) {
      await page.goto(path);
      await page
        .getByText(/Tool calls in/)
        .first()
        .waitFor();
      if (path !== '/receipts') {
        await page.getByRole('button', { name: 'Verify', exact: true }).click();
        await page.getByText('The chain is broken at receipt 1').waitFor();
      }
      faults.push(...(await findFaults(page, path)));
      await showOn(page, NARROW);
      await expect.poll(() => widthOf(page)).toBeLessThanOrEqual(NARROW.width);
      await showOn(page, WIDE);
    }
    expect(faults).toEqual([]);
  });
});
