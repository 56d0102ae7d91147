// Refusals that are HTTP and not MCP: who may not come in at all. Clients read the challenge to find out where to sign in.
import { AppError, errorBody, type ErrorCode } from '../../base/errors.ts';
import { jsonReply, type McpReply } from './mcp-reply.ts';

function metadataUrl(publicUrl: string): string {
  return `${publicUrl.replace(/\/+$/, '')}/.well-known/oauth-protected-resource/connect/mcp`;
}

function refuse(code: ErrorCode, headers: Record<string, string> = {}): McpReply {
  const { status, body } = errorBody(new AppError(code));
  return jsonReply(status, JSON.stringify(body), headers);
}

/** 401: no token, or none that is valid (RFC 9728, RFC 6750). */
export function refuseUnauthenticated(publicUrl: string, tokenGiven: boolean): McpReply {
  return refuse('unauthenticated', {
    'www-authenticate': `Bearer resource_metadata="${metadataUrl(publicUrl)}"${tokenGiven ? ', error="invalid_token"' : ''}`,
  });
}

/** 403: a token that was not made for this. The client may ask the person for more. */
export function refuseScope(publicUrl: string): McpReply {
  return refuse('insufficient_scope', {
    'www-authenticate': `Bearer resource_metadata="${metadataUrl(publicUrl)}", error="insufficient_scope", scope="connect:read"`,
  });
}

export function refuseTooMany(retryAfterSeconds: number): McpReply {
  return refuse('rate_limited', { 'retry-after': String(retryAfterSeconds) });
}

export function refuseForeignOrigin(): McpReply {
  return refuse('cross_origin');
}

/** A body is one message: no revision that is served here has batches, and several calls in one would count as one. */
export function refuseBatch(): McpReply {
  return jsonReply(
    400,
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request: the body must be one message, not a list of messages."}}',
  );
}

/** There is no session to read from or to end: everything is a POST. */
export function refuseMethod(): McpReply {
  return jsonReply(405, '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Method not allowed."}}', {
    allow: 'POST',
  });
}
