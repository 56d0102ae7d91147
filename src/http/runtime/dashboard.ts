import type { Context } from 'hono';
import { type PlainRoutes, strangerOf } from '../shell/plain-routes.ts';
import { DASHBOARD_CSS, DASHBOARD_JS } from './dashboard-assets.ts';
import { dashboardPage } from './dashboard-page.ts';
import { describeFigures } from './dashboard-view.ts';
import type { RuntimeFigures } from './figures.ts';

const PAGE_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};
const FILE_HEADERS = { 'cache-control': 'no-cache' };

/** The page and its assets. It needs no authentication and shows only counts. */
export function mountDashboard(routes: PlainRoutes, figures: () => Promise<RuntimeFigures>): void {
  const show = async (c: Context): Promise<Response> =>
    c.html(dashboardPage(describeFigures(await figures())), 200, PAGE_HEADERS);
  const tell = async (c: Context): Promise<Response> => {
    const now = await figures();
    return c.json({ figures: now, view: describeFigures(now) }, 200, PAGE_HEADERS);
  };
  const file = (content: string, type: string) => (c: Context) =>
    c.body(content, 200, { ...FILE_HEADERS, 'content-type': `${type}; charset=utf-8` });
  const open = { method: 'GET', identify: strangerOf } as const;
  routes.on({ ...open, path: '/runtime', cost: 'database', handle: show });
  routes.on({ ...open, path: '/runtime/figures', cost: 'database', handle: tell });
  routes.on({ ...open, path: '/runtime/dashboard.css', cost: 'cheap', handle: file(DASHBOARD_CSS, 'text/css') });
  routes.on({ ...open, path: '/runtime/dashboard.js', cost: 'cheap', handle: file(DASHBOARD_JS, 'text/javascript') });
}
