// Answers a well-formed list or call without the SDK: the list is already serialised, and nothing this service produced
// itself is parsed or validated again.
import { errorBody } from '../../base/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import { reportFailure } from '../../telemetry/report-failure.ts';
import type { ToolCaller } from '../../tools/call-tool.ts';
import { jsonReply, type McpReply } from './mcp-replies.ts';
import type { McpTools, ToolResult } from './mcp-tools.ts';
import type { FastRequest } from './read-fast-request.ts';

export interface FastAnswering {
  readonly tools: McpTools;
  readonly caller: ToolCaller;
  readonly signal: AbortSignal;
  /** JSON text. */
  readonly serverInfo: string;
  readonly log: Log;
}

// Clients must not cache a list: a policy may change at any moment.
const CACHING = ',"ttlMs":0,"cacheScope":"private"';

export async function answerFast(
  request: FastRequest,
  { tools, caller, signal, serverInfo, log }: FastAnswering,
): Promise<McpReply> {
  const id = JSON.stringify(request.id);
  const modern =
    request.era === 'modern'
      ? `,"_meta":{"io.modelcontextprotocol/serverInfo":${serverInfo}},"resultType":"complete"`
      : '';
  try {
    if (request.method === 'tools/list') {
      const { tools: listed, nextCursor } = await tools.list(caller, request.cursor);
      const rest = `${nextCursor === undefined ? '' : `,"nextCursor":${JSON.stringify(nextCursor)}`}${modern === '' ? '' : modern + CACHING}}}`;
      return jsonReply(200, [Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":{"tools":`), listed, Buffer.from(rest)]);
    }
    const { content, isError } = await tools.call(caller, request.name, request.given, { signal });
    return jsonReply(
      200,
      `{"jsonrpc":"2.0","id":${id},"result":{"content":${writeContent(content)}${isError ? ',"isError":true' : ''}${modern}}}`,
    );
  } catch (error) {
    reportFailure(log, error);
    return jsonReply(
      200,
      `{"jsonrpc":"2.0","id":${id},"error":{"code":-32603,"message":${JSON.stringify(errorBody(error).body.error)}}}`,
    );
  }
}

/** Nearly always a single text. */
function writeContent(content: ToolResult['content']): string {
  const [only] = content;
  return content.length === 1 && only?.type === 'text'
    ? `[{"type":"text","text":${JSON.stringify(only['text'])}}]`
    : JSON.stringify(content);
}
