// Provider-run tools are left out if no one pays for them (platform credit) or nothing can run them (a model of another
// protocol); the answer names them. Tools that the client runs stay: they cost only the tokens of their descriptions
// and results.
import { AppError } from '../../base/errors.ts';
import type { Protocol } from '../codecs/neutral.ts';
import { isAbsent, isObject, type Loose } from '../codecs/read-fields.ts';
import { TOOL_ITEMS } from '../codecs/responses/decode-tools.ts';
import { findTypedTool } from '../codecs/responses/typed-tools.ts';

interface ToolRow {
  readonly isRunByClient: (tool: Loose) => boolean;
  /** Fields that are provider tools under another name. */
  readonly fields: readonly string[];
}

const typeOf = (tool: Loose): string => (typeof tool['type'] === 'string' ? tool['type'] : '');

const CLIENT_TOOLS: Readonly<Record<Protocol, ToolRow>> = {
  chat: { isRunByClient: (tool) => /^(?:function|custom)$/.test(typeOf(tool)), fields: ['web_search_options'] },
  responses: {
    isRunByClient: (tool) => /^(?:function|custom|namespace)$/.test(typeOf(tool)) || findTypedTool(tool) !== undefined,
    fields: [],
  },
  // A tool without a type is the client's.
  messages: {
    isRunByClient: (tool) =>
      isAbsent(tool['type']) || /^(?:custom|(?:bash|text_editor|computer|memory)_\d{8})$/.test(typeOf(tool)),
    fields: ['mcp_servers'],
  },
};

const REASONS = {
  cost: 'which the provider runs and charges for: it is not available on platform credit',
  protocol: 'which the provider runs: it is not available for this model',
} as const;

/** The most that fit in a header. */
const MOST_NAMED = 32;
/** Choices that are not the type of a tool. */
const MODES = /^(?:auto|none|any|required|tool|allowed_tools|function|custom|namespace)$/;

export interface WithoutTools {
  readonly body: Loose;
  /** The types of what was left out, each once. */
  readonly leftOut: readonly string[];
}

export function leaveOutTools(protocol: Protocol, body: Loose, reason: keyof typeof REASONS): WithoutTools {
  const row = CLIENT_TOOLS[protocol];
  const isKept = (tool: unknown): boolean => isObject(tool) && row.isRunByClient(tool);
  const given = offeredTools(protocol, body);
  const kept = given.filter(isKept);
  const left = given.filter((tool) => !isKept(tool));
  const fields = row.fields.filter((field) => !isAbsent(body[field]));
  const demanded = findDemand(body['tool_choice'], kept, left);
  if (demanded !== undefined)
    throw new AppError('invalid_request', { tool_choice: `asks for ${demanded}, ${REASONS[reason]}` });
  if (left.length === 0 && fields.length === 0) return { body, leftOut: [] };

  const clean = left.some((tool) => nameOf(tool).startsWith('tool_search'))
    ? showDeferred
    : (tool: unknown): unknown => tool;
  const keep = (tools: unknown): unknown[] =>
    Array.isArray(tools) ? (tools as readonly unknown[]).filter(isKept).map(clean) : [];
  const without: Record<string, unknown> = { ...body, ...narrowChoice(body['tool_choice'], kept) };
  for (const field of fields) delete without[field];
  if (!isAbsent(body['tools'])) without['tools'] = keep(body['tools']);
  if (Array.isArray(without['tools']) && without['tools'].length === 0) delete without['tools'];
  if (kept.length === 0) for (const field of ['tool_choice', 'parallel_tool_calls']) delete without[field];
  if (protocol === 'responses' && Array.isArray(body['input']))
    without['input'] = (body['input'] as readonly unknown[]).flatMap((item) => keepInItem(item, keep));
  return { body: without, leftOut: [...new Set([...left.map(nameOf), ...fields])].slice(0, MOST_NAMED) };
}

/** A Responses conversation may also offer tools in its items. */
function offeredTools(protocol: Protocol, body: Loose): readonly unknown[] {
  const items =
    protocol === 'responses' && Array.isArray(body['input'])
      ? (body['input'] as readonly unknown[]).filter((item) => isObject(item) && TOOL_ITEMS.has(item['type']))
      : [];
  return [body, ...items].flatMap((holder) =>
    isObject(holder) && Array.isArray(holder['tools']) ? (holder['tools'] as readonly unknown[]) : [],
  );
}

/** An item that exists only for its tools is dropped with the last of them. */
function keepInItem(item: unknown, keep: (tools: unknown) => unknown[]): unknown[] {
  if (!isObject(item) || !TOOL_ITEMS.has(item['type'])) return [item];
  const tools = keep(item['tools']);
  return item['type'] === 'additional_tools' && tools.length === 0 ? [] : [{ ...item, tools }];
}

/** Without tool search, deferred tools would never be found, so the model sees them from the start. */
function showDeferred(tool: unknown): unknown {
  if (!isObject(tool)) return tool;
  const { defer_loading: _deferred, ...shown } = tool;
  return Array.isArray(shown['tools'])
    ? { ...shown, tools: (shown['tools'] as readonly unknown[]).map(showDeferred) }
    : shown;
}

function isOfType(tool: unknown, type: string): boolean {
  return isObject(tool) && tool['type'] === type;
}

function nameOf(tool: unknown): string {
  const type = isObject(tool) ? tool['type'] : undefined;
  return typeof type === 'string' ? type.replace(/[^\w.-]/g, '').slice(0, 64) || 'unknown' : 'unknown';
}

/** The tool that a choice demands, if only a left-out tool could satisfy it. */
function findDemand(choice: unknown, kept: readonly unknown[], left: readonly unknown[]): string | undefined {
  const any = left.length > 0 && kept.length === 0 ? nameOf(left[0]) : undefined;
  if (choice === 'required') return any;
  if (!isObject(choice)) return undefined;
  const type = choice['type'];
  if (type === 'any') return any;
  if (type === 'tool') {
    const named = (tools: readonly unknown[]): unknown =>
      tools.find((tool) => isObject(tool) && tool['name'] === choice['name']);
    return named(kept) === undefined && named(left) !== undefined ? nameOf(named(left)) : undefined;
  }
  if (type === 'allowed_tools') {
    const allowed = allowedOf(choice);
    return allowed.length > 0 && !allowed.some((tool) => isPossible(tool, kept)) ? nameOf(allowed[0]) : undefined;
  }
  return typeof type === 'string' && !isPossible(choice, kept) ? nameOf(choice) : undefined;
}

/** Whether a client tool can satisfy the choice. */
function isPossible(choice: unknown, kept: readonly unknown[]): boolean {
  const type = isObject(choice) ? choice['type'] : undefined;
  return typeof type === 'string' && (MODES.test(type) || kept.some((tool) => isOfType(tool, type)));
}

/** Responses lists them in the choice itself, Chat Completions one level down. */
function allowedOf(choice: Loose): readonly unknown[] {
  const inner = choice['allowed_tools'];
  const tools = isObject(inner) ? inner['tools'] : choice['tools'];
  return Array.isArray(tools) ? (tools as readonly unknown[]) : [];
}

/** Removes left-out tools from the allowed ones. */
function narrowChoice(choice: unknown, kept: readonly unknown[]): Loose {
  if (!isObject(choice) || choice['type'] !== 'allowed_tools') return {};
  const tools = allowedOf(choice).filter((tool) => isPossible(tool, kept));
  const inner = choice['allowed_tools'];
  return { tool_choice: isObject(inner) ? { ...choice, allowed_tools: { ...inner, tools } } : { ...choice, tools } };
}
