// A tool's outcome as an MCP result. The text is the REST answer without its receipt. A long one is truncated and says
// so, because an app's answer can be larger than a model's context.
import { AppError, errorBody } from '../../base/errors.ts';
import type { ToolOutcome } from '../../tools/call-tool.ts';
import type { ToolResult } from './mcp-tools.ts';

const MAX_TEXT_LENGTH = 100_000;

export function writeOutcome(outcome: ToolOutcome): ToolResult {
  if ('failure' in outcome) return writeRefusal(outcome.failure);
  const { status, headers, data } = outcome.answer;
  if (status === 401) return writeRefusal(new AppError('reconnect_required'));
  const ok = status >= 200 && status < 300;
  const text = cut(`${JSON.stringify({ ok, status, headers }).slice(0, -1)},"data":${data}}`);
  return ok ? { content: [{ type: 'text', text }] } : { content: [{ type: 'text', text }], isError: true };
}

/** First the exact error, then, as a separate text, what to do about it. */
export function writeRefusal(error: unknown): ToolResult {
  const { error: text, message, details } = errorBody(error).body;
  const lines = [
    message,
    ...Object.entries((details as Record<string, unknown> | undefined) ?? {}).map(
      ([field, fault]) => `${field}: ${String(fault)}`,
    ),
  ].filter((line) => line !== undefined);
  return {
    content: [{ type: 'text', text }, ...(lines.length > 0 ? [{ type: 'text' as const, text: lines.join('\n') }] : [])],
    isError: true,
  };
}

function cut(text: string): string {
  if (text.length <= MAX_TEXT_LENGTH) return text;
  const kept = text.slice(0, MAX_TEXT_LENGTH).toWellFormed();
  return `${kept}\n[cut: the first ${MAX_TEXT_LENGTH} of ${text.length} characters. For the rest ask for less at a time with this tool's paging, field or filter arguments, or make the same call at POST /connect/call, which answers with up to 5 MiB.]`;
}
