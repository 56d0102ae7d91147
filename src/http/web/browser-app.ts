// Serves the built browser app. Only files that were in the build when the process started are served, each by its
// exact name, so no request path ever reaches the file system. Pages are for clients that accept HTML: an address of the
// app is served unless `Accept` excludes it, any other address only if `Accept` names HTML, as browsers do when they
// navigate. A program that requests an address that does not exist must not take the app's page for an answer.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, posix, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { isPageAddress } from '../../contract/pages.ts';

export interface BrowserApp {
  /** Undefined if the path is neither a file of the build nor a page that the client accepts. */
  respond(request: Request): Promise<Response | undefined>;
}

const TYPES: Readonly<Record<string, { type: string; compress: boolean }>> = {
  '.html': { type: 'text/html; charset=utf-8', compress: true },
  '.js': { type: 'text/javascript; charset=utf-8', compress: true },
  '.css': { type: 'text/css; charset=utf-8', compress: true },
  '.json': { type: 'application/json; charset=utf-8', compress: true },
  '.map': { type: 'application/json; charset=utf-8', compress: true },
  '.webmanifest': { type: 'application/manifest+json; charset=utf-8', compress: true },
  '.svg': { type: 'image/svg+xml', compress: true },
  '.txt': { type: 'text/plain; charset=utf-8', compress: true },
  '.wasm': { type: 'application/wasm', compress: true },
  '.png': { type: 'image/png', compress: false },
  '.ico': { type: 'image/x-icon', compress: false },
  '.woff2': { type: 'font/woff2', compress: false },
};

const ENCODERS = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: promisify(gzip),
  identity: async (bytes: Buffer) => bytes,
} as const;
type Encoding = keyof typeof ENCODERS;

interface Asset {
  readonly file: string;
  readonly type: string;
  readonly compress: boolean;
  readonly caching: string;
  readonly encoded: Map<Encoding, Promise<{ bytes: Buffer; etag: string }>>;
}

const INDEX = '/index.html';
/** The build compresses better than there is time for here. */
const COMPRESSED = '.br';

/** @param onGone called when a file that was there at startup is gone. */
export async function loadBrowserApp(
  directory: string,
  onGone: (error: unknown) => void = () => {},
): Promise<BrowserApp> {
  const assets = new Map<string, Asset>();
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (!entry.isFile() || entry.name.endsWith(COMPRESSED)) continue;
    const file = join(entry.parentPath, entry.name);
    const path = `/${file
      .slice(directory.length + 1)
      .split(sep)
      .join('/')}`;
    const known = TYPES[extname(path)] ?? { type: 'application/octet-stream', compress: false };
    assets.set(path, { file, ...known, caching: cachingOf(path), encoded: new Map() });
  }

  return {
    async respond(request) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
      const { pathname } = new URL(request.url);
      const asset = assets.get(pathname) ?? (showsPage(pathname, request) ? assets.get(INDEX) : undefined);
      return asset && respondWith(asset, request).catch((error: unknown) => replaced(error, onGone));
    },
  };
}

/** File names under assets/ contain a hash of their content; the page that refers to them must never be cached. */
function cachingOf(path: string): string {
  if (path.startsWith('/assets/')) return 'public, max-age=31536000, immutable';
  return path === INDEX ? 'no-store' : 'no-cache';
}

function showsPage(path: string, { headers }: Request): boolean {
  if (path.startsWith('/assets/') || TYPES[posix.extname(path)] !== undefined) return false;
  const accepted = headers.get('accept') || '*/*';
  return namesType(accepted, 'text/html') || (isPageAddress(path) && namesType(accepted, '*/*'));
}

/** Whether a type is in an Accept header, and not with a weight of zero. */
function namesType(accept: string, type: string): boolean {
  return accept.split(',').some((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return name === type && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}

async function respondWith(asset: Asset, request: Request): Promise<Response> {
  const encoding = asset.compress ? pickEncoding(request.headers.get('accept-encoding') ?? '') : 'identity';
  const { bytes, etag } = await encode(asset, encoding);
  const headers = {
    'content-type': asset.type,
    'cache-control': asset.caching,
    etag,
    ...(asset.compress ? { vary: 'accept-encoding' } : {}),
  };
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers });
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(bytes), {
    headers: {
      ...headers,
      'content-length': String(bytes.length),
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    },
  });
}

/**
 * The build was replaced while the process runs. The restarted process serves the new page, so the client is asked to
 * reload.
 */
function replaced(error: unknown, onGone: (error: unknown) => void): Response {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  onGone(error);
  return new Response('This version of the app has been replaced. Reload the page.\n', {
    status: 503,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', 'retry-after': '5' },
  });
}

function pickEncoding(accepted: string): Encoding {
  if (/\bbr\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(accepted)) return 'br';
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(accepted) ? 'gzip' : 'identity';
}

async function readEncoded(file: string, encoding: Encoding): Promise<Buffer> {
  const built = encoding === 'br' ? await readFile(`${file}${COMPRESSED}`).catch(() => undefined) : undefined;
  return built ?? ENCODERS[encoding](await readFile(file));
}

/** Each file is read and compressed once per encoding; the cache is bounded by the size of the build. */
function encode(asset: Asset, encoding: Encoding): Promise<{ bytes: Buffer; etag: string }> {
  let encoded = asset.encoded.get(encoding);
  if (!encoded) {
    encoded = readEncoded(asset.file, encoding).then((bytes) => ({
      bytes,
      etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    }));
    encoded.catch(() => asset.encoded.delete(encoding));
    asset.encoded.set(encoding, encoded);
  }
  return encoded;
}
