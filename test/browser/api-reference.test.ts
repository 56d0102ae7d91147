// /docs/api: the interface for people, from the very service that they look at.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { faultsOf } from '../support/browser/axe.ts';
import {
  describeInBrowser,
  heading,
  openWebApp,
  type Visitor,
  type WebAppUnderTest,
} from '../support/browser/browser.ts';

describeInBrowser('the reference of the HTTP interface', () => {
  let app: WebAppUnderTest;
  let visitor: Visitor;
  const elsewhere: string[] = [];
  const complaints: string[] = [];
  beforeAll(async () => {
    app = await openWebApp();
    visitor = await app.visit();
    visitor.page.on(
      'request',
      (request) => new URL(request.url()).origin === new URL(app.url).origin || elsewhere.push(request.url()),
    );
    visitor.page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  });
  afterAll(() => app?.close());

  it('shows every route without signing in, and loads nothing from elsewhere', async () => {
    const { page } = visitor;
    await page.goto('/docs/api');
    await heading(page, 'HTTP interface');
    const { paths } = await visitor.call<{ paths: Record<string, object> }>('GET', '/openapi.json');
    const routes = Object.values(paths).flatMap((operations) => Object.keys(operations)).length;
    await page.getByRole('status').getByText(`${routes} routes`).waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: /^(?:GET|POST|PUT|PATCH|DELETE) \// }).count())
      .toBe(routes);
    expect([elsewhere, complaints]).toEqual([[], []]);
  });

  it('is searched and opened by keyboard alone', async () => {
    const { page } = visitor;
    await page.goto('/docs/api');
    await page.getByRole('searchbox', { name: 'Search routes' }).focus();
    await page.keyboard.type('POST /v1/embeddings');
    await page.getByRole('status').getByText('1 route', { exact: true }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Answer 200' }).waitFor();
    await page.getByText('x-service-credential').waitFor();
    await page.getByRole('searchbox', { name: 'Search routes' }).fill('no such words');
    await page.getByText('No routes match.').waitFor();
  });

  it('opens the route that its address names', async () => {
    const { page } = visitor;
    await page.goto('/docs/api#postConnectCall');
    await page.getByRole('rowheader', { name: 'connection required' }).waitFor();
    await page.goto('about:blank');
    await page.goto('/docs/api#postV1Responses');
    await page.getByRole('rowheader', { name: 'input required' }).waitFor();
  });

  it('has no fault that axe can find, in light and dark, and fits a narrow screen', async () => {
    expect(await faultsOf(visitor.page, [{ path: '/docs/api#postApiChat', heading: 'HTTP interface' }])).toEqual([]);
  });
});
