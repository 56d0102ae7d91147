// The dashboard as HTML. It reads without a script, which then only keeps it current. Addresses are relative:
// the page lives at /runtime of the runtime and at /runtime/runtime of the gateway.
import { html, raw } from 'hono/html';
import type { Cell, DashboardView } from './dashboard-view.ts';

type Markup = ReturnType<typeof html>;

const TILES: readonly { name: keyof DashboardView['values']; label: string; line?: true }[] = [
  { name: 'database', label: 'Database round trip' },
  { name: 'pool', label: 'Connections in use' },
  { name: 'perMinute', label: 'Receipts a minute', line: true },
  { name: 'receipts', label: 'Receipts' },
  { name: 'streams', label: 'Receipt streams' },
  { name: 'checkpoint', label: 'Last checkpoint' },
  { name: 'jobsQueued', label: 'Runs queued' },
  { name: 'jobsRunning', label: 'Runs under way' },
  { name: 'jobsPerMinute', label: 'Runs ended in a minute' },
  { name: 'jobsEnded', label: 'Runs ended in 24 hours' },
  { name: 'leases', label: 'Tasks in hand at the broker' },
  { name: 'uptime', label: 'Up for' },
];

const ROLE_HEADS = ['Role', 'Health', 'Running', 'Lost', 'Task group', 'Runs at once', 'Binds a port'];
const GROUP_HEADS = ['Task group', 'Streams', 'In hand', 'Waiting', 'Why'];
const WAITING_HEADS = ['Queued runs', 'Runs', 'Why'];
const PROCESS_HEADS = [
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
];

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
${table('roles', 'Roles', ROLE_HEADS, view.roles, 'No figures: the database does not answer.')}
${table('groups', 'Task groups', GROUP_HEADS, view.groups, 'No figures: the broker does not answer, or has none.')}
${table('waiting', 'Why runs wait', WAITING_HEADS, view.waiting, 'No run waits.')}
${table('processes', 'Processes', PROCESS_HEADS, view.processes, 'No process has announced itself.')}
</main>
</body>
</html>
`;
}

function table(
  name: string,
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly Cell[])[],
  empty: string,
): Markup {
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
