import type { NeutralTool, ToolChoice } from '../neutral.ts';
import { readCacheMark } from '../read-cache-mark.ts';
import { isAbsent, isObject, readName, readObject, readObjects, type Faults, type Loose } from '../read-fields.ts';
import { checkNamedTool, keepAllowed, readFunctionTool, type ToolUse } from '../read-tools.ts';

export function decodeChatTools(body: Loose, faults: Faults): ToolUse {
  const tools: NeutralTool[] = [];
  for (const { item, at } of readObjects(body['tools'], 'tools', faults)) {
    if (item['type'] !== 'function') continue;
    const described = readObject(item['function'], `${at}.function`, faults);
    const cache = readCacheMark(item, at, faults) ?? readCacheMark(described, `${at}.function`, faults);
    tools.push({ ...readFunctionTool(described, `${at}.function`, 'parameters', faults), ...(cache ? { cache } : {}) });
  }
  const use = decodeChoice(body['tool_choice'], tools, faults);
  checkNamedTool(use, faults);
  return use;
}

function decodeChoice(choice: unknown, tools: readonly NeutralTool[], faults: Faults): ToolUse {
  if (isAbsent(choice)) return { tools };
  if (choice === 'none' || choice === 'auto' || choice === 'required') return { tools, toolChoice: { type: choice } };
  if (isObject(choice) && choice['type'] === 'function') {
    const toolChoice: ToolChoice = { type: 'named', name: readName(readObject(choice['function'], 'tool_choice.function', faults)['name'], 'tool_choice.function.name', faults) };
    return { tools, toolChoice };
  }
  if (isObject(choice) && choice['type'] === 'allowed_tools') {
    const allowed = readObject(choice['allowed_tools'], 'tool_choice.allowed_tools', faults);
    const names = readObjects(allowed['tools'], 'tool_choice.allowed_tools.tools', faults).map(({ item }) => (isObject(item['function']) ? String(item['function']['name']) : ''));
    return keepAllowed(tools, names, allowed['mode'], 'tool_choice.allowed_tools.tools', faults);
  }
  faults.add('tool_choice', 'must be none, auto, required, or name a function');
  return { tools };
}
