// `?tools=search`: three tools in place of the full list, for clients whose context is too small for every description.
// They find and call exactly the tools of the list.
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import { advertise, type ListedTool } from '../../tools/list-tools.ts';
import { type AggregateTools, toResult } from './aggregate-tools.ts';
import type { McpTools, ToolResult } from './mcp-tools.ts';

const DEFAULT_FOUND = 10;
const MAX_FOUND = 50;

const META_TOOLS = [
  {
    name: 'call-tool',
    description:
      'Calls one tool by its name with the arguments that describe-tool shows. Writes change the connected app at once.',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Name from find-tools.', maxLength: 64 },
        arguments: { type: 'object', description: 'Arguments of that tool.', additionalProperties: true },
      },
      required: ['name'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false },
  },
  {
    name: 'describe-tool',
    description: 'Returns the description and the input schema of one tool.',
    inputSchema: {
      type: 'object',
      properties: { name: { type: 'string', description: 'Name from find-tools.', maxLength: 64 } },
      required: ['name'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'find-tools',
    description:
      'Finds tools of the connected apps by words such as "create github issue". Returns names and descriptions, best first; without query, all in order of name.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What you want to do, or the app.', maxLength: 500 },
        limit: {
          type: 'integer',
          description: `How many; ${DEFAULT_FOUND} when absent.`,
          minimum: 1,
          maximum: MAX_FOUND,
        },
        offset: { type: 'integer', description: 'How many to skip, for the next page.', minimum: 0, maximum: 100_000 },
      },
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
  },
] as const;

const LIST = Buffer.from(JSON.stringify(META_TOOLS));

export function createSearchTools(all: AggregateTools, log: Log): McpTools {
  return {
    list: async () => ({ tools: LIST }),

    async call(caller, name, given, context) {
      if (!isInput(given))
        return toResult(() => Promise.reject(new AppError('invalid_request', { arguments: 'must be an object' })), log);
      const input = given ?? {};
      switch (name) {
        case 'find-tools':
          return toResult(async () => text(find(await all.listAll(caller), input)), log);
        case 'describe-tool':
          return toResult(async () => {
            const listed = (await all.listAll(caller)).find((entry) => entry.name === input['name']);
            if (!listed) throw new AppError('tool_not_found');
            return text(advertise(listed));
          }, log);
        case 'call-tool':
          if (typeof input['name'] !== 'string')
            return toResult(
              () => Promise.reject(new AppError('invalid_request', { 'arguments.name': 'must be string' })),
              log,
            );
          return all.call(caller, input['name'], input['arguments'], context);
        default:
          return toResult(() => Promise.reject(new AppError('tool_not_found')), log);
      }
    },
  };
}

function find(
  tools: readonly ListedTool[],
  { query, limit, offset }: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const ranked = typeof query === 'string' && query.trim() !== '' ? rankTools(tools, query) : tools;
  const start = isCount(offset) ? offset : 0;
  const found = ranked.slice(start, start + Math.min(isCount(limit) ? limit : DEFAULT_FOUND, MAX_FOUND));
  return {
    tools: found.map((listed) => ({
      name: listed.name,
      description: advertise(listed).description,
      access: listed.tool.access,
    })),
    total: ranked.length,
  };
}

/** Tools that share a word with the query, best first; a word in the name counts more than one in the description. */
function rankTools(tools: readonly ListedTool[], query: string): ListedTool[] {
  const wanted = [...new Set(words(query))];
  return tools
    .map((listed) => ({ listed, score: score(listed, wanted) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.listed.name < b.listed.name ? -1 : 1))
    .map(({ listed }) => listed);
}

function score({ name, connection, tool }: ListedTool, wanted: readonly string[]): number {
  const named = words(name);
  const described = words(tool.description);
  return wanted.reduce(
    (sum, word) => sum + (connection.provider === word ? 6 : 0) + match(named, word) * 4 + match(described, word),
    0,
  );
}

/** 1 for the word itself, a half for a shared prefix: "issue" finds "issues". */
function match(among: readonly string[], word: string): number {
  if (among.includes(word)) return 1;
  return word.length >= 3 &&
    among.some((other) => other.startsWith(word) || (other.length >= 3 && word.startsWith(other)))
    ? 0.5
    : 0;
}

function words(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

function isInput(given: unknown): given is Readonly<Record<string, unknown>> | undefined {
  return given === undefined || (typeof given === 'object' && given !== null && !Array.isArray(given));
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function text(value: unknown): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }] };
}
