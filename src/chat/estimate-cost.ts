// What a call may cost, before it is made, and what it did cost, after. All in whole micro-dollars, rounded up, so
// that no call is free.
import { type DeclaredProvider, type ModelPrice, rateFor } from '../catalog/model-catalog.ts';
import type { Bound } from '../model-providers/bounds/bound-request.ts';

export interface TokensUsed {
  /** All input, cached parts included. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** A part of them: entries that are to live an hour. */
  readonly cacheWriteHourTokens?: number;
}

/** Prose is about four bytes a token; code, JSON and other scripts are denser. */
const BYTES_PER_TOKEN = 3;

/** What a text most likely comes to: for people, and where nobody reported anything. No hold is made of it. */
export function estimateTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN) + 16;
}

/** What a call may cost at most: all that it may use, at the dearest rates that it may be charged. */
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
  // One more for what sums of fractions leave over.
  return Math.ceil(inputTokens * input + outputTokens * output) + 1;
}

/** What is charged for a call of which nobody knows how it ended: its input, as it most likely was. */
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

/** When the provider reported nothing: the whole input, and what had been streamed. */
export function usageFromStreamed(inputTokens: number, streamedBytes: number): TokensUsed {
  return {
    inputTokens,
    outputTokens: Math.ceil(streamedBytes / BYTES_PER_TOKEN),
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
  };
}

/** Platform credit never pays for what nobody can price. */
export function isPriceable(declared: DeclaredProvider): boolean {
  return declared.price !== undefined;
}
