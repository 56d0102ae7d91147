// What a provider's refusal means for the client. A rejected key is named as the organization's only when it was;
// the deployment's own troubles are not the client's to read about.
import { AppError } from '../base/errors.ts';
import { decodeFailure } from '../providers/codecs/decode-failure.ts';
import { providerName } from '../providers/providers.ts';
import type { Route } from './decide-turn.ts';

const FAILURE_BYTES = 64 * 1024;

export function readFailure(route: Route, status: number, headers: Readonly<Record<string, string | string[] | undefined>>): { take(chunk: Buffer): boolean; error(): AppError } {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    take(chunk) {
      if (size < FAILURE_BYTES) chunks.push(chunk);
      size += chunk.length;
      return true;
    },
    error: () => toError(route, status, Buffer.concat(chunks), headers),
  };
}

function toError(route: Route, status: number, body: Buffer, headers: Readonly<Record<string, string | string[] | undefined>>): AppError {
  const { kind, message } = decodeFailure(status, body);
  const ownsKey = route.credential.kind !== 'platform';
  switch (kind) {
    case 'authentication':
      return ownsKey ? new AppError('provider_key_rejected', { provider: providerName(route.provider) }) : new AppError('provider_unavailable');
    case 'rate_limit':
      return new AppError('provider_rate_limited', { ...retryAfter(headers) });
    case 'invalid':
      return new AppError('provider_refused', { reason: message });
    case 'not_found':
      return ownsKey ? new AppError('provider_refused', { reason: message }) : new AppError('provider_unavailable');
    case 'overloaded':
    case 'other':
      return new AppError('provider_unavailable');
  }
}

function retryAfter(headers: Readonly<Record<string, string | string[] | undefined>>): { retryAfterSeconds?: number } {
  const value = Number(headers['retry-after']);
  return Number.isFinite(value) && value > 0 && value <= 3_600 ? { retryAfterSeconds: Math.ceil(value) } : {};
}
