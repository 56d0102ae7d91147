// How OpenAI, or an OpenAI-compatible server, would refuse a request.
import type { Refusal } from '../refusal.ts';
import { ACCOUNT_RULES } from './account-rules.ts';
import { CHAT_RULES } from './chat-rules.ts';
import { EMBEDDINGS_RULES } from './embeddings-rules.ts';
import { asObject, type Loose } from './loose.ts';
import { openAiModel, type OpenAiModel } from './openai-models.ts';
import { type Kept, RESPONSES_RULES } from './responses-rules.ts';
import { judge } from './rule.ts';

export type ChatRuleName = keyof typeof CHAT_RULES;
export type ResponsesRuleName = keyof typeof RESPONSES_RULES;
export type EmbeddingsRuleName = keyof typeof EMBEDDINGS_RULES;
export type AccountRuleName = keyof typeof ACCOUNT_RULES;

/** For a provider that stores nothing. */
const NOTHING_KEPT: Kept = { response: () => false, item: () => false };

export function judgeChat(body: unknown, without?: Iterable<string>): Refusal | undefined {
  return judge(CHAT_RULES, ofModel(body), without);
}

export function judgeResponses(
  body: unknown,
  kept: Kept | undefined = NOTHING_KEPT,
  without?: Iterable<string>,
): Refusal | undefined {
  return judge(RESPONSES_RULES, { ...ofModel(body), kept }, without);
}

export function judgeEmbeddings(body: unknown, without?: Iterable<string>): Refusal | undefined {
  return judge(EMBEDDINGS_RULES, { body: asObject(body) }, without);
}

export function judgeAccount(body: unknown, without?: Iterable<string>): Refusal | undefined {
  return judge(ACCOUNT_RULES, ofModel(body), without);
}

function ofModel(body: unknown): { body: Loose; model: OpenAiModel } {
  const fields = asObject(body);
  return { body: fields, model: openAiModel(typeof fields['model'] === 'string' ? fields['model'] : '') };
}
