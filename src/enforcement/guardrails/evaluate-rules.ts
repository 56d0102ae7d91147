// Evaluates rules against a sample text, for the test route alone: no live traffic comes through here.
import { AppError } from '../../base/errors.ts';
import type { GuardrailMatch, GuardrailRule } from '../../contract/guardrails.ts';
import { KINDS } from './kinds.ts';

/** Together; one slow rule is ended long before by its own limit. */
const TIME_LIMIT_MS = 3_000;
const MOST_MATCHES = 5_000;

/** In the order of the text. */
export async function evaluateRules(rules: readonly GuardrailRule[], text: string): Promise<GuardrailMatch[]> {
  const startedAt = performance.now();
  const matches: GuardrailMatch[] = [];
  for (const { kind, config } of rules) {
    for (const { start, end } of await KINDS[kind].evaluate(text, config)) matches.push({ kind, start, end, text: text.slice(start, end) });
    if (matches.length >= MOST_MATCHES) break;
    if (performance.now() - startedAt > TIME_LIMIT_MS) throw new AppError('guardrail_too_slow');
  }
  return matches.slice(0, MOST_MATCHES).sort((a, b) => a.start - b.start || a.end - b.end);
}
