/** An answer that is written whole. What streams is a Response of the SDK's. */
export interface McpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Whole, or in pieces that are sent one after the other. */
  readonly body: string | readonly Buffer[];
}

export function jsonReply(status: number, body: McpReply['body'], headers: Readonly<Record<string, string>> = {}): McpReply {
  return { status, headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers }, body };
}
