// The pages of the local provider: plain HTML, each labelled as a demo. The only script is on the page that reports a
// failure: it notifies the window that embeds it, as a real provider's Connect UI does.
import { createHash } from 'node:crypto';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; background: light-dark(#f4f5f7, #16181d); color: light-dark(#1c1f26, #eceef2); }
main { max-width: 26rem; margin: 8vh auto; padding: 2rem; background: light-dark(#fff, #1f232b); border-radius: 12px; }
h1 { font-size: 1.35rem; margin: 0 0 .75rem; }
label { display: block; margin: 1rem 0 .25rem; font-weight: 600; }
input { box-sizing: border-box; width: 100%; padding: .6rem; font: inherit; border: 1px solid light-dark(#767b86, #8a909c); border-radius: 8px; background: transparent; color: inherit; }
button, a.button { display: inline-block; margin: 1.25rem .5rem 0 0; padding: .6rem 1.1rem; font: inherit; font-weight: 600; border-radius: 8px; border: 1px solid light-dark(#1d4ed8, #93b4ff); cursor: pointer; text-decoration: none; }
button.primary, a.primary { background: light-dark(#1d4ed8, #93b4ff); color: light-dark(#fff, #10131a); }
button.plain { background: transparent; color: inherit; }
:focus-visible { outline: 3px solid light-dark(#1d4ed8, #93b4ff); outline-offset: 2px; }
p.label { margin: 0 0 1.25rem; padding: .5rem .75rem; font-size: .875rem; border-radius: 8px; background: light-dark(#fff4d6, #3a3012); }
p.quiet { color: light-dark(#555b66, #b3b9c4); font-size: .9rem; }
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
export const LABEL = 'Local integration provider: for development and demo';

/** Repeated, because the embedding window may start listening late. */
const REFUSED = `setInterval(()=>parent.postMessage({type:'error',payload:{errorType:'unknown_error',errorMessage:'Nothing was connected'}},'*'),500)`;
const REFUSED_HASH = createHash('sha256').update(REFUSED).digest('base64');

export interface Page {
  readonly title: string;
  /** Safe HTML: text must have gone through escapeHtml. */
  readonly body: string;
  readonly status?: number;
  /** Other origins that the page's forms may lead to. */
  readonly formsEndAt?: readonly string[];
  /** Whether to notify the embedding window that nothing was connected. */
  readonly refused?: boolean;
}

export function renderPage({ title, body, status = 200, formsEndAt = [], refused = false }: Page): Response {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main><p class="label">${LABEL}</p><h1>${escapeHtml(title)}</h1>${body}</main>${refused ? `<script>${REFUSED}</script>` : ''}</body></html>`;
  return new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'${refused ? `; script-src 'sha256-${REFUSED_HASH}'` : ''}; form-action 'self' ${formsEndAt.join(' ')}; frame-ancestors 'none'; base-uri 'none'`,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  });
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export function hidden(name: string, value: string): string {
  return `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`;
}

export function connectedPage(app: string, appUrl: string): Response {
  return renderPage({
    title: `${app} is connected`,
    body: `<p>You can close this window, or go back to the app.</p><a class="button primary" href="${escapeHtml(appUrl)}">Back to the app</a>`,
  });
}

export function problemPage(title: string, text: string, status: number): Response {
  return renderPage({ title, body: `<p>${escapeHtml(text)}</p>`, status, refused: true });
}
