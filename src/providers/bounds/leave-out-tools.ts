// Tools that the provider runs, and charges for apart, are left out of a request on platform credit; the answer names
// them. Tools that the client runs stay: they cost what their descriptions and results are long.
import { AppError } from '../../base/errors.ts';
import type { Protocol } from '../codecs/neutral.ts';
import { isAbsent, isObject, type Loose } from '../codecs/read-fields.ts';

interface ToolRow {
  /** Types of tools that the client runs. A tool without a type is one where the protocol has such. */
  readonly run: RegExp;
  readonly untyped: boolean;
  /** Fields that are tools of the provider's own under another name. */
  readonly fields: readonly string[];
}

export const CLIENT_TOOLS: Readonly<Record<Protocol, ToolRow>> = {
  chat: { run: /^(?:function|custom)$/, untyped: false, fields: ['web_search_options'] },
  responses: { run: /^(?:function|custom|namespace|local_shell|apply_patch)$/, untyped: false, fields: [] },
  messages: { run: /^(?:custom|(?:bash|text_editor|computer|memory)_\d{8})$/, untyped: true, fields: ['mcp_servers'] },
};

/** A header has room for so many. */
const MOST_NAMED = 32;
/** Choices that are no tool's type. */
const MODES = /^(?:auto|none|any|required|tool|allowed_tools|function|custom|namespace)$/;

export interface WithoutTools {
  readonly body: Loose;
  /** The types of what was left out, each once. */
  readonly leftOut: readonly string[];
}

export function leaveOutTools(protocol: Protocol, body: Loose): WithoutTools {
  const row = CLIENT_TOOLS[protocol];
  const given = Array.isArray(body['tools']) ? (body['tools'] as readonly unknown[]) : [];
  const left = given.filter((tool) => !isRunByClient(row, tool));
  const fields = row.fields.filter((field) => !isAbsent(body[field]));
  if (left.length === 0 && fields.length === 0) {
    refuseDemand(protocol, body['tool_choice'], given, []);
    return { body, leftOut: [] };
  }
  const kept = given.filter((tool) => isRunByClient(row, tool));
  refuseDemand(protocol, body['tool_choice'], kept, left);
  const without: Record<string, unknown> = { ...body };
  for (const field of fields) delete without[field];
  if (kept.length > 0) Object.assign(without, { tools: kept, ...narrowChoice(protocol, body['tool_choice']) });
  else for (const field of ['tools', 'tool_choice', 'parallel_tool_calls']) delete without[field];
  return { body: without, leftOut: [...new Set([...left.map(nameOf), ...fields])].slice(0, MOST_NAMED) };
}

function isRunByClient({ run, untyped }: ToolRow, tool: unknown): boolean {
  const type = isObject(tool) ? tool['type'] : undefined;
  return isAbsent(type) ? untyped : typeof type === 'string' && run.test(type);
}

function nameOf(tool: unknown): string {
  const type = isObject(tool) ? tool['type'] : undefined;
  return typeof type === 'string' ? type.replace(/[^\w.-]/g, '').slice(0, 64) || 'unknown' : 'unknown';
}

/** A choice that only a tool which was left out could meet. */
function refuseDemand(protocol: Protocol, choice: unknown, kept: readonly unknown[], left: readonly unknown[]): void {
  const demanded = findDemand(protocol, choice, kept, left);
  if (demanded !== undefined) throw new AppError('invalid_request', { tool_choice: `asks for ${demanded}, which the provider runs and charges for: it is not available on platform credit` });
}

function findDemand(protocol: Protocol, choice: unknown, kept: readonly unknown[], left: readonly unknown[]): string | undefined {
  const any = left.length > 0 && kept.length === 0 ? nameOf(left[0]) : undefined;
  if (choice === 'required') return any;
  if (!isObject(choice)) return undefined;
  const type = choice['type'];
  if (type === 'any') return any;
  if (type === 'tool') {
    const named = (tools: readonly unknown[]): unknown => tools.find((tool) => isObject(tool) && tool['name'] === choice['name']);
    return named(kept) === undefined && named(left) !== undefined ? nameOf(named(left)) : undefined;
  }
  if (type === 'allowed_tools') {
    const allowed = allowedOf(choice);
    const possible = allowed.filter((tool) => isRunByClient(CLIENT_TOOLS[protocol], tool));
    return allowed.length > 0 && possible.length === 0 ? nameOf(allowed[0]) : undefined;
  }
  return typeof type === 'string' && !MODES.test(type) && !CLIENT_TOOLS[protocol].run.test(type) ? nameOf(choice) : undefined;
}

/** Responses lists them in the choice itself, Chat Completions one level down. */
function allowedOf(choice: Loose): readonly unknown[] {
  const inner = choice['allowed_tools'];
  const tools = isObject(inner) ? inner['tools'] : choice['tools'];
  return Array.isArray(tools) ? (tools as readonly unknown[]) : [];
}

/** What was left out is no longer allowed either. */
function narrowChoice(protocol: Protocol, choice: unknown): Loose {
  if (!isObject(choice) || choice['type'] !== 'allowed_tools') return {};
  const tools = allowedOf(choice).filter((tool) => isRunByClient(CLIENT_TOOLS[protocol], tool));
  const inner = choice['allowed_tools'];
  return { tool_choice: isObject(inner) ? { ...choice, allowed_tools: { ...inner, tools } } : { ...choice, tools } };
}
