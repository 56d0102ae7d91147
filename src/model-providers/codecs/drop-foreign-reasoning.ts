// A conversation that changes its provider still holds the reasoning of the one before, in the form that this gateway
// gave it. A provider refuses reasoning that is not its own, so it is taken out of a body that is otherwise passed on
// as it is. A body without any is returned itself.
import type { Target } from './fields/cells.ts';
import type { Protocol } from './neutral.ts';
import { isAbsent, isObject, textOf, type Loose } from './read-fields.ts';
import { isOurReasoning } from './reasoning-seal.ts';

type Keep = (entry: unknown) => unknown;

export function dropForeignReasoning(protocol: Protocol, body: Loose, target?: Target): Loose {
  if (protocol === 'messages') return mapEntries(body, 'messages', dropUnsigned);
  if (protocol === 'responses')
    return mapEntries(body, 'input', (item) =>
      isObject(item) && item['type'] === 'reasoning' && isOurReasoning(item) ? undefined : item,
    );
  // An account of unknown make may want the reasoning of its own answers back.
  return target === 'account' ? body : mapEntries(body, 'messages', dropChatReasoning);
}

/** A list with some entries changed, or left out where nothing comes back. */
function mapEntries(body: Loose, field: string, keep: Keep): Loose {
  const entries: unknown = body[field];
  if (!Array.isArray(entries)) return body;
  const given = entries as readonly unknown[];
  // Most bodies hold none: they are looked through without a copy.
  if (given.every((entry) => keep(entry) === entry)) return body;
  return { ...body, [field]: given.map(keep).filter((entry) => entry !== undefined) };
}

/** Anthropic signs every block; one without was made of another provider's reasoning. */
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

/** It stands in the message, or in the part of its content that a client made of a whole answer. */
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
