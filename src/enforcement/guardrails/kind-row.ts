// One kind of guardrail: its config schema, and where it matches in a text. Evaluation depends on its two arguments
// alone. Texts are long and configs are user input, so every pattern here has bounded repeats, and both functions run
// on a thread that can be terminated (guardrail-thread.ts).
import type { z } from 'zod';

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface KindRow {
  /** Faults of a config, by field. */
  findFaults(config: unknown): Record<string, string>;
  evaluate(text: string, config: unknown): readonly Span[];
}

/** Unknown fields are kept and ignored. */
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

/** The most matches kept per rule. */
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
