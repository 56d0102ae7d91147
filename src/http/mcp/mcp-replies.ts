// Replies that are written whole, among them the refusals before any MCP message is handled. Clients read the challenge
// of a refusal to find out where to sign in.
import { AppError, errorBody, type ErrorCode } from '../../base/errors.ts';

/** A reply that is not streamed. A streamed one is a Response from the SDK. */
export interface McpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** In several pieces if one of them is large and kept: it is not copied then. */
  readonly body: string | readonly Buffer[];
}

export function jsonReply(
  status: number,
  body: McpReply['body'],
  headers: Readonly<Record<string, string>> = {},
): McpReply {
  return { status, headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers }, body };
}

function metadataUrl(publicUrl: string): string {
  return `${publicUrl.replace(/\/+$/, '')}/.well-known/oauth-protected-resource/connect/mcp`;
}

function refuse(
  code: ErrorCode,
  headers: Record<string, string> = {},
  details: Record<string, unknown> = {},
): McpReply {
  const { status, body } = errorBody(new AppError(code, details));
  return jsonReply(status, JSON.stringify(body), headers);
}

/** 401: no token, or an invalid one (RFC 9728, RFC 6750). */
export function refuseUnauthenticated(publicUrl: string, tokenGiven: boolean): McpReply {
  return refuse('unauthenticated', {
    'www-authenticate': `Bearer resource_metadata="${metadataUrl(publicUrl)}"${tokenGiven ? ', error="invalid_token"' : ''}`,
  });
}

/** 403: the token lacks the scope. The client may ask the user for more. */
export function refuseScope(publicUrl: string): McpReply {
  const scope = 'connect:read';
  return refuse(
    'insufficient_scope',
    {
      'www-authenticate': `Bearer resource_metadata="${metadataUrl(publicUrl)}", error="insufficient_scope", scope="${scope}"`,
    },
    { scope },
  );
}

export function refuseTooMany(retryAfterSeconds: number): McpReply {
  return refuse('rate_limited', { 'retry-after': String(retryAfterSeconds) });
}

export function refuseForeignOrigin(): McpReply {
  return refuse('cross_origin');
}

/** No protocol revision served here has batches, and a batch of calls would count as one request against the limit. */
export function refuseBatch(): McpReply {
  return jsonReply(
    400,
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request: the body must be one message, not a list of messages."}}',
  );
}

/** There are no sessions to read from or to end, so every request is a POST. */
export function refuseMethod(): McpReply {
  return jsonReply(405, '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Method not allowed."}}', {
    allow: 'POST',
  });
}
