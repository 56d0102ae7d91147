import type { Method } from '../catalog/connector-types.ts';

/** One request to a provider, relative to its base at the integration provider. */
export interface ProviderRequest {
  readonly method: Method;
  /** Encoded; begins with one slash and holds no query. */
  readonly path: string;
  /** Decoded; a key may repeat. */
  readonly query: readonly (readonly [string, string])[];
  /** JSON. */
  readonly body?: string;
  /** Another origin than the provider's base, from a manifest and never from a caller. */
  readonly baseUrl?: string;
}

/** What came back, read whole and bounded. */
export interface ProviderAnswer {
  readonly status: number;
  /** Only those that a caller may see. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text: what the provider sent when that was JSON, else a JSON string of its text. Numbers stay as they were written. */
  readonly data: string;
}

export function encodeQuery(query: ProviderRequest['query']): string {
  return query.length === 0
    ? ''
    : `?${query.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join('&')}`;
}

/**
 * Path and query as the provider is given them. It rewrites the word of its own templates wherever it stands; spelled
 * in another way, it is the same to the app and nothing to the provider.
 */
export function toTarget(path: string, query: ProviderRequest['query']): string {
  return (path + encodeQuery(query)).replaceAll('connectionConfig', 'connection%43onfig');
}
