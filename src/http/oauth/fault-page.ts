// An error of the authorize endpoint as a page, because a person in a browser cannot use JSON. It contains only our own
// words and no link: the client would decide where it leads, and the client is not known.
import type { Log } from '../../telemetry/log.ts';
import { OAUTH_ERRORS, type OAuthErrorCode } from '../../identity/oauth/oauth-error.ts';
import { asOAuthError, oauthFailure } from './oauth-response.ts';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;color-scheme:light dark;max-width:34rem;margin:15vh auto;padding:0 1.5rem}h1{font-size:1.4rem}code{font-size:.9em}';

/** What the person can do, if it is more than trying again from the application. */
const ADVICE: Partial<Record<OAuthErrorCode, string>> = {
  invalid_client:
    'The application could not be identified. Sign out of this server in the application and sign in again. If that does not help, the application may accept a token instead: you can create one on your MCP gateway page, under Tokens.',
  temporarily_unavailable: 'Wait a moment, then sign in from the application again.',
};
const DEFAULT_ADVICE = 'Close this page and sign in from the application again.';

export function authorizeFailure(error: unknown, request: Request, log: Log): Response {
  const answer = oauthFailure(error, log);
  if (!asksForPage(request)) return answer;
  const { error: code, message } = asOAuthError(error);
  const headers = new Headers(answer.headers);
  headers.set('content-type', 'text/html; charset=utf-8');
  return new Response(page(message, ADVICE[code] ?? DEFAULT_ADVICE, code), { status: OAUTH_ERRORS[code], headers });
}

function asksForPage({ headers }: Request): boolean {
  return (headers.get('accept') ?? '').includes('text/html');
}

function page(what: string, advice: string, code: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Sign-in failed</title><style>${STYLE}</style></head>
<body><main><h1>The application cannot be signed in</h1><p>${escapeHtml(what)}</p><p>${escapeHtml(advice)}</p><p><small>Error: <code>${escapeHtml(code)}</code></small></p></main></body></html>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
