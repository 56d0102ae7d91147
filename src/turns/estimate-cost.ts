// The maximum cost of a call before it is made, and the actual cost after. All in whole micro-dollars, rounded up, so
// that no call is free.
import { type CatalogModel, type DeclaredProvider, type ModelPrice, rateFor } from '../catalog/model-catalog.ts';
import { BYTES_PER_TOKEN } from '../contract/context/context-size.ts';
import type { Bound } from '../model-providers/bounds/bound-request.ts';

export interface TokensUsed {
  /** All input, including cached parts. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** The part of the cache writes with a lifetime of an hour. */
  readonly cacheWriteHourTokens?: number;
}

/** The likely token count of a text: shown to people, and used if nothing was reported. Holds are not based on it. */
export function estimateTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN) + 16;
}

/** The most a call may cost: everything it may use, at the highest rates it may be charged. */
export function holdFor(price: ModelPrice, { inputTokens, outputTokens, cacheWrites }: Bound): number {
  const rates =
    price.longInput !== undefined && inputTokens > price.longInput.aboveTokens ? [price, price.longInput] : [price];
  const input = Math.max(
    ...rates.flatMap((rate) => [
      rate.input,
      rate.cacheRead,
      cacheWrites === 'none' ? 0 : rate.cacheWrite,
      cacheWrites === 'hour' ? rate.cacheWriteHour : 0,
    ]),
  );
  const output = Math.max(...rates.map((rate) => rate.output));
  // One more, for rounding errors in the sums.
  return Math.ceil(inputTokens * input + outputTokens * output) + 1;
}

/** The charge for a call whose outcome is unknown: its likely input. */
export function leastFor(price: ModelPrice, { likelyInputTokens }: Bound): number {
  return Math.max(1, Math.ceil(likelyInputTokens * rateFor(price, likelyInputTokens).input));
}

export function costOf(price: ModelPrice, used: TokensUsed): number {
  const rate = rateFor(price, used.inputTokens);
  const hour = used.cacheWriteHourTokens ?? 0;
  const plain = Math.max(0, used.inputTokens - used.cacheReadTokens - used.cacheWriteTokens);
  return Math.max(
    1,
    Math.ceil(
      plain * rate.input +
        used.cacheReadTokens * rate.cacheRead +
        (used.cacheWriteTokens - hour) * rate.cacheWrite +
        hour * rate.cacheWriteHour +
        used.outputTokens * rate.output,
    ),
  );
}

/** If the provider reported nothing: the whole input, and the output streamed so far. */
export function usageFromStreamed(inputTokens: number, streamedBytes: number): TokensUsed {
  return {
    inputTokens,
    outputTokens: Math.ceil(streamedBytes / BYTES_PER_TOKEN),
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
  };
}

/** How fast a model thinks whose catalogue row does not say. */
const THINKING_TOKENS_PER_SECOND = 60;

export interface ThinkingTurn {
  readonly route: { readonly model: Pick<CatalogModel, 'thinkingTokensPerSecond'> };
  readonly prepared: { readonly reasons?: boolean; readonly bound?: Pick<Bound, 'outputTokens'> };
}

/**
 * What a model has thought is not streamed, but charged by its provider even if nobody waits for the rest: on platform
 * credit the time that it took counts, if that is more, up to the limit of the request's output.
 */
export function withThought(used: TokensUsed, { route, prepared }: ThinkingTurn, seconds: number): TokensUsed {
  const { reasons, bound } = prepared;
  if (reasons !== true || !bound) return used;
  const thought = Math.ceil(seconds * (route.model.thinkingTokensPerSecond ?? THINKING_TOKENS_PER_SECOND));
  return { ...used, outputTokens: Math.max(used.outputTokens, Math.min(thought, bound.outputTokens)) };
}

/** Platform credit never pays for a model without a price. */
export function isPriceable(declared: DeclaredProvider): boolean {
  return declared.price !== undefined;
}
