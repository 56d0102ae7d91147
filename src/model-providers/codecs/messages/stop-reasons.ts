import type { FinishReason } from '../neutral.ts';

const FROM_MESSAGES: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool-calls',
  refusal: 'content-filter',
};

const TO_MESSAGES = {
  stop: 'end_turn',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  'content-filter': 'refusal',
  error: 'end_turn',
} as const satisfies Record<FinishReason, string>;

export function fromStopReason(reason: string): FinishReason {
  return Object.hasOwn(FROM_MESSAGES, reason) ? (FROM_MESSAGES[reason] ?? 'stop') : 'stop';
}

/** OpenAI's models end a refusal as any other answer; here clients learn of it by this field alone. */
export function toStopReason(reason: FinishReason, stopSequence: string | undefined, isRefusal: boolean): string {
  if (reason === 'stop' && isRefusal) return 'refusal';
  return reason === 'stop' && stopSequence !== undefined ? 'stop_sequence' : TO_MESSAGES[reason];
}
