// What a client may not pass through on platform credit. The hold bounds a call by the length of its body and the
// output that it asks for; each of these makes the provider charge for something else: input that is not in the
// body, calls of its own tools, a dearer tier, output of another kind. On a key of the organization's, or a Models
// account, they pass: what they cost is then not ours to bound.
import type { Protocol } from './neutral.ts';
import { always, createFaults, isFilled, isObject, type Loose, type RefusedField, refuseFields } from './read-fields.ts';

const isOutside = (...taken: readonly unknown[]) => (value: unknown): boolean => !taken.includes(value);

const NOT_IN_BODY = 'is not taken on platform credit: what it adds to the input is not in the request';
const TIER = 'other tiers are not taken on platform credit';
const DEARER = 'is not taken on platform credit: it costs more than the listed price';

export const UNBOUNDED_FIELDS: Readonly<Record<Protocol, readonly RefusedField[]>> = {
  chat: [
    { field: 'web_search_options', when: always, why: 'is not taken on platform credit: searches are charged apart' },
    { field: 'service_tier', when: isOutside('auto', 'default'), why: TIER },
    { field: 'modalities', when: (value) => !Array.isArray(value) || value.some((modality) => modality !== 'text'), why: 'only text is taken on platform credit' },
    { field: 'audio', when: always, why: DEARER },
    { field: 'prediction', when: always, why: 'is not taken on platform credit: what is rejected of it is charged as output' },
  ],
  responses: [
    { field: 'background', when: isOutside(false), why: 'is not taken on platform credit: nobody waits to see what was used' },
    { field: 'previous_response_id', when: always, why: NOT_IN_BODY },
    { field: 'conversation', when: always, why: NOT_IN_BODY },
    { field: 'prompt', when: always, why: NOT_IN_BODY },
    { field: 'service_tier', when: isOutside('auto', 'default'), why: TIER },
  ],
  messages: [
    { field: 'mcp_servers', when: isFilled, why: 'is not taken on platform credit: what the servers answer is charged as input' },
    { field: 'container', when: always, why: 'is not taken on platform credit: containers are charged apart' },
    { field: 'service_tier', when: isOutside('auto', 'standard_only'), why: TIER },
    { field: 'inference_geo', when: isOutside('global'), why: DEARER },
    { field: 'speed', when: isOutside('standard'), why: DEARER },
  ],
};

/** Types of tools that the client executes itself. Every other one the provider executes, and charges for. */
export const BOUNDED_TOOLS: Readonly<Record<Protocol, RegExp>> = {
  chat: /^(?:function|custom)$/,
  responses: /^(?:function|custom)$/,
  messages: /^(?:custom|(?:bash|text_editor|computer|memory)_\d{8})$/,
};

/** Throws `invalid_request` with every such field of a body that is to be passed through. */
export function refuseUnbounded(protocol: Protocol, body: Loose): void {
  const faults = createFaults();
  refuseFields(body, UNBOUNDED_FIELDS[protocol], faults);
  const tools = Array.isArray(body['tools']) ? (body['tools'] as readonly unknown[]) : [];
  for (const [index, tool] of tools.entries()) {
    const type = isObject(tool) ? tool['type'] : undefined;
    if (typeof type === 'string' && !BOUNDED_TOOLS[protocol].test(type)) faults.add(`tools.${index}.type`, `${type} is not taken on platform credit: the provider charges for its own tools`);
  }
  faults.throwAny();
}
