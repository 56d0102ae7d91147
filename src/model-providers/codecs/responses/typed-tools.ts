// Client-run tools that Responses identifies by type alone. For a provider without such types they become functions
// with the documented fields as arguments; calls become the items that the client expects, and back.
import type { JsonSchema, TypedTool } from '../neutral.ts';
import { isObject, type Loose } from '../read-fields.ts';

export interface TypedToolRow {
  /** The item types of a call and its result, and the prefix of call ids. */
  readonly call: string;
  readonly output: string;
  readonly prefix: string;
  readonly describe: (tool: Loose) => { readonly description: string; readonly schema: JsonSchema };
  /** The fields of a call's item, from the arguments that the model wrote. */
  readonly toItem: (call: Loose) => Loose;
  readonly toArguments: (item: Loose) => Loose;
  readonly isError?: (output: Loose) => boolean;
}

const text = (description: string): JsonSchema => ({ type: 'string', description });
const texts = (description: string): JsonSchema => ({ type: 'array', items: { type: 'string' }, description });
const milliseconds: JsonSchema = { type: 'integer', description: 'How long it may take, in milliseconds.' };
const schema = (properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

export const TYPED_TOOLS = {
  tool_search: {
    call: 'tool_search_call',
    output: 'tool_search_output',
    prefix: 'tsc',
    describe: ({ description, parameters }) => ({
      description:
        typeof description === 'string'
          ? description
          : 'Finds further tools by what they do; they can be called afterwards.',
      schema: isObject(parameters) ? parameters : schema({ query: text('What the tool should do.') }, ['query']),
    }),
    toItem: (call) => ({ execution: 'client', arguments: call }),
    toArguments: ({ arguments: asked }) => (isObject(asked) ? asked : {}),
  },
  local_shell: {
    call: 'local_shell_call',
    output: 'local_shell_call_output',
    prefix: 'lsh',
    describe: () => ({
      description: 'Runs a program on the user’s machine.',
      schema: schema(
        {
          command: texts('The program and its arguments.'),
          working_directory: text('Where it runs.'),
          timeout_ms: milliseconds,
          env: {
            type: 'object',
            additionalProperties: { type: 'string' },
            description: 'Variables of its environment.',
          },
        },
        ['command'],
      ),
    }),
    toItem: ({ command, working_directory: directory, timeout_ms: timeout, env }) => ({
      action: {
        type: 'exec',
        command: listOfTexts(command),
        env: isObject(env) ? env : {},
        ...(typeof timeout === 'number' ? { timeout_ms: timeout } : {}),
        ...(typeof directory === 'string' ? { working_directory: directory } : {}),
      },
    }),
    toArguments: ({ action }) => withoutEmpty(action, ['type', 'user']),
  },
  shell: {
    call: 'shell_call',
    output: 'shell_call_output',
    prefix: 'sh',
    describe: () => ({
      description: 'Runs shell commands on the user’s machine.',
      schema: schema(
        {
          commands: texts('The commands; they run at the same time.'),
          timeout_ms: milliseconds,
          max_output_length: { type: 'integer', description: 'The most characters of output.' },
        },
        ['commands'],
      ),
    }),
    toItem: ({ commands, timeout_ms: timeout, max_output_length: length }) => ({
      action: {
        commands: listOfTexts(commands),
        timeout_ms: typeof timeout === 'number' ? timeout : null,
        max_output_length: typeof length === 'number' ? length : null,
      },
      environment: { type: 'local' },
    }),
    toArguments: ({ action }) => withoutEmpty(action, []),
  },
  apply_patch: {
    call: 'apply_patch_call',
    output: 'apply_patch_call_output',
    prefix: 'apc',
    describe: () => ({
      description: 'Creates, updates or deletes a file on the user’s machine.',
      schema: schema(
        {
          type: { type: 'string', enum: ['create_file', 'update_file', 'delete_file'] },
          path: text('The file.'),
          diff: text('For create_file and update_file: the change, as a V4A diff.'),
        },
        ['type', 'path'],
      ),
    }),
    toItem: ({ type, path, diff }) => ({
      operation: {
        type: typeof type === 'string' ? type : 'update_file',
        path: typeof path === 'string' ? path : '',
        ...(type === 'delete_file' ? {} : { diff: typeof diff === 'string' ? diff : '' }),
      },
    }),
    toArguments: ({ operation }) => withoutEmpty(operation, []),
    isError: ({ status }) => status === 'failed',
  },
} as const satisfies Record<TypedTool, TypedToolRow>;

/** A shell may run in the provider's container, and a search at the provider: those are not the client's. */
export function findTypedTool(tool: Loose): TypedTool | undefined {
  switch (tool['type']) {
    case 'local_shell':
    case 'apply_patch':
      return tool['type'];
    case 'tool_search':
      return tool['execution'] === 'client' ? 'tool_search' : undefined;
    case 'shell':
      return isObject(tool['environment']) && tool['environment']['type'] === 'local' ? 'shell' : undefined;
    default:
      return undefined;
  }
}

export function parseArguments(json: string): Loose {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function listOfTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? (value as unknown[]).filter((item) => typeof item === 'string') : [];
}

function withoutEmpty(value: unknown, left: readonly string[]): Loose {
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([name, given]) => given !== null && !left.includes(name)))
    : {};
}
