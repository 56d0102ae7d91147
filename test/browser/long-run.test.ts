// A run of 1,000 steps and 10 MB of log, as its page shows it: all of it can be reached, little of it is on the page, and what
// comes new is all that is read. How smoothly it scrolls is printed, not asserted.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Json } from '../../src/base/canonical-json.ts';
import { createAnnouncer } from '../../src/receipts/announce-appends.ts';
import { insertRun } from '../../src/runs/record/insert-run.ts';
import { appendRunReceipt, type RunReceiptDraft } from '../../src/runs/record/move-run.ts';
import { appendRunLog } from '../../src/runs/record/run-log.ts';
import { type Run, streamOf } from '../../src/runs/record/run.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { findFaults } from '../support/browser/axe.ts';
import { describeInBrowser, heading, openAsOwner, type OwnersApp } from '../support/browser/browser.ts';
import { NARROW, showOn, WIDE, widthOf } from '../support/browser/screen.ts';
import { quiet } from '../support/database.ts';

const STEPS = 1_000;
const OUTPUT_BYTES = 10_000;

describeInBrowser('a long run', () => {
  let { app, owner, organization, page } = {} as OwnersApp;
  let db: Database;
  let run: Run;
  openAsOwner('Lena Long', 'Longrunners', (at) => ({ app, owner, organization, page } = at));
  beforeAll(async () => {
    const { url, schema } = app.database;
    db = await openDatabase({ url, schema, poolMax: 2, applicationName: 'test', log: quiet });
    const { user } = await owner.call<{ user: { id: string } }>('GET', '/api/me');
    const { workspaces } = await owner.call<{ workspaces: { id: string; kind: string }[] }>(
      'GET',
      `/api/organizations/${organization.id}/workspaces`,
    );
    ({ run } = await insertRun(db, {
      organizationId: organization.id,
      workspaceId: workspaces.find(({ kind }) => kind === 'default')?.id ?? '',
      createdBy: user.id,
      actor: `user:${user.id}`,
      kind: 'chat',
      objective: 'Work through a thousand steps',
      waitingReason: 'sandbox_engine_unavailable',
    }));
    await append({ kind: 'job.started', body: { attempt: 1 } });
    for (let step = 1; step <= STEPS; step++) await takeStep(step);
    // Nobody else is to work on it.
    await app.query("update job set look_at = now() + interval '1 day' where id = $1", [run.id]);
    await announce();
  }, 240_000);
  afterAll(() => db?.close());

  async function append(draft: Omit<RunReceiptDraft, 'actor'>): Promise<void> {
    run = (await appendRunReceipt(db, run, { actor: 'system:worker-chat', ...draft })) ?? expect.unreachable();
  }
  async function progress(fact: Record<string, Json>, detail?: Json): Promise<void> {
    const digest =
      detail === undefined ? undefined : await appendRunLog(join(app.dataDirectory, 'artifacts', run.id), detail);
    const body = { attempt: 1, progress: { ...fact, ...(digest === undefined ? {} : { detail: { ...digest } }) } };
    await append({ kind: 'job.progress', body });
  }
  async function takeStep(step: number): Promise<void> {
    const call = `call_${step}`;
    const used = { model: 'gpt-5', inputTokens: 1_000, outputTokens: 50, costMicros: 2_000 };
    await progress({ type: 'model', step, ...used }, { text: `Step **${step}**: the next file.` });
    await progress({ type: 'tool.started', step, tool: 'bash', call }, { command: `cat part-${step}.txt` });
    const output = `Part ${step} begins\n${'x'
      .repeat(79)
      .concat('\n')
      .repeat(OUTPUT_BYTES / 80)}`;
    await progress({ type: 'tool.ended', step, tool: 'bash', call, exit: 0, ms: 20 }, { output });
  }
  async function announce(): Promise<void> {
    const announcer = createAnnouncer(db, quiet);
    announcer.announce([{ stream: streamOf(run) }]);
    await announcer.flush();
  }

  const rows = () => page.locator('.steps .step').count();
  const words = (step: number) => page.getByText(`Step ${step}: the next file.`, { exact: true });

  it('has its first steps on the page at once, and the rest when they come near', async () => {
    const begun = performance.now();
    await page.goto(`/runs/${run.id}`);
    await heading(page, 'Work through a thousand steps');
    await words(1).waitFor();
    process.stdout.write(`first step after ${Math.round(performance.now() - begun)} ms, ${await rows()} rows\n`);
    await expect.poll(() => rows()).toBeLessThan(200);
    expect(await findFaults(page, 'a long run')).toEqual([]);
    const tasks = await scrollAlong(page);
    process.stdout.write(
      `scrolled 120 px a frame: ${tasks.length} long tasks, the longest ${Math.round(Math.max(0, ...tasks))} ms\n`,
    );
    await page.keyboard.press('End');
    await words(STEPS).waitFor();
  });

  it('shows what a call printed once it is opened', async () => {
    await expect.poll(() => page.getByText(/^Part 999 begins/).count()).toBe(0);
    const step = page.locator('.step').filter({ hasText: 'cat part-999.txt' });
    await step.locator('summary').focus();
    await page.keyboard.press('Enter');
    await step.getByText(/^Part 999 begins/).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => step.getByText(/^Part 999 begins/).count()).toBe(0);
  });

  it('reads only what is new when a step comes', async () => {
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith('/events')) asked.push(searchParams.get('after') ?? 'all');
    });
    const known = run.head.index;
    await takeStep(STEPS + 1);
    await announce();
    await words(STEPS + 1).waitFor();
    expect(asked.length).toBeGreaterThan(0);
    for (const after of asked) expect(Number(after)).toBeGreaterThanOrEqual(known);
  });

  it('fits a phone', async () => {
    await showOn(page, NARROW);
    await expect.poll(() => widthOf(page)).toBeLessThanOrEqual(NARROW.width);
    await showOn(page, WIDE);
  });
});

/** For 300 frames; answers what the browser calls long tasks meanwhile. */
function scrollAlong(page: Page): Promise<number[]> {
  return page.evaluate<number[]>(`new Promise((resolve) => {
    const tasks = [];
    const seen = new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)));
    seen.observe({ type: 'longtask' });
    let box = document.querySelector('.steps');
    while (box && !(box.scrollHeight > box.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(box).overflowY))) box = box.parentElement;
    box ??= document.scrollingElement;
    let frames = 0;
    const next = () => {
      box.scrollBy({ top: 120, behavior: 'instant' });
      if (++frames < 300) return requestAnimationFrame(next);
      seen.disconnect();
      resolve(tasks);
    };
    requestAnimationFrame(next);
  })`);
}
