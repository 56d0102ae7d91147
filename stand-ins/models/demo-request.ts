// A request to a demo model, in the same form for all three surfaces. It does not use the gateway's codecs, so requests
// they translate are checked by independent code.

export type Provider = 'openai' | 'anthropic';

export type Item =
  | { readonly kind: 'user'; readonly text: string; readonly attachments: number; readonly reminders?: string }
  | { readonly kind: 'assistant'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly name: string }
  | { readonly kind: 'result'; readonly id: string; readonly text: string };

export type Schema = Readonly<Record<string, unknown>>;

export interface OfferedTool {
  readonly name: string;
  /** The group it was offered in, which a call names as well. */
  readonly namespace?: string;
  /** Takes text instead of an object. */
  readonly freeform?: true;
  readonly schema: Schema;
}

export interface DemoRequest {
  readonly model: string;
  readonly system: string;
  readonly items: readonly Item[];
  readonly tools: readonly OfferedTool[];
  readonly toolChoice: 'auto' | 'none' | 'required' | { readonly name: string };
  readonly parallelCalls: boolean;
  /** The answer must be JSON of this schema. */
  readonly schema: Schema | undefined;
  readonly maxTokens: number | undefined;
  readonly stops: readonly string[];
  /** Thinking is on: the turn then starts with a thinking block. */
  readonly thinks?: boolean;
  /** A summary is asked for, to go on with in place of the conversation. */
  readonly compacts?: boolean;
  readonly stream: boolean;
  /** Whether a chat completion's stream ends with its usage; the other surfaces always report it. */
  readonly streamUsage: boolean;
}

/** Where the offered tools run: in the sandbox of one of our runs, or on the client's side. */
export type ToolLocation = 'sandbox' | 'client';

/** The user's last message and everything after it. */
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
