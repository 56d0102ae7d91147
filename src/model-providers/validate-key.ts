// Checks whether a provider accepts a key: one request without side effects, bounded in time, of which only the status
// is read. Redirects are not followed, because they would send the key elsewhere.
import { Agent, request } from 'undici';
import { PROVIDERS, type ProviderId } from './providers.ts';

export type KeyValidation = 'valid' | 'rejected' | 'unavailable' | 'unreachable';

export const KEY_VALIDATION_TIMEOUT_MS = 10_000;

export interface KeyProbe {
  readonly provider: ProviderId;
  /** The origin of the provider's API. */
  readonly url: string;
  readonly key: string;
  readonly timeoutMs?: number;
}

export async function validateKey({
  provider,
  url,
  key,
  timeoutMs = KEY_VALIDATION_TIMEOUT_MS,
}: KeyProbe): Promise<KeyValidation> {
  // A value that cannot be sent in a header is not a key of any provider.
  if (!/^[\x21-\x7e]+$/.test(key)) return 'rejected';
  const { probePath, authorize } = PROVIDERS[provider];
  const agent = new Agent({ connect: { timeout: timeoutMs } });
  try {
    const { statusCode, body } = await request(`${url}${probePath}`, {
      dispatcher: agent,
      headers: { accept: 'application/json', ...authorize(key) },
      signal: AbortSignal.timeout(timeoutMs),
    });
    body.on('error', () => {}).destroy();
    return judgeStatus(statusCode);
  } catch {
    // The cause may quote the request, and with it the key.
    return 'unreachable';
  } finally {
    await agent.destroy();
  }
}

function judgeStatus(status: number): KeyValidation {
  if (status >= 200 && status <= 299) return 'valid';
  return status === 401 || status === 403 ? 'rejected' : 'unavailable';
}
