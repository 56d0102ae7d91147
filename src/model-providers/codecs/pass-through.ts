import type { Target } from './fields/cells.ts';
import type { Protocol } from './neutral.ts';
import { isAbsent, isObject, textOf, type Loose } from './read-fields.ts';
import { isOurReasoning } from './reasoning-seal.ts';
import { readSummary } from './responses/compaction.ts';

/** Fields with JSON of the client's own, such as schemas and arguments: nothing here counts with their numbers. */
export const WRITTEN_FIELDS = [
  'tools',
  'functions',
  'messages',
  'input',
  'response_format',
  'text',
  'output_config',
] as const;

export interface PassThroughTarget {
  /** The model's id at the provider. */
  readonly model: string;
  readonly target: Target;
  /** Whether the older name of the output limit is refused there. */
  readonly renamesLimit?: boolean;
}

/**
 * The client's own body for a provider with the same protocol: the provider's model id, usage always reported, the
 * output limit under the name the model takes, and no reasoning from another provider.
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

type Keep = (entry: unknown) => unknown;

/**
 * A conversation that has changed its provider still contains the reasoning of the previous one, in the form this service
 * gave it. Providers refuse reasoning that is not their own, so it is removed. A body without any is returned unchanged.
 */
function dropForeignReasoning(protocol: Protocol, body: Loose, target?: Target): Loose {
  if (protocol === 'messages') return mapEntries(body, 'messages', dropUnsigned);
  if (protocol === 'responses') return mapEntries(body, 'input', (item) => (isObject(item) ? withoutOurs(item) : item));
  // An account of unknown make may need the reasoning of its own answers.
  return target === 'account' ? body : mapEntries(body, 'messages', dropChatReasoning);
}

/** A summary that was made here is told in words, as OpenAI cannot read it either. */
function withoutOurs(item: Loose): Loose | undefined {
  if (item['type'] === 'reasoning') return isOurReasoning(item) ? undefined : item;
  const summary = item['type'] === 'compaction' ? readSummary(item) : undefined;
  return summary === undefined ? item : { type: 'message', role: 'user', content: summary };
}

/** Changes the entries of a list; undefined removes one. */
function mapEntries(body: Loose, field: string, keep: Keep): Loose {
  const entries: unknown = body[field];
  if (!Array.isArray(entries)) return body;
  const given = entries as readonly unknown[];
  // Most bodies need no change and are not copied.
  if (given.every((entry) => keep(entry) === entry)) return body;
  return { ...body, [field]: given.map(keep).filter((entry) => entry !== undefined) };
}

/** Anthropic signs every block; an unsigned one was made from another provider's reasoning. */
function dropUnsigned(message: unknown): unknown {
  if (!isObject(message) || message['role'] !== 'assistant' || !Array.isArray(message['content'])) return message;
  const content = message['content'] as readonly unknown[];
  const signed = content.filter(
    (block) => !isObject(block) || block['type'] !== 'thinking' || textOf(block['signature']) !== '',
  );
  if (signed.length === content.length) return message;
  return signed.length === 0 ? undefined : { ...message, content: signed };
}

const CHAT_REASONING = ['reasoning_content', 'reasoning', 'reasoning_details'] as const;

/** Reasoning is in the message, or in a content part if the client built the message from a whole answer. */
function dropChatReasoning(message: unknown): unknown {
  return isObject(message) && message['role'] === 'assistant'
    ? mapEntries(withoutReasoning(message), 'content', (part) => (isObject(part) ? withoutReasoning(part) : part))
    : message;
}

function withoutReasoning(given: Loose): Loose {
  if (CHAT_REASONING.every((field) => isAbsent(given[field]))) return given;
  const kept: Record<string, unknown> = { ...given };
  for (const field of CHAT_REASONING) delete kept[field];
  return kept;
}
