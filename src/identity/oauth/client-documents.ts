// Client-id metadata documents: the client id is the https URL of a document that describes the client. Strangers
// choose the URL, so the fetch is bounded in time and size, follows no redirects, and reaches no private address: the
// address that was checked is the one connected to, even if the name resolves differently a moment later.
import { isIP } from 'node:net';
import { Agent, request } from 'undici';
import { lookupPublic } from '../../net/lookup-public.ts';
import { isPrivateAddress } from '../../net/private-address.ts';
import { createLoadingCache } from '../../timing/bounded-cache.ts';
import { type OAuthClient, readClientMetadata } from './oauth-client.ts';
import { OAuthError } from './oauth-error.ts';

export interface ClientDocuments {
  /** Throws `invalid_client` if the document does not exist or may not be used. */
  get(url: string): Promise<OAuthClient>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 5_000;
const SIZE_MAX_BYTES = 32 * 1024;
const KEEP_MS = 5 * 60_000;
const DOCUMENTS_MAX = 500;
const AUTH_METHOD = 'none';

export function createClientDocuments(options: {
  allowPrivateUrls: boolean;
  clientDocuments?: boolean;
  now?: () => number;
}): ClientDocuments {
  const { allowPrivateUrls, clientDocuments = true, now = Date.now } = options;
  const agent = new Agent({
    connections: 4,
    connect: { timeout: TIMEOUT_MS, ...(allowPrivateUrls ? {} : { lookup: lookupPublic }) },
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    maxHeaderSize: 16 * 1024,
  });
  const kept = createLoadingCache<string, OAuthClient>({ most: DOCUMENTS_MAX, ttlMs: KEEP_MS, nowMs: now });

  async function load(url: string): Promise<OAuthClient> {
    if (!clientDocuments)
      throw new OAuthError(
        'invalid_client',
        'This server does not accept client metadata documents: the application must register itself.',
      );
    checkDocumentUrl(url, allowPrivateUrls);
    const document = await fetchJson(url, agent);
    return readDocument(url, document);
  }

  return {
    get: (url) => kept.get(url, () => load(url)),
    close: () => agent.close(),
  };
}

export function checkDocumentUrl(text: string, allowPrivateUrls: boolean): void {
  const refuse = (why: string): never => {
    throw new OAuthError('invalid_client', `A client id that is a URL ${why}.`);
  };
  if (text.length > 2_000 || !URL.canParse(text)) refuse('must be a valid URL');
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowPrivateUrls && url.protocol === 'http:')) refuse('must use https');
  if (url.href !== text || url.hash !== '' || url.username !== '' || url.password !== '')
    refuse('must be in normal form, without a fragment or credentials');
  if (url.pathname === '/') refuse('must have a path');
  if (!allowPrivateUrls && isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0 && isPrivateAddress(url.hostname))
    refuse('must not point to a private address');
}

export function readDocument(url: string, document: unknown): OAuthClient {
  const fields = typeof document === 'object' && document !== null ? (document as Record<string, unknown>) : {};
  if (fields['client_id'] !== url)
    throw new OAuthError('invalid_client', 'The client metadata document must name its own URL as client_id.');
  const method = fields['token_endpoint_auth_method'];
  if ('client_secret' in fields || (method !== undefined && method !== AUTH_METHOD)) {
    throw new OAuthError(
      'invalid_client',
      'Only public clients are supported: token_endpoint_auth_method must be none.',
    );
  }
  return { id: url, ...readClientMetadata(document) };
}

async function fetchJson(url: string, dispatcher: Agent): Promise<unknown> {
  try {
    const { statusCode, body } = await request(url, {
      dispatcher,
      headers: { accept: 'application/json', 'accept-encoding': 'identity' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > SIZE_MAX_BYTES) throw new Error('too large');
      chunks.push(chunk);
    }
    if (statusCode !== 200) throw new Error(`status ${statusCode}`);
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    // The error has no details: it must not describe a network that the caller cannot see.
    throw new OAuthError(
      'invalid_client',
      'The metadata document of the application could not be fetched. This server may not have access to the internet.',
    );
  }
}
