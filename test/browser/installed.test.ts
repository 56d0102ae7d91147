// The app as an installed one: what its service worker keeps, what it shows without a connection, and what it notifies
// of, which is nothing until a person asks for it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findFaults } from '../support/browser/axe.ts';
import {
  createOrganization,
  describeInBrowser,
  heading,
  openWebApp,
  type WebAppUnderTest,
} from '../support/browser/browser.ts';
import { ask, askThrough, whole } from '../support/browser/chat-page.ts';
import { freePort } from '../support/free-port.ts';
import { leaveOut } from '../support/needs.ts';
import { type RuntimeProcess, startRuntime } from '../support/runs/runtime-process.ts';
import { sandboxSkipReason } from '../support/sandbox/sandbox.ts';
import { copyBuild } from '../support/stack/copy-build.ts';

const SECRET = 'a question that is nobody else’s business';

/** Everything that the browser keeps for the origin by a worker: addresses and texts. */
const KEPT = `(async () => {
  const kept = [];
  for (const name of await caches.keys())
    for (const request of await (await caches.open(name)).keys())
      kept.push({ path: new URL(request.url).pathname, text: await (await caches.match(request)).text() });
  return kept;
})()`;

/** The browser's own notifications, written down; and whether anybody looks, which a test decides. */
const FAKE_NOTIFICATIONS = `
  window.asked = 0;
  window.shown = [];
  window.Notification = class extends EventTarget {
    static permission = localStorage.getItem('fake-permission') ?? 'default';
    static async requestPermission() {
      window.asked += 1;
      localStorage.setItem('fake-permission', 'granted');
      return (this.permission = 'granted');
    }
    constructor(title, { body, data }) {
      super();
      window.shown.push({ title, body, data });
    }
    close() {}
  };
  Object.defineProperty(document, 'visibilityState', { get: () => (window.away ? 'hidden' : 'visible') });
  document.hasFocus = () => !window.away;
`;

