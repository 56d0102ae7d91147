import type { FinishReason } from '../neutral.ts';

const FROM_CHAT: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'content-filter',
};

const TO_CHAT = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
  error: 'stop',
} as const satisfies Record<FinishReason, string>;

/** A forced call ends with `stop` at OpenAI, but the client must still learn that there are calls to run. */
export function fromChatFinish(reason: string, calls: number): FinishReason {
  const finish = Object.hasOwn(FROM_CHAT, reason) ? (FROM_CHAT[reason] ?? 'stop') : 'stop';
  return finish === 'stop' && calls > 0 ? 'tool-calls' : finish;
}

export function toChatFinish(reason: FinishReason): string {
  return TO_CHAT[reason];
}
