// The dashboard's style and script, served as separate files so that the page's content security policy can forbid
// inline code.

export const DASHBOARD_CSS = `
:root {
  color-scheme: light dark;
  --ground: #f6f7f9; --sheet: #ffffff; --ink: #16191d; --soft: #596270; --rule: #dfe3e8;
  --good: #0b6b3a; --good-ground: #e2f4ea; --bad: #a4161a; --bad-ground: #fde8e8; --line: #2f6fde;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #101317; --sheet: #181c22; --ink: #e8ebef; --soft: #9aa4b2; --rule: #2a313a;
    --good: #6fdc9e; --good-ground: #12301f; --bad: #ff9d9d; --bad-ground: #3a1618; --line: #7aa8ff;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
header, main { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; padding-top: 1.75rem; padding-bottom: 1.25rem; }
h1 { margin: 0; font-size: 1.375rem; font-weight: 650; letter-spacing: -.01em; }
header p { margin: 0; }
.at { margin-left: auto; color: var(--soft); font-variant-numeric: tabular-nums; }
.stale .at::after { content: " · not current, trying again"; color: var(--bad); }
.tiles { display: grid; grid-template-columns: repeat(2, 1fr); gap: .75rem; margin: 0 0 1.25rem; }
@media (min-width: 56rem) { .tiles { grid-template-columns: repeat(4, 1fr); } }
.tiles > div { position: relative; background: var(--sheet); border: 1px solid var(--rule); border-radius: .625rem; padding: .75rem 1rem; min-height: 5rem; overflow: hidden; }
dt { color: var(--soft); font-size: .8125rem; }
dd { margin: 0; font-size: 1.25rem; font-weight: 600; font-variant-numeric: tabular-nums; }
dd .good, dd .bad { padding: 0; background: none; }
.line { position: absolute; inset: auto 0 0 50%; height: 2.25rem; opacity: .75; }
.line svg { display: block; width: 100%; height: 100%; }
polyline { fill: none; stroke: var(--line); stroke-width: 1.5; vector-effect: non-scaling-stroke; stroke-linejoin: round; }
.scroll { background: var(--sheet); border: 1px solid var(--rule); border-radius: .625rem; margin-bottom: 1.25rem; overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .75rem 1rem .5rem; }
th, td { text-align: left; padding: .5rem 1rem; white-space: nowrap; border-top: 1px solid var(--rule); }
thead th { color: var(--soft); font-size: .8125rem; font-weight: 500; }
tbody th { font-weight: 600; }
[data-rows=waiting] td:last-child, [data-rows=groups] td:last-child { white-space: normal; min-width: 16rem; }
.empty { margin: 0; padding: .75rem 1rem; color: var(--soft); border-top: 1px solid var(--rule); }
.good, .bad { padding: .0625rem .5rem; border-radius: 1rem; }
.good { color: var(--good); background: var(--good-ground); }
.bad { color: var(--bad); background: var(--bad-ground); }
:focus-visible { outline: 2px solid var(--line); outline-offset: 2px; }
`;

export const DASHBOARD_JS = `
const EVERY_MS = 2000;
const TIMEOUT_MS = 8000;
const { fetch: get } = window;
const one = (selector) => document.querySelector(selector);

function cell({ text, tone = 'plain' }) {
  const span = document.createElement('span');
  span.className = tone;
  span.textContent = text;
  return span;
}

// An element is updated only if its text changed, so that a screen reader announces news and not the clock.
function show(place, value) {
  if (place && (place.textContent !== value.text || place.firstElementChild?.className !== (value.tone ?? 'plain'))) place.replaceChildren(cell(value));
}

function showRows(name, rows) {
  const body = one('[data-rows=' + name + ']');
  while (body.rows.length > rows.length) body.deleteRow(-1);
  rows.forEach((cells, at) => {
    const row = body.rows[at] ?? body.insertRow();
    cells.forEach((value, column) => {
      if (!row.cells[column]) {
        const made = document.createElement(column === 0 ? 'th' : 'td');
        if (column === 0) made.scope = 'row';
        row.append(made);
      }
      show(row.cells[column], value);
    });
  });
  one('[data-empty=' + name + ']').hidden = rows.length > 0;
}

async function update() {
  const answer = await get('runtime/figures', { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!answer.ok) throw new Error('status ' + answer.status);
  const { view } = await answer.json();
  show(one('[data-status]'), view.status);
  document.title = 'Runtime · ' + view.status.text;
  one('[data-at]').textContent = view.at;
  for (const [name, value] of Object.entries(view.values)) show(one('[data-value=' + name + ']'), value);
  one('[data-line]').setAttribute('points', view.line);
  showRows('roles', view.roles);
  showRows('groups', view.groups);
  showRows('waiting', view.waiting);
  showRows('processes', view.processes);
}

async function live() {
  if (!document.hidden) await update().then(() => document.body.classList.remove('stale'), () => document.body.classList.add('stale'));
  setTimeout(live, EVERY_MS);
}
setTimeout(live, EVERY_MS);
`;
