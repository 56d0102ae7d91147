// What a call may cost, before it is made, and what it did cost, after. All in whole micro-dollars, rounded up, so
// that no call is free. No tokenizer: bytes by a ratio that errs on the side of more tokens.
import { type DeclaredProvider, type ModelPrice, rateFor } from '../catalog/model-catalog.ts';

export interface TokensUsed {
  /** All input, cached parts included. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

/** Prose is about four bytes a token; code, JSON and other scripts are denser. */
const BYTES_PER_TOKEN = 3;
/** What a request without a limit of its own may hold for its answer. */
const OUTPUT_CAP_TOKENS = 8_192;

export function estimateTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN) + 16;
}

/** The hold: the whole input at the dearest input rate, and the longest answer that is allowed. */
export function estimateHold(price: ModelPrice, inputBytes: number, maxOutputTokens: number, askedOutputTokens: number | undefined): number {
  const inputTokens = estimateTokens(inputBytes);
  const outputTokens = Math.min(askedOutputTokens ?? OUTPUT_CAP_TOKENS, maxOutputTokens);
  const rate = rateFor(price, inputTokens);
  return Math.ceil(inputTokens * Math.max(rate.input, rate.cacheWrite, rate.cacheWriteHour) + outputTokens * rate.output);
}

/** A cache write is charged at its dearer rate: usage does not say for how long the entry was asked to live. */
export function costOf(price: ModelPrice, used: TokensUsed): number {
  const rate = rateFor(price, used.inputTokens);
  const plain = Math.max(0, used.inputTokens - used.cacheReadTokens - used.cacheWriteTokens);
  return Math.ceil(plain * rate.input + used.cacheReadTokens * rate.cacheRead + used.cacheWriteTokens * rate.cacheWriteHour + used.outputTokens * rate.output);
}

/** When the provider reported nothing: the whole input, and what had been streamed. */
export function usageFromStreamed(inputBytes: number, streamedBytes: number): TokensUsed {
  return { inputTokens: estimateTokens(inputBytes), outputTokens: Math.ceil(streamedBytes / BYTES_PER_TOKEN), cacheReadTokens: 0, cacheWriteTokens: 0 };
}

/** Platform credit never pays for what nobody can price. */
export function isPriceable(declared: DeclaredProvider): boolean {
  return declared.price !== undefined;
}
