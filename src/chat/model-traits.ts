// What a model takes beyond the common ground, by its id at the provider. Only translated requests need it: a body
// that is passed through is the client's own affair.
import type { ChatTarget } from '../providers/codecs/chat/encode-request.ts';
import type { MessagesTarget } from '../providers/codecs/messages/encode-request.ts';

type MessagesTraits = Pick<MessagesTarget, 'thinking' | 'sampling'>;
type ChatTraits = Pick<ChatTarget, 'reasoning' | 'sampling'>;

/** The first row that matches holds; the last one is for models that are newer than this table. */
const ANTHROPIC: readonly (readonly [RegExp, MessagesTraits])[] = [
  [/^claude-3-[05]-|^claude-3-(?:opus|sonnet|haiku)/, { thinking: 'none', sampling: true }],
  [/^claude-(?:3-7|(?:opus|sonnet|haiku)-4(?:-[0-5])?(?:-|$))/, { thinking: 'budget', sampling: true }],
  [/^claude-(?:opus|sonnet|haiku)-4-6/, { thinking: 'effort', sampling: true }],
  [/./, { thinking: 'effort', sampling: false }],
];

const OPENAI: readonly (readonly [RegExp, ChatTraits])[] = [
  [/^gpt-(?:3|4)|^chatgpt|chat-latest/, { reasoning: false, sampling: true }],
  [/./, { reasoning: true, sampling: false }],
];

export function anthropicTraits(model: string): MessagesTraits {
  return find(ANTHROPIC, model) ?? { thinking: 'none', sampling: true };
}

export function openAiTraits(model: string): ChatTraits {
  return find(OPENAI, model) ?? { reasoning: false, sampling: true };
}

/** An account of unknown make: the fields that nearly all of them take. */
export const ACCOUNT_TRAITS: ChatTraits = { reasoning: false, sampling: true };

function find<Traits>(rows: readonly (readonly [RegExp, Traits])[], model: string): Traits | undefined {
  return rows.find(([pattern]) => pattern.test(model))?.[1];
}
