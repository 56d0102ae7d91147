import { AppError } from '../base/errors.ts';
import { isProviderId, PROVIDERS } from '../model-providers/providers.ts';

/** The key without the white space that pasting adds, or a refusal. Providers that cannot be called are not judged further. */
export function checkKeyFormat(provider: string, given: string | null | undefined): string {
  const key = (given ?? '').trim();
  if (key === '') throw new AppError('provider_key_required', { retryable: false });
  if (!isProviderId(provider)) return key;
  const { name, keyPrefix } = PROVIDERS[provider];
  if (!key.startsWith(keyPrefix))
    throw new AppError('provider_key_prefix', { provider: name, prefix: keyPrefix, retryable: false });
  return key;
}
