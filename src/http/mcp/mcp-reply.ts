/** An answer that is written whole. What streams is a Response of the SDK's. */
export interface McpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export function jsonReply(
  status: number,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): McpReply {
  return { status, headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers }, body };
}
