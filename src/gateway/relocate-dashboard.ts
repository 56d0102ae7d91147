// The integration provider's dashboard is a web app that assumes it is at the root of its origin: its page loads
// scripts from `/assets`, its router and API calls begin at `/`. Here it is served below a prefix, so its page and the
// files it loads are rewritten on the way out. Nothing else of the provider is: neither its API nor proxied responses.
// Scripts and styles are rewritten while streaming, whatever their size.
import { dashboardScript } from './dashboard-script.ts';
import type { Service } from './service-graph.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface Relocation {
  readonly headers: Headers;
  /** The part of the body that can be sent now. */
  write(chunk: Buffer): Buffer;
  end(): Buffer;
}

interface Asked {
  readonly service: Pick<Service, 'dashboardAt'>;
  readonly method: string | undefined;
  /** The path as the upstream sees it. */
  readonly path: string;
}

/** A pattern and its replacement. A match, including its lookahead, is shorter than what is held back of a chunk. */
interface Rule {
  readonly pattern: RegExp;
  readonly by: (...match: string[]) => string;
}

const HELD_BACK = 128;
const MOST_PAGE_BYTES = 64 * 1024;
const MARK = '<meta name="nango-api-origin"';
/** Requested whole and unencoded, because it is rewritten; the upstream's ETag would be for different bytes. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'accept-encoding',
  'range',
  'if-range',
  'if-none-match',
  'if-modified-since',
]);
const OF_THE_BYTES = ['content-length', 'etag', 'last-modified', 'accept-ranges', 'content-md5', 'digest'];

/** Whether the response to this may have to be rewritten. */
export function mayRelocate({ service, method, path }: Asked): boolean {
  return (
    service.dashboardAt !== undefined &&
    (method === 'GET' || method === 'HEAD') &&
    !path.startsWith('/proxy/') &&
    !path.startsWith('/api/')
  );
}

/** Headers of such a request, names and values in turn. */
export function plainRequest(headers: readonly string[]): string[] {
  return headers.filter((_, i) => !LEFT_OUT.has((headers[i - (i % 2)] ?? '').toLowerCase()));
}

/** How the response is rewritten; undefined if it is passed on unchanged. */
export function findRelocation(asked: Asked, status: number, headers: Headers): Relocation | undefined {
  const { dashboardAt: prefix } = asked.service;
  if (prefix === undefined || !mayRelocate(asked)) return undefined;
  const { location } = headers;
  if (status >= 300 && status < 400 && typeof location === 'string' && /^\/(?!\/)/.test(location))
    return {
      headers: { ...headers, location: prefix + location },
      write: (chunk) => chunk,
      end: () => Buffer.alloc(0),
    };
  if (status !== 200 || headers['content-encoding'] !== undefined) return undefined;
  const type = String(headers['content-type'] ?? '')
    .split(';', 1)[0]
    ?.trim()
    .toLowerCase();
  const plain = withoutBytes(headers);
  if (type === 'text/html') return { headers: plain, ...rewritePage(prefix) };
  if (!asked.path.startsWith('/assets/')) return undefined;
  // Rewritten by this version of the gateway: must not be cached for a year.
  const loaded = { ...plain, 'cache-control': 'private, max-age=3600' };
  if (type === 'text/css') return { headers: loaded, ...rewriteStream([styleRule(prefix)]) };
  return type === 'text/javascript' || type === 'application/javascript'
    ? { headers: loaded, ...rewriteStream(scriptRules(prefix)) }
    : undefined;
}

function withoutBytes(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_BYTES.includes(name)));
}

const styleRule = (prefix: string): Rule => ({
  pattern: /url\((["']?)\/(?!\/)/g,
  by: (_, quote = '') => `url(${quote}${prefix}/`,
});

/** The router's default base, and reads of the page's own path. */
const scriptRules = (prefix: string): Rule[] => [
  { pattern: /\.basename\|\|(["'`])\/\1/g, by: () => `.basename||"${prefix}/"` },
  {
    pattern: /\bwindow\.location\.pathname\b(?!\s{0,8}=[^=])/g,
    by: () => `(window.location.pathname.replace(/^${prefix.replaceAll('/', '\\/')}(?=\\/|$)/,"")||"/")`,
  },
];

/** The page is small, and recognised by a marker: other pages of the provider pass unchanged. */
function rewritePage(prefix: string): Pick<Relocation, 'write' | 'end'> {
  let held: Buffer | undefined = Buffer.alloc(0);
  return {
    write(chunk) {
      if (held === undefined) return chunk;
      held = Buffer.concat([held, chunk]);
      if (held.length <= MOST_PAGE_BYTES) return Buffer.alloc(0);
      const all = held;
      held = undefined;
      return all;
    },
    end() {
      const html = (held ?? Buffer.alloc(0)).toString('latin1');
      if (!html.includes(MARK)) return Buffer.from(html, 'latin1');
      const moved = html
        .replaceAll(/(\s(?:src|href)=["'])\/(?!\/)/g, (_, before: string) => `${before}${prefix}/`)
        .replace(/(<meta name="nango-api-origin" content=")"/, (_, before: string) => `${before}${prefix}"`)
        .replace('<head>', () => `<head><script>${dashboardScript(prefix)}</script>`);
      return Buffer.from(moved, 'latin1');
    },
  };
}

/** Bytes are read as Latin-1, one character each, so that a chunk may end inside a character. */
function rewriteStream(rules: readonly Rule[]): Pick<Relocation, 'write' | 'end'> {
  // The last character sent is kept: a pattern may have a lookbehind.
  let [before, held] = ['', ''];
  const take = (keep: number): Buffer => {
    const text = before + held;
    const safe = text.length - keep;
    let [out, at] = ['', before.length];
    for (const { index, length, by } of findMatches(text, rules)) {
      if (index < at || index >= safe) continue;
      out += text.slice(at, index) + by;
      at = index + length;
    }
    const cut = Math.max(at, safe);
    out += text.slice(at, cut);
    [before, held] = [text.slice(cut - 1, cut), text.slice(cut)];
    return Buffer.from(out, 'latin1');
  };
  return {
    write(chunk) {
      held += chunk.toString('latin1');
      return held.length > HELD_BACK ? take(HELD_BACK) : Buffer.alloc(0);
    },
    end: () => take(0),
  };
}

function findMatches(text: string, rules: readonly Rule[]): { index: number; length: number; by: string }[] {
  return rules
    .flatMap(({ pattern, by }) =>
      [...text.matchAll(pattern)].map((match) => ({ index: match.index, length: match[0].length, by: by(...match) })),
    )
    .sort((a, b) => a.index - b.index);
}
