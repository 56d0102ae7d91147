import type { NeutralTool, ToolCallPart, ToolChoice } from './neutral.ts';
import { isAbsent, readName, readObject, readOptionalText, readText, type Faults, type Loose } from './read-fields.ts';

/** The name, description, parameters and strictness of a function, wherever a surface keeps them. */
export function readFunctionTool(tool: Loose, at: string, schemaField: string, faults: Faults): NeutralTool {
  return {
    name: readName(tool['name'], `${at}.name`, faults),
    description: readOptionalText(tool['description'], `${at}.description`, faults),
    schema: isAbsent(tool[schemaField]) ? { type: 'object', properties: {} } : readObject(tool[schemaField], `${at}.${schemaField}`, faults),
    ...(tool['strict'] === true ? { strict: true } : {}),
  };
}

export function readFunctionCall(id: unknown, idAt: string, call: Loose, at: string, faults: Faults): ToolCallPart {
  return {
    type: 'tool-call',
    id: readName(id, idAt, faults),
    name: readName(call['name'], `${at}.name`, faults),
    arguments: isAbsent(call['arguments']) ? '' : readText(call['arguments'], `${at}.arguments`, faults),
  };
}

export interface ToolUse {
  readonly tools: readonly NeutralTool[];
  readonly toolChoice?: ToolChoice | undefined;
}

/** Leaves only the tools that the client allows for this turn. */
export function keepAllowed(tools: readonly NeutralTool[], names: readonly string[], mode: unknown, at: string, faults: Faults): ToolUse {
  const kept = tools.filter((tool) => names.includes(tool.name));
  if (kept.length === 0) faults.add(at, 'must name at least one of tools');
  return { tools: kept, toolChoice: { type: mode === 'required' ? 'required' : 'auto' } };
}

export function checkNamedTool({ tools, toolChoice }: ToolUse, faults: Faults): void {
  if (toolChoice?.type === 'required' && tools.length === 0) faults.add('tool_choice', 'needs tools');
  if (toolChoice?.type === 'named' && !tools.some((tool) => tool.name === toolChoice.name)) faults.add('tool_choice', 'must name one of tools');
}
