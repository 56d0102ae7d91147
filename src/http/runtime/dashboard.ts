// The dashboard as HTML. It works without a script, which only keeps it up to date. URLs are relative: the page is at
// /runtime of the runtime and at /runtime/runtime of the gateway.
import type { Context } from 'hono';
import { html, raw } from 'hono/html';
import { type PlainRoutes, anonymousSender } from '../shell/plain-routes.ts';
import { DASHBOARD_CSS, DASHBOARD_JS } from './dashboard-assets.ts';
import { type Cell, type DashboardView, describeFigures } from './dashboard-view.ts';
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
  const open = { method: 'GET', identify: anonymousSender } as const;
  routes.on({ ...open, path: '/runtime', cost: 'database', handle: show });
  routes.on({ ...open, path: '/runtime/figures', cost: 'database', handle: tell });
  routes.on({ ...open, path: '/runtime/dashboard.css', cost: 'cheap', handle: file(DASHBOARD_CSS, 'text/css') });
  routes.on({ ...open, path: '/runtime/dashboard.js', cost: 'cheap', handle: file(DASHBOARD_JS, 'text/javascript') });
}

type Markup = ReturnType<typeof html>;

const TILES: readonly { name: keyof DashboardView['values']; label: string; line?: true }[] = [
  { name: 'database', label: 'Database round trip' },
  { name: 'pool', label: 'Connections in use' },
  { name: 'perMinute', label: 'Receipts per minute', line: true },
  { name: 'receipts', label: 'Receipts' },
  { name: 'streams', label: 'Receipt streams' },
  { name: 'checkpoint', label: 'Last checkpoint' },
  { name: 'jobsQueued', label: 'Runs queued' },
  { name: 'jobsRunning', label: 'Runs in progress' },
  { name: 'jobsPerMinute', label: 'Runs ended per minute' },
  { name: 'jobsEnded', label: 'Runs ended in the last 24 hours' },
  { name: 'leases', label: 'Tasks held by processes' },
  { name: 'uptime', label: 'Up for' },
];

const ROLES: Table = {
  name: 'roles',
  caption: 'Roles',
  heads: ['Role', 'Health', 'Running', 'Lost', 'Task group', 'Concurrent runs', 'Binds a port'],
  empty: 'Not available: the database does not respond.',
};
const GROUPS: Table = {
  name: 'groups',
  caption: 'Task groups',
  heads: ['Task group', 'Streams', 'In hand', 'Waiting', 'Why'],
  empty: 'Not available: the broker does not respond, or provides no figures.',
};
const WAITING: Table = {
  name: 'waiting',
  caption: 'Why runs are waiting',
  heads: ['Queued runs', 'Runs', 'Why'],
  empty: 'No runs are waiting.',
};
const PROCESSES: Table = {
  name: 'processes',
  caption: 'Processes',
  heads: [
    'Role',
    'State',
    'Host',
    'Process id',
    'Version',
    'Task group',
    'Up for',
    'Last seen',
    'Memory',
    'Processor',
    'Loop delay',
  ],
  empty: 'No processes are registered.',
};

export function dashboardPage(view: DashboardView): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Runtime · ${view.status.text}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="runtime/dashboard.css">
<noscript><meta http-equiv="refresh" content="5"></noscript>
<script type="module" src="runtime/dashboard.js"></script>
</head>
<body>
<header>
<h1>Runtime</h1>
<p class="status" role="status" data-status>${cell(view.status)}</p>
<p class="at">Version <span data-value="version">${cell(view.values.version)}</span> · as of <span data-at>${view.at}</span></p>
</header>
<main>
<dl class="tiles">${TILES.map(
    ({ name, label, line }) => html`
<div><dt>${label}</dt><dd data-value="${name}">${cell(view.values[name])}</dd>${line ? html`<dd class="line"><svg viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true"><polyline data-line points="${view.line}"/></svg></dd>` : ''}</div>`,
  )}
</dl>
${table(ROLES, view.roles)}
${table(GROUPS, view.groups)}
${table(WAITING, view.waiting)}
${table(PROCESSES, view.processes)}
</main>
</body>
</html>
`;
}

interface Table {
  readonly name: string;
  readonly caption: string;
  readonly heads: readonly string[];
  /** Shown when there are no rows. */
  readonly empty: string;
}

function table({ name, caption, heads, empty }: Table, rows: readonly (readonly Cell[])[]): Markup {
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0">
<table>
<caption>${caption}</caption>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody data-rows="${name}">${rows.map(
    (row) => html`
<tr>${row.map((one, column) => (column === 0 ? html`<th scope="row">${cell(one)}</th>` : html`<td>${cell(one)}</td>`))}</tr>`,
  )}</tbody>
</table>
<p class="empty" data-empty="${name}"${raw(rows.length > 0 ? ' hidden' : '')}>${empty}</p>
</div>`;
}

function cell({ text, tone = 'plain' }: Cell): Markup {
  return html`<span class="${tone}">${text}</span>`;
}
