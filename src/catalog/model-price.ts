// Model prices, flattened at load from the price list package. A price with a later start date takes effect when the
// catalogue is read again.
import { calcPrice, type ModelPrice as ListedPrice, TieredPrices } from '@pydantic/genai-prices';
import type { Modality, ModelPrice, TokenPrice } from './model-catalog.ts';

export interface GivenPrice {
  readonly input: number;
  readonly output?: number | undefined;
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
}

type Rate = ListedPrice[string];

/** A missing rate falls back to the next more expensive one, so no tokens are billed at zero. */
export function completePrice({ input, output = 0, cacheRead = input, cacheWrite = input }: GivenPrice): ModelPrice {
  return { input, output, cacheRead, cacheWrite, cacheWriteHour: Math.max(cacheWrite, 2 * input) };
}

/** Undefined if the list lacks the model at that provider, or the price of anything it is used for. */
export function findListedPrice(
  provider: string,
  model: string,
  modality: Modality,
  at: Date,
):
  | { readonly price: ModelPrice; readonly from: { readonly source: string; readonly date: string | undefined } }
  | undefined {
  const found = calcPrice({ input_tokens: 1 }, model, { providerId: provider, timestamp: at });
  const price = found ? readListed(found.model_price, modality) : undefined;
  return price && { price, from: PRICE_LIST };
}

/** The built-in list of prices, and the day from which it is used. */
const PRICE_LIST = { source: '@pydantic/genai-prices 0.1.8', date: '2026-11-15' };

function readListed(listed: ListedPrice, modality: Modality): ModelPrice | undefined {
  if (listed['input_mtok'] === undefined || (modality === 'chat' && listed['output_mtok'] === undefined))
    return undefined;
  const aboveTokens = firstTierStart(listed);
  const base = rates(listed, (rate) => (isTiered(rate) ? rate.base : rate));
  if (aboveTokens === undefined) return base;
  // No listed model has several tiers. If one had, the last is the most expensive, and charging it is safe.
  return {
    ...base,
    longInput: {
      aboveTokens,
      ...rates(listed, (rate) => (isTiered(rate) ? (rate.tiers.at(-1)?.price ?? rate.base) : rate)),
    },
  };
}

function rates(listed: ListedPrice, at: (rate: Rate) => number | undefined): TokenPrice {
  const input = at(listed['input_mtok']) ?? 0;
  const cacheWrite = at(listed['cache_write_mtok']) ?? input;
  return {
    input,
    output: at(listed['output_mtok']) ?? 0,
    cacheRead: at(listed['cache_read_mtok']) ?? input,
    cacheWrite,
    cacheWriteHour: at(listed['cache_write_1h_mtok']) ?? Math.max(cacheWrite, 2 * input),
  };
}

function firstTierStart(listed: ListedPrice): number | undefined {
  const starts = Object.values(listed).flatMap((rate) => (isTiered(rate) ? rate.tiers.map(({ start }) => start) : []));
  return starts.length === 0 ? undefined : Math.min(...starts);
}

function isTiered(rate: Rate): rate is TieredPrices {
  return rate instanceof TieredPrices || (typeof rate === 'object' && 'tiers' in rate);
}
