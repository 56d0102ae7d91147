// What a demo model is asked, the same for the three surfaces. It is written without the gateway's own codecs, so
// that a request that those translate is read here by somebody else.

export type Provider = 'openai' | 'anthropic';

export type Item =
  | { readonly kind: 'user'; readonly text: string; readonly attachments: number }
  | { readonly kind: 'assistant'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly name: string }
  | { readonly kind: 'result'; readonly id: string; readonly text: string };

export type Schema = Readonly<Record<string, unknown>>;

export interface Tool {
  readonly name: string;
  /** The group that it was offered in, which a call names too. */
  readonly namespace?: string;
  /** It takes a text instead of an object. */
  readonly freeform?: true;
  readonly schema: Schema;
}

export interface Asked {
  readonly model: string;
  readonly system: string;
  readonly items: readonly Item[];
  readonly tools: readonly Tool[];
  readonly toolChoice: 'auto' | 'none' | 'required' | { readonly name: string };
  readonly parallelCalls: boolean;
  /** The answer is to be JSON of this schema. */
  readonly schema: Schema | undefined;
  readonly maxTokens: number | undefined;
  readonly stops: readonly string[];
  /** Thinking is switched on: a turn then begins with some. */
  readonly thinks?: boolean;
  readonly stream: boolean;
  /** Whether a chat completion's stream ends with its usage; the other surfaces always say it. */
  readonly streamUsage: boolean;
}

/** Where the tools that are offered run: in the sandbox of a run of ours, or wherever a client keeps them. */
export type Place = 'sandbox' | 'client';

/** The last thing that the user said, and what has happened since. */
export function lastExchange(items: readonly Item[]): {
  user: Extract<Item, { kind: 'user' }>;
  since: readonly Item[];
} {
  const at = items.findLastIndex(({ kind }) => kind === 'user');
  const user = items[at];
  return user?.kind === 'user'
    ? { user, since: items.slice(at + 1) }
    : { user: { kind: 'user', text: '', attachments: 0 }, since: items };
}
