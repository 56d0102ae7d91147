import type { Effort, NeutralRequest } from '../neutral.ts';
import type { Loose } from '../read-fields.ts';
import { effortOf } from '../reasoning-effort.ts';

export type ThinkingStyle = 'adaptive' | 'budget' | 'none';

const MIN_BUDGET = 1024;

/** Anthropic has no `minimal`; `none` switches thinking off. */
const EFFORT = {
  none: undefined,
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'xhigh',
  max: 'max',
} as const satisfies Record<Effort, string | undefined>;
const BUDGET = {
  none: 0,
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 16_384,
  xhigh: 32_768,
  max: 65_536,
} as const satisfies Record<Effort, number>;

export interface Thinking {
  readonly thinking?: Loose | undefined;
  readonly effort?: string | undefined;
}

/**
 * Thinking is requested only where Anthropic allows it: never with a forced tool call, and with a budget neither if the
 * limit leaves no room nor if the request continues a turn of tool calls whose signed reasoning the client did not
 * keep.
 */
export function encodeThinking(request: NeutralRequest, style: ThinkingStyle, maxTokens: number): Thinking {
  const { reasoning, toolChoice } = request;
  if (style === 'none' || reasoning === undefined) return {};
  if (reasoning.effort === 'none') return style === 'adaptive' ? { thinking: { type: 'disabled' } } : {};
  const forced = toolChoice?.type === 'required' || toolChoice?.type === 'named';
  const display = reasoning.summary === true ? { display: 'summarized' } : {};
  if (style === 'adaptive') {
    const known = effortOf(reasoning);
    const effort = known === undefined ? undefined : EFFORT[known];
    return forced ? { effort } : { thinking: { type: 'adaptive', ...display }, effort };
  }
  const wanted = reasoning.budgetTokens ?? BUDGET[reasoning.effort ?? 'medium'];
  const budget = Math.min(wanted, Math.floor(maxTokens * 0.8));
  if (forced || budget < MIN_BUDGET || continuesUnsignedTurn(request)) return {};
  return { thinking: { type: 'enabled', budget_tokens: budget, ...display } };
}

/** Results, and the user's text after them, become one message: the turn continues until the user writes alone. */
function continuesUnsignedTurn({ messages }: NeutralRequest): boolean {
  const last = messages.findLastIndex((message) => message.role === 'assistant');
  const turn = messages[last];
  if (turn?.role !== 'assistant' || !messages.slice(last + 1).some((message) => message.role === 'tool')) return false;
  return !turn.parts.some(
    (part) => part.type === 'reasoning' && (part.signature !== undefined || part.redacted !== undefined),
  );
}
