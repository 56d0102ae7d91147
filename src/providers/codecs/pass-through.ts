import type { Protocol } from './neutral.ts';
import { isObject, type Loose } from './read-fields.ts';

/** The client's own body for a provider that speaks its protocol: another model id, and usage always reported. */
export function toPassThroughBody(protocol: Protocol, body: Loose, model: string): Loose {
  if (protocol !== 'chat' || body['stream'] !== true) return { ...body, model };
  const options = isObject(body['stream_options']) ? body['stream_options'] : {};
  return { ...body, model, stream_options: { ...options, include_usage: true } };
}
