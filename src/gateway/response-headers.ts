// Response headers of an upstream on their way to the client: without those of the upstream's connection, with the
// request id.
import { withoutNamed } from './client-headers.ts';
import { changesOwnCookie } from './own-credentials.ts';
import type { Service } from './service-graph.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Names and values in turn. Names arrive in lower case; a repeated header arrives as a list. */
export function responseHeaders(headers: Headers, requestId: string, { foreign }: Pick<Service, 'foreign'>): string[] {
  const kept: string[] = [];
  let named = false;
  for (const name in headers) {
    const value = headers[name];
    switch (name) {
      case 'connection':
        named = true;
        break;
      case 'keep-alive':
      case 'proxy-authenticate':
      case 'proxy-connection':
      case 'te':
      case 'trailer':
      case 'transfer-encoding':
      case 'upgrade':
      case 'x-request-id':
        break;
      default:
        for (const item of typeof value === 'string' ? [value] : (value ?? []))
          if (!foreign || !changesOwnCookie(name, item)) kept.push(name, item);
    }
  }
  kept.push('x-request-id', requestId);
  return named ? withoutNamed(kept, String(headers['connection'])) : kept;
}
