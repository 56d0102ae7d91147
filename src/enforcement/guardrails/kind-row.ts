// One kind of guardrail: what its config takes, and where in a text it finds something. Evaluation depends on its two
// arguments alone. Text is long and configs are written by users, so every pattern in this room has bounded repeats,
// and both verbs are called on a thread that can be ended (guardrail-thread.ts).
import type { z } from 'zod';

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface KindRow {
  /** What is wrong with a config, by field; empty when nothing is. */
  findFaults(config: unknown): Record<string, string>;
  evaluate(text: string, config: unknown): readonly Span[];
}

/** Fields that a kind does not know are kept and ignored. */
export function defineKind<C>(schema: z.ZodType<C>, evaluate: (text: string, config: C) => readonly Span[]): KindRow {
  return {
    findFaults(config) {
      const parsed = schema.safeParse(config);
      return parsed.success
        ? {}
        : Object.fromEntries(
            parsed.error.issues.map(({ path, message }) => [path.map(String).join('.') || 'config', message]),
          );
    },
    evaluate: (text, config) => evaluate(text, schema.parse(config)),
  };
}

/** Matches that are kept of one rule. */
export const MOST_MATCHES = 1_000;

export function findSpans(text: string, pattern: RegExp, accept: (match: string) => boolean = () => true): Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(pattern)) {
    if (match[0] === '' || !accept(match[0])) continue;
    spans.push({ start: match.index, end: match.index + match[0].length });
    if (spans.length === MOST_MATCHES) break;
  }
  return spans;
}
