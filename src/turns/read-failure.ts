// Translates a provider's refusal for the client. A rejected key is reported as the organization's only if it is
// theirs; problems of the deployment's own account are not revealed.
import { MODELS_ACCOUNT } from '../base/errors.ts';
import type { UpstreamHeaders } from '../model-providers/call-upstream.ts';
import { decodeFailure } from '../model-providers/codecs/decode-failure.ts';
import { ProviderError } from '../model-providers/codecs/provider-error.ts';
import { failureForClient } from '../model-providers/codecs/provider-failures.ts';
import { providerName } from '../model-providers/providers.ts';
import type { Route } from './decide-turn.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';

const FAILURE_BYTES = 64 * 1024;

export function readFailure(
  route: Route,
  passThrough: boolean,
  status: number,
  headers: UpstreamHeaders,
): { take(chunk: Buffer): boolean; error(): ProviderError } {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    take(chunk) {
      if (size < FAILURE_BYTES) chunks.push(chunk);
      size += chunk.length;
      return true;
    },
    error() {
      const decoded = decodeFailure(status, Buffer.concat(chunks), errorType(headers));
      const { param, ...failure } = failureForClient(decoded, ownsAccount(route));
      // A position in the translated request means nothing to the client.
      return new ProviderError(
        { ...failure, ...(passThrough && param !== undefined ? { param } : {}) },
        {
          provider: payerName(route),
          retryAfterSeconds: retryAfter(headers),
          headers: rateLimitHeaders(route, headers),
        },
      );
    },
  };
}

/** Whose account paid: a Models account may serve a provider's models with a key that is not that provider's. */
export function payerName({ credential, provider }: Pick<Route, 'credential' | 'provider'>): string {
  return credential.kind === 'models-account' ? MODELS_ACCOUNT : providerName(provider);
}

export function ownsAccount({ credential }: Pick<Route, 'credential'>): boolean {
  return credential.kind !== 'platform';
}

/** AWS names its errors here, sometimes followed by an address. */
function errorType(headers: UpstreamHeaders): string | undefined {
  const value = headers['x-amzn-errortype'];
  return typeof value === 'string' ? value.split(':')[0] : undefined;
}

function retryAfter(headers: UpstreamHeaders): number | undefined {
  const value = Number(headers['retry-after']);
  return Number.isFinite(value) && value > 0 && value <= 3_600 ? Math.ceil(value) : undefined;
}