describeInBrowser('the installed app', () => {
  let app: WebAppUnderTest;
  beforeAll(async () => {
    app = await openWebApp();
  });
  afterAll(() => app?.close());

  it('keeps files of the build and a page for no connection, and nothing of a person', async () => {
    const visitor = await app.visitSignedIn(app.newPerson('Ina Install'), { serviceWorkers: 'allow' });
    const { page, context } = visitor;
    await createOrganization(visitor, 'Installers');
    await page.goto('/chat');
    await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true);
    await page.reload();
    await askThrough(page, SECRET);
    await page.goto('/account');
    await heading(page, 'Account');

    await page.getByRole('button', { name: /^Account:/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await heading(page, 'Sign in');
    const kept = await page.evaluate<{ path: string; text: string }[]>(KEPT);
    expect(kept.some(({ path }) => path.startsWith('/assets/'))).toBe(true);
    expect(kept.map(({ path }) => path).filter((path) => !path.startsWith('/assets/'))).toEqual([
      '/offline.html',
      '/before-paint.js',
    ]);
    expect(kept.filter(({ text }) => /Ina Install|Installers|nobody else/.test(text))).toEqual([]);

    await context.setOffline(true);
    await page.goto('/chat');
    await heading(page, 'No connection');
    expect(await findFaults(page, 'the offline page')).toEqual([]);
    await page.evaluate("localStorage.setItem('language', 'de'); localStorage.setItem('color-scheme', 'dark')");
    await page.goto('/runs');
    await heading(page, 'Keine Verbindung');
    await expect.poll(() => page.getByText('No connection').isVisible()).toBe(false);
    await expect.poll(() => page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(25, 24, 22)');
    await context.setOffline(false);
    await page.getByRole('link', { name: 'Noch einmal versuchen' }).click();
    await heading(page, 'Anmelden');
    await context.close();
  });

  it('is taken over by a newer build while it is open, and only the page of the older one says so', async () => {
    const newer = await copyBuild();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const serve = async (build?: string): Promise<RuntimeProcess> => {
      const environment = {
        SERVICE_UPSTREAM_DB: app.database.url,
        SERVICE_DB_SCHEMA: 'two_builds',
        SERVICE_WEB_PORT: String(port),
        SERVICE_PUBLIC_URL: url,
        AUTH_SECRET: 'the-auth-secret-of-two-builds',
      };
      const web = startRuntime(environment, 'web', build);
      await web.said('web server is listening');
      return web;
    };
    let web = await serve();
    try {
      await newer.changeApp();
      const { context, page } = await app.visit({ baseURL: url, serviceWorkers: 'allow' });
      for (const [path, data] of [
        ['/api/auth/sign-up/email', app.newPerson('Ute Upgrade')],
        ['/api/organizations', { name: 'Upgrading' }],
      ] as const)
        expect((await context.request.post(path, { headers: { origin: url }, data })).ok()).toBe(true);
      await page.goto('/account');
      await heading(page, 'Account');
      await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true);
      const before = await page.evaluate<string[]>('caches.keys()');

      await web.stop('SIGTERM');
      web = await serve(newer.dist);
      // Opening a page makes the browser look for a newer worker.
      const later = await context.newPage();
      await later.goto('/account');
      const notice = 'A new version is available.';
      await page.getByText(notice).waitFor();
      await heading(later, 'Account');
      await expect.poll(() => later.getByText(notice).count()).toBe(0);
      const kept = ['build 0000000000000000'];
      await expect.poll(() => page.evaluate('caches.keys()')).toEqual(kept);
      expect(before).not.toEqual(kept);
      await page.getByRole('button', { name: 'Reload', exact: true }).click();
      await page.getByText(notice).waitFor({ state: 'detached' });
      await heading(page, 'Account');
      await context.close();
    } finally {
      await web.stop('SIGTERM');
      await newer.remove();
    }
  });

  it('says what it is to a browser that installs it, in both languages', async () => {
    const { context } = await app.visit();
    const get = (path: string) => context.request.get(path);
    for (const [path, shortcuts] of [
      ['/manifest.webmanifest', ['New chat', 'Runs']],
      ['/manifest.de.webmanifest', ['Neuer Chat', 'Läufe']],
    ] as const) {
      const answer = await get(path);
      expect(answer.headers()['content-type']).toBe('application/manifest+json; charset=utf-8');
      const manifest = (await answer.json()) as {
        id: string;
        start_url: string;
        icons: { src: string; sizes: string; type: string; purpose?: string }[];
        shortcuts: { name: string; url: string }[];
      };
      expect(manifest).toMatchObject({ id: '/', scope: '/', display: 'standalone' });
      expect(manifest.shortcuts.map(({ name }) => name)).toEqual(shortcuts);
      expect(manifest.icons.some(({ purpose }) => purpose === 'maskable')).toBe(true);
      for (const { src, sizes, type } of manifest.icons) {
        const icon = await get(src);
        expect(icon.headers()['content-type']).toBe(type);
        // The width and height of a PNG stand at fixed places.
        const bytes = await icon.body();
        if (type === 'image/png') expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes);
      }
    }
    const worker = await get('/service-worker.js');
    expect(worker.headers()).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
    });
    expect(await worker.text()).not.toContain('__BUILD__');
    expect((await get('/apple-touch-icon.png')).headers()['content-type']).toBe('image/png');
    await context.close();
  });

  it('notifies by choice only: of answers and, without a title unless that is chosen too, of runs', async () => {
    const visitor = await app.visitSignedIn(app.newPerson('Nora Notice'));
    const { page, context } = visitor;
    await context.addInitScript(FAKE_NOTIFICATIONS);
    await createOrganization(visitor, 'Noticing');
    const shown = () => page.evaluate<{ title: string; body?: string; data: string }[]>('window.shown');
    await page.goto('/chat');
    await page.evaluate('window.away = true');
    await askThrough(page, 'Write some code');
    await expect.poll(() => shown()).toEqual([]);

    // Nothing was asked for on arrival, nor by the answer.
    await expect.poll(() => page.evaluate('window.asked')).toBe(0);
    await page.getByText('Background', { exact: true }).click();
    await page.getByRole('button', { name: 'Tell me when it ends' }).click();
    await page.getByText('You will be notified when it ends.').waitFor();
    await expect.poll(() => page.evaluate('window.asked')).toBe(1);
    await page.getByRole('radiogroup', { name: 'Response mode' }).getByText('Answer').click();
    await ask(page, 'Make a list');
    await expect
      .poll(shown)
      .toEqual([{ title: 'An answer is complete', body: undefined, data: expect.stringMatching(/^\/chat\/thr_/) }]);

    await page.goto('/account');
    await heading(page, 'Account');
    await expect.poll(() => page.getByRole('switch', { name: 'Notify me on this device' }).isChecked()).toBe(true);
    await page.getByRole('switch', { name: 'Show the title of the chat or the objective of the run' }).click();
    expect(await findFaults(page, 'the account')).toEqual([]);
    await page.goto('/chat');
    await page.evaluate('window.away = true');
    await ask(page, 'Write some code');
    await whole(page);
    await expect.poll(async () => (await shown()).map(({ body }) => typeof body)).toEqual(['string']);

    await page.goto('/account');
    await page.getByRole('switch', { name: 'Notify me on this device' }).click();
    await page.goto('/chat');
    await page.evaluate('window.away = true');
    await askThrough(page, 'Make a list');
    await expect.poll(() => shown()).toEqual([]);
    await context.close();
  });

  it('notifies of the end of a run that was started here', leaveOut(sandboxSkipReason), async () => {
    const visitor = await app.visitSignedIn(app.newPerson('Rudi Runs'));
    const { page, context } = visitor;
    await context.addInitScript(FAKE_NOTIFICATIONS);
    await createOrganization(visitor, 'Running');
    await page.goto('/runs');
    await page.getByRole('button', { name: 'Start a run' }).click();
    const dialog = page.getByRole('dialog', { name: 'Start a run' });
    await dialog.getByLabel('Objective').fill('Write a report about nothing');
    await dialog.getByRole('button', { name: 'Tell me when it ends' }).click();
    await dialog.getByText('You will be notified when it ends.').waitFor();
    await dialog.getByRole('button', { name: 'Start run' }).click();
    await page.evaluate('window.away = true');
    await expect
      .poll(() => page.evaluate('window.shown'), { timeout: 60_000 })
      .toEqual([{ title: 'A run has finished', data: expect.stringMatching(/^\/runs\/job_/) }]);
    await context.close();
  });
});
