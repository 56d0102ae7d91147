import type { Hono } from 'hono';
import { DASHBOARD_CSS, DASHBOARD_JS } from './dashboard-assets.ts';
import { dashboardPage } from './dashboard-page.ts';
import { describeFigures } from './dashboard-view.ts';
import type { RuntimeFigures } from './figures.ts';

const PAGE_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};
const FILE_HEADERS = { 'cache-control': 'no-cache' };

/** The page and what it loads. It asks nobody who they are and shows counts only. */
export function mountDashboard(app: Hono, figures: () => Promise<RuntimeFigures>): void {
  app.get('/runtime', async (c) => c.html(dashboardPage(describeFigures(await figures())), 200, PAGE_HEADERS));
  app.get('/runtime/figures', async (c) => {
    const now = await figures();
    return c.json({ figures: now, view: describeFigures(now) }, 200, PAGE_HEADERS);
  });
  app.get('/runtime/dashboard.css', (c) => c.body(DASHBOARD_CSS, 200, { ...FILE_HEADERS, 'content-type': 'text/css; charset=utf-8' }));
  app.get('/runtime/dashboard.js', (c) => c.body(DASHBOARD_JS, 200, { ...FILE_HEADERS, 'content-type': 'text/javascript; charset=utf-8' }));
}
