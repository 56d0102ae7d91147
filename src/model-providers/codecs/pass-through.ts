import type { Target } from './fields/cells.ts';
import { dropForeignReasoning } from './drop-foreign-reasoning.ts';
import type { Protocol } from './neutral.ts';
import { isObject, type Loose } from './read-fields.ts';

export interface PassThroughTarget {
  /** The model's id at the provider. */
  readonly model: string;
  readonly target: Target;
  /** Whether the older name of the output limit is refused there. */
  readonly renamesLimit?: boolean;
}

/**
 * The client's own body for a provider that speaks its protocol: another model id, usage always reported, the output
 * limit under the name that the model takes, and without the reasoning that another provider left behind.
 */
export function toPassThroughBody(
  protocol: Protocol,
  given: Loose,
  { model, target, renamesLimit = false }: PassThroughTarget,
): Loose {
  const body = dropForeignReasoning(protocol, given, target);
  if (protocol !== 'chat') return { ...body, model };
  const named: Record<string, unknown> = { ...body, model };
  if (renamesLimit && 'max_tokens' in named) {
    named['max_completion_tokens'] ??= named['max_tokens'];
    delete named['max_tokens'];
  }
  if (body['stream'] === true)
    named['stream_options'] = {
      ...(isObject(body['stream_options']) ? body['stream_options'] : {}),
      include_usage: true,
    };
  return named;
}
