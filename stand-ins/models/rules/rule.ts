// What a provider refuses, as rows: each names the page of the provider's documentation it is based on, and refuses in
// the provider's words. The first rule that a request breaks decides.
import type { Refusal } from '../refusal.ts';

interface Rule<Request> {
  readonly docs: string;
  /** Undefined if the request follows the rule. */
  refuse(request: Request): Refusal | undefined;
}

export type Rules<Request> = Readonly<Record<string, Rule<Request>>>;

export function judge<Request>(
  rules: Rules<Request>,
  request: Request,
  without: Iterable<string> = [],
): Refusal | undefined {
  const skipped = new Set(without);
  for (const [name, rule] of Object.entries(rules)) {
    const refusal = skipped.has(name) ? undefined : rule.refuse(request);
    if (refusal) return refusal;
  }
  return undefined;
}
