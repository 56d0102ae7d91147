// Where a client of OpenAI's surfaces marks the end of a cacheable prefix: by Anthropic's field, as clients of other
// gateways do, or by OpenAI's.
import type { CacheMark } from './neutral.ts';
import { isAbsent, readChoice, readObject, readOptionalText, type Faults, type Loose } from './read-fields.ts';

export function readCacheMark(holder: Loose, at: string, faults: Faults): CacheMark | undefined {
  const { cache_control: control, prompt_cache_breakpoint: breakpoint } = holder;
  if (!isAbsent(control)) {
    const { type, ttl } = readObject(control, `${at}.cache_control`, faults);
    readChoice(type, `${at}.cache_control.type`, faults, ['ephemeral']);
    return { ttl: readChoice(ttl, `${at}.cache_control.ttl`, faults, ['5m', '1h']) };
  }
  if (isAbsent(breakpoint)) return undefined;
  // OpenAI's shortest lifetime is half an hour, for which Anthropic has one hour.
  return { ttl: isAbsent(readObject(breakpoint, `${at}.prompt_cache_breakpoint`, faults)['ttl']) ? undefined : '1h' };
}

/** OpenAI caches by itself; a client names a key if its prompts begin alike, which is when Anthropic's cache pays. */
export function readCacheKey({ prompt_cache_key: key }: Loose, faults: Faults): CacheMark | undefined {
  return isAbsent(readOptionalText(key, 'prompt_cache_key', faults)) ? undefined : {};
}

/** Instructions are joined into one text, with the last cache mark of the parts at its end. */
export function lastMark(parts: readonly { readonly cache?: CacheMark | undefined }[]): CacheMark | undefined {
  return parts.findLast((part) => part.cache !== undefined)?.cache;
}

/** The parts, with the mark on the last one unless one of them already has a mark. */
export function markLast<Part extends { readonly cache?: CacheMark | undefined }>(
  parts: readonly Part[],
  cache: CacheMark | undefined,
): Part[] {
  const last = parts.at(-1);
  return cache === undefined || last === undefined
    ? [...parts]
    : [...parts.slice(0, -1), { ...last, cache: last.cache ?? cache }];
}
