import type { OriginalTool } from '../name-tools.ts';
import type { NeutralTool } from '../neutral.ts';
import { readCacheMark } from '../read-cache-mark.ts';
import { isAbsent, isObject, readObject, readObjects, type Faults, type Loose } from '../read-fields.ts';
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

export function decodeChatTools(body: Loose, faults: Faults): NamedTools {
  return nameOriginals(
    readObjects(body['tools'], 'tools', faults).flatMap(({ item, at }): OriginalTool[] => {
      const kind = item['type'];
      if (kind !== 'function' && kind !== 'custom') return [];
      const place = `${at}.${kind}`;
      const described = readObject(item[kind], place, faults);
      const cache = readCacheMark(item, at, faults) ?? readCacheMark(described, place, faults);
      const read =
        kind === 'function'
          ? readOriginalFunction(described, place, undefined, faults)
          : readCustomTool(described, place, undefined, faults);
      return [{ ...read, ...(cache ? { cache } : {}) }];
    }),
  );
}

export function decodeChatChoice(choice: unknown, { tools }: NamedTools, faults: Faults): ToolUse {
  const use = readChoiceOf(choice, tools, faults);
  checkNamedTool(use, faults);
  return use;
}

function readChoiceOf(choice: unknown, tools: readonly NeutralTool[], faults: Faults): ToolUse {
  if (isAbsent(choice)) return { tools };
  if (choice === 'none' || choice === 'auto' || choice === 'required') return { tools, toolChoice: { type: choice } };
  if (isObject(choice) && choice['type'] === 'allowed_tools') {
    const allowed = readObject(choice['allowed_tools'], 'tool_choice.allowed_tools', faults);
    const selectors = readObjects(allowed['tools'], 'tool_choice.allowed_tools.tools', faults).flatMap(
      ({ item }) => findSelector(item) ?? [],
    );
    return keepAllowed(tools, { value: selectors, at: 'tool_choice.allowed_tools.tools' }, allowed['mode'], faults);
  }
  const selector = isObject(choice) ? findSelector(choice) : undefined;
  if (selector !== undefined) return chooseNamed(tools, selector);
  faults.add('tool_choice', 'must be none, auto, required, or name a tool');
  return { tools };
}

/** The name is in an object named like the type. */
function findSelector(choice: Loose): ToolSelector | undefined {
  const { type } = choice;
  if (type !== 'function' && type !== 'custom') return undefined;
  const { [type]: named } = choice;
  return isObject(named) && typeof named['name'] === 'string' ? { kind: type, name: named['name'] } : undefined;
}
