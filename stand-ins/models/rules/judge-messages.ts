// How Anthropic would refuse a request.
import type { IncomingHttpHeaders } from 'node:http';
import type { Refusal } from '../refusal.ts';
import { FORM_RULES } from './messages-form-rules.ts';
import { MEDIA_RULES } from './messages-media-rules.ts';
import { MODEL_RULES } from './messages-model-rules.ts';
import { type MessagesRequest, readRequest } from './messages-request.ts';
import { TOOL_RULES } from './messages-tool-rules.ts';
import { TURN_RULES } from './messages-turn-rules.ts';
import { judge, type Rules } from './rule.ts';

export const MESSAGES_RULES = {
  ...FORM_RULES,
  ...TURN_RULES,
  ...TOOL_RULES,
  ...MODEL_RULES,
  ...MEDIA_RULES,
} as const satisfies Rules<MessagesRequest>;

export type MessagesRuleName = keyof typeof MESSAGES_RULES;

export function judgeMessages(
  request: { headers: IncomingHttpHeaders; body: unknown; counting?: boolean },
  without?: Iterable<string>,
): Refusal | undefined {
  return judge(MESSAGES_RULES, readRequest(request.headers, request.body, request.counting ?? false), without);
}
