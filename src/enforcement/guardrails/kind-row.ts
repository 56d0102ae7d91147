// One kind of guardrail: what its config takes, and where in a text it finds something. Evaluation depends on its two
// arguments alone. Text is long and configs are written by users, so every pattern in this room has bounded repeats.
import type { z } from 'zod';

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface KindRow {
  /** What is wrong with a config, by field; empty when nothing is. */
  findFaults(config: unknown): Record<string, string>;
  evaluate(text: string, config: unknown): readonly Span[] | Promise<readonly Span[]>;
}

/** Fields that a kind does not know are kept and ignored. */
export function defineKind<C>(schema: z.ZodType<C>, evaluate: (text: string, config: C) => readonly Span[] | Promise<readonly Span[]>): KindRow {
  return {
    findFaults(config) {
      const parsed = schema.safeParse(config);
      return parsed.success ? {} : Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.map(String).join('.') || 'config', message]));
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

/** A pattern for any of these words or phrases; undefined when there are none. */
export function wordsPattern(words: readonly string[], options: { caseSensitive?: boolean; wholeWord?: boolean } = {}): RegExp | undefined {
  const { caseSensitive = false, wholeWord = true } = options;
  // The longest first, so that a phrase wins over a word that begins it.
  const alternatives = [...new Set(words)].filter((word) => word.trim() !== '').sort((a, b) => b.length - a.length).map(escapePattern);
  if (alternatives.length === 0) return undefined;
  const any = `(?:${alternatives.join('|')})`;
  return new RegExp(wholeWord ? `(?<![\\p{L}\\p{N}_])${any}(?![\\p{L}\\p{N}_])` : any, caseSensitive ? 'gu' : 'giu');
}

function escapePattern(text: string): string {
  return text.trim().replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s{1,10}');
}
