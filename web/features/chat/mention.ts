// Naming a capability in the prompt: what is being typed behind an @, and what could be meant. The server decides
// what a message names; this only helps to write it.
import type { Capability } from '../integrations/capabilities.ts';

export interface Mention {
  /** Where the @ stands. */
  readonly start: number;
  readonly query: string;
}

const LONGEST = 100;
/** Not in the middle of a word or an address. */
const TYPED = /(?:^|[^\w@.+-])@([a-z0-9._-]*)$/i;
const WRITTEN = /(?<![\w@.+-])@([a-z0-9][a-z0-9-]*(?:\.[a-z0-9][a-z0-9._-]*)?)/gi;

/** What is being typed at the caret, if it is a mention. */
export function findMention(text: string, caret: number): Mention | undefined {
  const query = TYPED.exec(text.slice(Math.max(0, caret - LONGEST), caret))?.[1];
  return query === undefined ? undefined : { start: caret - query.length - 1, query };
}

/** The text with the mention written out, and where the caret goes. */
export function putMention(text: string, { start, query }: Mention, key: string): { text: string; caret: number } {
  const rest = text.slice(start + 1 + query.length);
  const written = `@${key}${rest.startsWith(' ') ? '' : ' '}`;
  return { text: text.slice(0, start) + written + rest, caret: start + key.length + 2 };
}

/** Those that begin with what was typed before those that only hold it. */
export function offerCapabilities(capabilities: readonly Capability[], query: string): readonly Capability[] {
  const words = query.toLowerCase();
  const rank = ({ key, title }: Capability): number =>
    key.startsWith(words) ? 0 : `${key} ${title.toLowerCase()}`.includes(words) ? 1 : 2;
  return capabilities
    .filter((capability) => rank(capability) < 2)
    .sort((a, b) => Number(b.usable) - Number(a.usable) || rank(a) - rank(b))
    .slice(0, 8);
}

/** What the text names, each once: a connector of the catalogue, alone or with a connection's name, as the server reads it. */
export function namedKeys(text: string, connectors: ReadonlySet<string>): readonly string[] {
  if (!text.includes('@')) return [];
  const keys = [...text.matchAll(WRITTEN)].map(([, key = '']) => key.toLowerCase().replace(/[._-]+$/, ''));
  return [...new Set(keys)].filter((key) => connectors.has(key.split('.')[0] ?? ''));
}

export interface UnusableApp {
  readonly connector: string;
  /** Why a connection that is there cannot be used; undefined when there is none. */
  readonly why?: string;
}

/** The first of these that a run could not use here. */
export function findUnusable(keys: readonly string[], capabilities: readonly Capability[]): UnusableApp | undefined {
  for (const key of keys) {
    const found = capabilities.find((capability) => capability.key === key);
    if (found?.usable) continue;
    return { connector: key.split('.')[0] ?? key, ...(found?.why === undefined ? {} : { why: found.why }) };
  }
  return undefined;
}
