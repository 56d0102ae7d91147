import type { Protocol } from './neutral.ts';
import { isObject, type Loose } from './read-fields.ts';
import { isSealedHere } from './reasoning-seal.ts';

/** The client's own body for a provider that speaks its protocol: another model id, and usage always reported. */
export function toPassThroughBody(protocol: Protocol, body: Loose, model: string): Loose {
  if (protocol === 'responses') return { ...withoutForeignReasoning(body), model };
  if (protocol !== 'chat' || body['stream'] !== true) return { ...body, model };
  const options = isObject(body['stream_options']) ? body['stream_options'] : {};
  return { ...body, model, stream_options: { ...options, include_usage: true } };
}

/** Reasoning that another provider wrote in the same conversation means nothing to OpenAI, which refuses what it has not sealed. */
function withoutForeignReasoning(body: Loose): Loose {
  const { input } = body;
  const isForeign = (item: unknown): boolean => isObject(item) && item['type'] === 'reasoning' && isSealedHere(item['encrypted_content']);
  return Array.isArray(input) && input.some(isForeign) ? { ...body, input: (input as readonly unknown[]).filter((item) => !isForeign(item)) } : body;
}
