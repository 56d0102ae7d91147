import { nameTools, flattenTools, isNamespaced, type OriginalTool, type ToolNames } from './name-tools.ts';
import type { NeutralTool, ToolCallPart, ToolChoice, ToolOrigin } from './neutral.ts';
import { isAbsent, readName, readObject, readOptionalText, readText, type Faults, type Loose } from './read-fields.ts';
import { describeTextTool, findTextFormat, TEXT_SCHEMA, toTextArguments } from './text-tools.ts';

/** The name, description, parameters and strictness of a function, wherever a surface has them. */
export function readFunctionTool(tool: Loose, at: string, schemaField: string, faults: Faults): NeutralTool {
  return {
    name: readName(tool['name'], `${at}.name`, faults),
    description: readOptionalText(tool['description'], `${at}.description`, faults),
    schema: isAbsent(tool[schemaField])
      ? { type: 'object', properties: {} }
      : readObject(tool[schemaField], `${at}.${schemaField}`, faults),
    ...(tool['strict'] === true ? { strict: true } : {}),
  };
}

/** A function of OpenAI's surfaces, which may be in a namespace. */
export function readOriginalFunction(
  tool: Loose,
  at: string,
  namespace: string | undefined,
  faults: Faults,
): OriginalTool {
  const { name, ...rest } = readFunctionTool(tool, at, 'parameters', faults);
  return { ...rest, origin: { kind: 'function', namespace, name } };
}

/** A tool that takes text. */
export function readCustomTool(tool: Loose, at: string, namespace: string | undefined, faults: Faults): OriginalTool {
  const description = describeTextTool(
    readOptionalText(tool['description'], `${at}.description`, faults),
    findTextFormat(tool['format']),
  );
  return {
    origin: { kind: 'custom', namespace, name: readName(tool['name'], `${at}.name`, faults) },
    description,
    schema: TEXT_SCHEMA,
  };
}

/** A value of a body, and the path at which its faults are reported. */
export interface Placed<Value> {
  readonly value: Value;
  readonly at: string;
}

/** A call of a function or a custom tool, under the name sent to the provider. */
export function readOriginalCall(
  kind: 'function' | 'custom',
  id: Placed<unknown>,
  { value: call, at }: Placed<Loose>,
  { names, faults }: { readonly names: ToolNames; readonly faults: Faults },
): ToolCallPart {
  const text = (field: 'arguments' | 'input'): string =>
    isAbsent(call[field]) ? '' : readText(call[field], `${at}.${field}`, faults);
  const namespace = readOptionalText(call['namespace'], `${at}.namespace`, faults);
  return {
    type: 'tool-call',
    id: readName(id.value, id.at, faults),
    name: names.flatten({ kind, namespace, name: readName(call['name'], `${at}.name`, faults) }),
    arguments: kind === 'custom' ? toTextArguments(text('input')) : text('arguments'),
  };
}

export interface ToolUse {
  readonly tools: readonly NeutralTool[];
  readonly toolChoice?: ToolChoice | undefined;
}

/** The client's tools in the form that another protocol's provider knows. */
export interface NamedTools {
  readonly names: ToolNames;
  readonly tools: readonly NeutralTool[];
}

export function nameOriginals(originals: readonly OriginalTool[]): NamedTools {
  const names = nameTools(originals.map(({ origin }) => origin));
  return { names, tools: flattenTools(originals, names) };
}

/** Which tools a choice refers to; one without a name means every tool of its kind or namespace. */
export interface ToolSelector {
  readonly kind: ToolOrigin['kind'] | 'namespace';
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/** Leaves only the tools that the client allows for this turn. */
export function keepAllowed(
  tools: readonly NeutralTool[],
  { value: allowed, at }: Placed<readonly ToolSelector[]>,
  mode: unknown,
  faults: Faults,
): ToolUse {
  const kept = tools.filter((tool) => allowed.some((selector) => isSelected(selector, tool)));
  if (kept.length === 0) faults.add(at, 'must name at least one of tools');
  return { tools: kept, toolChoice: { type: mode === 'required' ? 'required' : 'auto' } };
}

/** The one tool that a choice demands; a choice of none has no name. */
export function chooseNamed(tools: readonly NeutralTool[], selector: ToolSelector): ToolUse {
  return { tools, toolChoice: { type: 'named', name: tools.find((tool) => isSelected(selector, tool))?.name ?? '' } };
}

function isSelected(
  { kind, namespace, name }: ToolSelector,
  { name: flat, origin = { kind: 'function', name: flat } }: NeutralTool,
): boolean {
  if (kind === 'namespace') return isNamespaced(origin) && origin.namespace === name;
  return (
    origin.kind === kind &&
    (isAbsent(name) || origin.name === name) &&
    (isAbsent(namespace) || origin.namespace === namespace)
  );
}

export function checkNamedTool({ tools, toolChoice }: ToolUse, faults: Faults): void {
  if (toolChoice?.type === 'required' && tools.length === 0) faults.add('tool_choice', 'needs tools');
  if (toolChoice?.type === 'named' && !tools.some((tool) => tool.name === toolChoice.name))
    faults.add('tool_choice', 'must name one of tools');
}
