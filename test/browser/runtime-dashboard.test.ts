import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { findViolations } from '../support/browser/axe.ts';
import { describeInBrowser, launchChromium } from '../support/browser/browser.ts';
import { newSchemaName } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { type RuntimeProcess, startRuntime } from '../support/runs/runtime-process.ts';

let directory: string;
let browser: Browser;
let environment: Record<string, string>;
let api: RuntimeProcess;
let origin: string;
const stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'service-dashboard-'));
  const port = await freePort();
  environment = {
    SERVICE_UPSTREAM_DB: inject('postgresUrl'),
    SERVICE_DB_SCHEMA: newSchemaName(),
    SERVICE_DATA_DIR: directory,
    SERVICE_RUNTIME_PORT: String(port),
  };
  api = startRuntime(environment);
  stops.push(() => api.stop());
  origin = `http://127.0.0.1:${port}`;
  await api.said('running');
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  for (const stop of stops) await stop();
  await rm(directory, { recursive: true, force: true });
});

async function open(
  url: string,
  options: Parameters<Browser['newPage']>[0] = {},
): Promise<{ page: Page; faults: string[] }> {
  const page = await browser.newPage(options);
  const faults: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && faults.push(message.text())));
  page.on('pageerror', (error) => void faults.push(error.message));
  await page.goto(url);
  return { page, faults };
}

const rowOf = (page: Page, table: string, role: string): ReturnType<Page['getByRole']> =>
  page
    .getByRole('table', { name: table })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: role, exact: true }) });

describeInBrowser('the dashboard', () => {
  it('shows a process that starts and stops without being reloaded', async () => {
    const { page, faults } = await open(`${origin}/runtime`);
    await page.getByText('No process of driver').waitFor();
    const driver = startRuntime({ ...environment, SERVICE_PROCESS_ROLE: 'driver' });
    stops.push(() => driver.stop());
    await rowOf(page, 'Processes', 'driver').getByText('running').waitFor();
    await rowOf(page, 'Roles', 'driver').getByText('up').waitFor();
    await driver.stop();
    await rowOf(page, 'Roles', 'driver').getByText('no process').waitFor();
    expect(faults).toEqual([]);
    await page.close();
  });

  it('works behind a prefix that is stripped, as at the gateway', async () => {
    const gateway = createServer((incoming, outgoing) => {
      const path = incoming.url?.replace(/^\/runtime(?=\/)/, '') ?? '/';
      incoming.pipe(
        forward(`${origin}${path}`, { method: incoming.method, headers: incoming.headers }, (answer) =>
          answer.pipe(outgoing.writeHead(answer.statusCode ?? 502, answer.headers)),
        ),
      );
    });
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
    stops.push(() => new Promise((resolve) => (gateway.close(resolve), gateway.closeAllConnections())));
    const { page, faults } = await open(`http://127.0.0.1:${(gateway.address() as AddressInfo).port}/runtime/runtime`);
    const at = page.locator('[data-at]');
    const before = await at.textContent();
    await expect.poll(() => at.textContent(), { timeout: 15_000 }).not.toBe(before);
    await expect
      .poll(() => page.evaluate('getComputedStyle(document.querySelector("table")).borderCollapse'))
      .toBe('collapse');
    expect(faults).toEqual([]);
    await page.close();
  });

  it('reads without JavaScript', async () => {
    const { page } = await open(`${origin}/runtime`, { javaScriptEnabled: false });
    await expect.poll(() => rowOf(page, 'Processes', 'api').getByText('running').isVisible()).toBe(true);
    await page.close();
  });

  it.each(['light', 'dark'] as const)('has no accessibility fault in %s', async (colorScheme) => {
    const context = await browser.newContext({ colorScheme });
    const page = await context.newPage();
    await page.goto(`${origin}/runtime`);
    const violations = await findViolations(page);
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    await context.close();
  });
});
