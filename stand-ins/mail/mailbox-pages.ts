import type { KeptMail } from './kept-mails.ts';

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 720px; margin: 0 auto; padding: 24px 16px; }
p.label { padding: 8px 12px; border-radius: 8px; background: light-dark(#fff4d6, #3a3012); font-size: 14px; }
ul { list-style: none; padding: 0; }
li { border-top: 1px solid light-dark(#e5e7eb, #374151); padding: 12px 0; }
li a { font-weight: 600; overflow-wrap: anywhere; }
small, dt { color: light-dark(#4b5563, #9ca3af); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; }
dd { margin: 0; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; border: 1px solid light-dark(#e5e7eb, #374151); border-radius: 8px; padding: 16px; }
iframe { width: 100%; height: 480px; border: 1px solid light-dark(#e5e7eb, #374151); border-radius: 8px; background: #fff; }
`;
const LABEL = 'Local mailbox: what the service would have sent. Nothing leaves this machine.';

export function listPage(mails: readonly KeptMail[]): string {
  const rows = mails.map(
    ({ id, subject, to, at }) =>
      `<li><a href="/mails/${id}">${escape(subject)}</a><br><small>${escape(to.join(', '))} · <time datetime="${at}">${shown(at)}</time></small></li>`,
  );
  return page(
    'Mailbox',
    rows.length === 0 ? '<p>No mail yet.</p>' : `<ul aria-label="Mails, the newest first">${rows.join('')}</ul>`,
  );
}

export function mailPage({ id, subject, from, to, at, text, html }: KeptMail): string {
  return page(
    subject,
    `<dl><dt>From</dt><dd>${escape(from)}</dd><dt>To</dt><dd>${escape(to.join(', '))}</dd><dt>Time</dt><dd><time datetime="${at}">${shown(at)}</time></dd></dl>
${html === '' ? '' : `<iframe title="As HTML" src="/mails/${id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`}
<h2>As text</h2><pre>${linked(text)}</pre><p><a href="/">All mails</a></p>`,
  );
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)} – Local mailbox</title><style>${STYLE}</style></head>
<body><p class="label">${LABEL}</p><h1>${escape(title)}</h1>
${body}
</body></html>
`;
}

const shown = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;

function linked(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, at) =>
      at % 2 === 1 ? `<a href="${escape(part)}" target="_blank" rel="noreferrer">${escape(part)}</a>` : escape(part),
    )
    .join('');
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
