// Token counts of the three protocols and of the neutral form. Anthropic's `input_tokens` excludes cached tokens,
// OpenAI's includes them: decoding adds them where they are excluded, encoding subtracts them again, so that a cached
// token is counted exactly once on either side.
import type { Usage } from './neutral.ts';
import { isObject, type Loose } from './read-fields.ts';

export function findChatUsage(value: unknown): Usage | undefined {
  if (!isObject(value) || !('prompt_tokens' in value || 'completion_tokens' in value)) return undefined;
  return includeCached(
    value['prompt_tokens'],
    value['completion_tokens'],
    value['prompt_tokens_details'],
    value['completion_tokens_details'],
  );
}

export function findResponsesUsage(value: unknown): Usage | undefined {
  if (!isObject(value) || typeof value['input_tokens'] !== 'number') return undefined;
  return includeCached(
    value['input_tokens'],
    value['output_tokens'],
    value['input_tokens_details'],
    value['output_tokens_details'],
  );
}

export function findMessagesUsage(value: unknown): Usage | undefined {
  if (!isObject(value) || !('input_tokens' in value || 'output_tokens' in value)) return undefined;
  const cacheReadTokens = count(value['cache_read_input_tokens']);
  const cacheWriteTokens = count(value['cache_creation_input_tokens']);
  const hour = Math.min(cacheWriteTokens, count(detail(value['cache_creation'], 'ephemeral_1h_input_tokens')));
  return {
    inputTokens: count(value['input_tokens']) + cacheReadTokens + cacheWriteTokens,
    outputTokens: count(value['output_tokens']),
    cacheReadTokens,
    cacheWriteTokens,
    ...(hour > 0 ? { cacheWriteHourTokens: hour } : {}),
    reasoningTokens: count(detail(value['output_tokens_details'], 'thinking_tokens')),
  };
}

/** Anthropic reports in two steps; the later counts are totals and replace the earlier ones, absent ones stay. */
export function mergeMessagesUsage(earlier: Loose, later: unknown): Loose {
  if (!isObject(later)) return earlier;
  const merged: Record<string, unknown> = { ...earlier };
  for (const [key, value] of Object.entries(later)) if (value !== null) merged[key] = value;
  return merged;
}

export function toChatUsage(usage: Usage): Loose {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: {
      cached_tokens: usage.cacheReadTokens,
      cache_write_tokens: usage.cacheWriteTokens,
      audio_tokens: 0,
    },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoningTokens,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

export function toResponsesUsage(usage: Usage): Loose {
  return {
    input_tokens: usage.inputTokens,
    input_tokens_details: { cached_tokens: usage.cacheReadTokens, cache_write_tokens: usage.cacheWriteTokens },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: usage.inputTokens + usage.outputTokens,
  };
}

export function toMessagesUsage(usage: Usage): Loose {
  return {
    input_tokens: Math.max(0, usage.inputTokens - usage.cacheReadTokens - usage.cacheWriteTokens),
    cache_creation_input_tokens: usage.cacheWriteTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    output_tokens: usage.outputTokens,
    output_tokens_details: { thinking_tokens: usage.reasoningTokens },
  };
}

export const NO_USAGE: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};

function includeCached(input: unknown, output: unknown, inputDetails: unknown, outputDetails: unknown): Usage {
  const inputTokens = count(input);
  const cacheReadTokens = Math.min(inputTokens, count(detail(inputDetails, 'cached_tokens')));
  return {
    inputTokens,
    outputTokens: count(output),
    cacheReadTokens,
    cacheWriteTokens: Math.min(inputTokens - cacheReadTokens, count(detail(inputDetails, 'cache_write_tokens'))),
    reasoningTokens: Math.min(count(output), count(detail(outputDetails, 'reasoning_tokens'))),
  };
}

function detail(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}

/** A provider's report is money: only whole, finite, non-negative counts are accepted. */
function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0
    ? Math.min(Math.round(value), Number.MAX_SAFE_INTEGER)
    : 0;
}
