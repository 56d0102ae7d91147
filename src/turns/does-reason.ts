// Whether a model thinks before it answers a request, by the request as the provider gets it and by the catalogue. What
// it thinks is charged as output, streamed or not.
import type { ModelTraits } from '../catalog/model-traits.ts';
import type { Protocol } from '../model-providers/codecs/neutral.ts';
import { isObject, type Loose } from '../model-providers/codecs/read-fields.ts';

type ReasoningTraits = Pick<ModelTraits, 'defaultEffort' | 'thinkingOff'>;

const REASONS = {
  chat: ({ reasoning_effort: effort }, traits) => (effort ?? traits.defaultEffort) !== 'none',
  responses: ({ reasoning }, traits) =>
    ((isObject(reasoning) ? reasoning['effort'] : undefined) ?? traits.defaultEffort) !== 'none',
  messages: ({ thinking }, traits) =>
    !traits.thinkingOff || (isObject(thinking) && thinking['type'] !== undefined && thinking['type'] !== 'disabled'),
} as const satisfies Record<Protocol, (body: Loose, traits: ReasoningTraits) => boolean>;

export function doesReason(protocol: Protocol, body: Loose, traits: ReasoningTraits): boolean {
  return REASONS[protocol](body, traits);
}
