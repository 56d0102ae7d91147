// A Responses request has tools in three places: in `tools`, in items that add some in the middle of a conversation,
// and in the results of a tool search. Provider-run tools have already been left out.
import type { OriginalTool } from '../name-tools.ts';
import { readCacheMark } from '../read-cache-mark.ts';
import {
  isAbsent,
  isObject,
  readName,
  readObjects,
  readOptionalText,
  type Faults,
  type Loose,
} from '../read-fields.ts';
import {
  checkNamedTool,
  chooseNamed,
  keepAllowed,
  nameOriginals,
  readCustomTool,
  readOriginalFunction,
  type NamedTools,
  type ToolSelector,
  type ToolUse,
} from '../read-tools.ts';
import { findTypedTool, TYPED_TOOLS } from './typed-tools.ts';

/** Items that carry tools. */
export const TOOL_ITEMS: ReadonlySet<unknown> = new Set(['additional_tools', 'tool_search_output']);

export function decodeResponsesTools(body: Loose, faults: Faults): NamedTools {
  const found = readTools(body['tools'], 'tools', faults);
  const input = Array.isArray(body['input']) ? (body['input'] as readonly unknown[]) : [];
  for (const [index, item] of input.entries()) {
    if (isObject(item) && TOOL_ITEMS.has(item['type']))
      found.push(...readTools(item['tools'], `input.${index}.tools`, faults));
  }
  return nameOriginals(found);
}

export function readTools(value: unknown, path: string, faults: Faults): OriginalTool[] {
  return readObjects(value, path, faults).flatMap(({ item, at }) =>
    item['type'] === 'namespace' ? readNamespace(item, at, faults) : readTool(item, at, undefined, faults),
  );
}

/** The description of a namespace is included once, with the first of its tools. */
function readNamespace(namespace: Loose, at: string, faults: Faults): OriginalTool[] {
  const name = readName(namespace['name'], `${at}.name`, faults);
  const about = readOptionalText(namespace['description'], `${at}.description`, faults) ?? '';
  const tools = readObjects(namespace['tools'], `${at}.tools`, faults).flatMap(({ item, at: place }) =>
    readTool(item, place, name, faults),
  );
  const [first, ...others] = tools;
  return first === undefined || about === ''
    ? tools
    : [
        {
          ...first,
          description: `${first.description ?? ''}\n\nAbout ${name}, to which this tool belongs: ${about}`.trimStart(),
        },
        ...others,
      ];
}

function readTool(tool: Loose, at: string, namespace: string | undefined, faults: Faults): OriginalTool[] {
  if (tool['type'] === 'function' || tool['type'] === 'custom') {
    const read = tool['type'] === 'function' ? readOriginalFunction : readCustomTool;
    const cache = readCacheMark(tool, at, faults);
    return [{ ...read(tool, at, namespace, faults), ...(cache ? { cache } : {}) }];
  }
  const typed = namespace === undefined ? findTypedTool(tool) : undefined;
  if (typed !== undefined) return [{ origin: { kind: typed, name: typed }, ...TYPED_TOOLS[typed].describe(tool) }];
  faults.add(
    `${at}.type`,
    `the tool ${String(tool['type'])} runs at OpenAI and is not available for this model: use function tools`,
  );
  return [];
}

export function decodeResponsesChoice(choice: unknown, { tools }: NamedTools, faults: Faults): ToolUse {
  const use = readChoiceOf(choice, tools, faults);
  checkNamedTool(use, faults);
  return use;
}

function readChoiceOf(choice: unknown, tools: NamedTools['tools'], faults: Faults): ToolUse {
  if (isAbsent(choice)) return { tools };
  if (choice === 'none' || choice === 'auto' || choice === 'required') return { tools, toolChoice: { type: choice } };
  if (isObject(choice) && choice['type'] === 'allowed_tools') {
    const allowed = readObjects(choice['tools'], 'tool_choice.tools', faults).flatMap(
      ({ item }) => findSelector(item) ?? [],
    );
    return keepAllowed(tools, { value: allowed, at: 'tool_choice.tools' }, choice['mode'], faults);
  }
  const selector = isObject(choice) ? findSelector(choice) : undefined;
  if (selector !== undefined && selector.kind !== 'namespace') return chooseNamed(tools, selector);
  faults.add('tool_choice', 'must be none, auto, required, or name a tool');
  return { tools };
}

function findSelector({ type, name, namespace }: Loose): ToolSelector | undefined {
  if (type === 'function' || type === 'custom' || type === 'namespace') {
    return typeof name === 'string'
      ? { kind: type, name, namespace: typeof namespace === 'string' ? namespace : undefined }
      : undefined;
  }
  return typeof type === 'string' && Object.hasOwn(TYPED_TOOLS, type)
    ? { kind: type as keyof typeof TYPED_TOOLS }
    : undefined;
}
