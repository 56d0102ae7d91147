// Mentions of capabilities in the prompt: what is being typed after an @, and its matches. The server decides what a
// message mentions; this only helps to type it.
import type { Capability } from '../../integrations/capabilities.ts';

export interface Mention {
  /** The index of the @. */
  readonly start: number;
  readonly query: string;
}

const LONGEST = 100;
/** Not inside a word or an email address. */
const TYPED = /(?:^|[^\w@.+-])@([a-z0-9._-]*)$/i;
const WRITTEN = /(?<![\w@.+-])@([a-z0-9][a-z0-9-]*(?:\.[a-z0-9][a-z0-9._-]*)?)/gi;

/** The mention at the caret, if there is one. */
export function findMention(text: string, caret: number): Mention | undefined {
  const query = TYPED.exec(text.slice(Math.max(0, caret - LONGEST), caret))?.[1];
  return query === undefined ? undefined : { start: caret - query.length - 1, query };
}

/** The text with the mention completed, and the new caret position. */
export function putMention(text: string, { start, query }: Mention, key: string): { text: string; caret: number } {
  const rest = text.slice(start + 1 + query.length);
  const written = `@${key}${rest.startsWith(' ') ? '' : ' '}`;
  return { text: text.slice(0, start) + written + rest, caret: start + key.length + 2 };
}

/** Prefix matches come before other matches. */
export function offerCapabilities(capabilities: readonly Capability[], query: string): readonly Capability[] {
  const words = query.toLowerCase();
  const rank = ({ key, title }: Capability): number =>
    key.startsWith(words) ? 0 : `${key} ${title.toLowerCase()}`.includes(words) ? 1 : 2;
  return capabilities
    .filter((capability) => rank(capability) < 2)
    .sort((a, b) => Number(b.usable) - Number(a.usable) || rank(a) - rank(b))
    .slice(0, 8);
}

/** What the text mentions, each once: a connector, alone or with a connection's name, as the server parses it. */
export function namedKeys(text: string, connectors: ReadonlySet<string>): readonly string[] {
  if (!text.includes('@')) return [];
  const keys = [...text.matchAll(WRITTEN)].map(([, key = '']) => key.toLowerCase().replace(/[._-]+$/, ''));
  return [...new Set(keys)].filter((key) => connectors.has(key.split('.')[0] ?? ''));
}

export interface UnusableApp {
  readonly connector: string;
  /** Why the connection cannot be used; undefined when there is no connection. */
  readonly why?: string;
}

/** The first of these that a run cannot use here. */
export function findUnusable(keys: readonly string[], capabilities: readonly Capability[]): UnusableApp | undefined {
  for (const key of keys) {
    const found = capabilities.find((capability) => capability.key === key);
    if (found?.usable) continue;
    return { connector: key.split('.')[0] ?? key, ...(found?.why === undefined ? {} : { why: found.why }) };
  }
  return undefined;
}
