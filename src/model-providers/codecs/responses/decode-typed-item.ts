// The calls of typed tools and their results, as function calls and text results.
import type { ConversationBuilder } from '../conversation.ts';
import type { ToolNames } from '../name-tools.ts';
import type { InputPart, TypedTool } from '../neutral.ts';
import { isObject, readName, type Faults, type Loose } from '../read-fields.ts';
import { decodeResponsesParts } from './decode-parts.ts';
import { readTools } from './decode-tools.ts';
import { TYPED_TOOLS, type TypedToolRow } from './typed-tools.ts';

interface TypedItem {
  readonly tool: TypedTool;
  readonly isCall: boolean;
}

export const TYPED_ITEMS: ReadonlyMap<unknown, TypedItem> = new Map<unknown, TypedItem>(
  (Object.entries(TYPED_TOOLS) as [TypedTool, TypedToolRow][]).flatMap(
    ([tool, { call, output }]): [string, TypedItem][] => [
      [call, { tool, isCall: true }],
      [output, { tool, isCall: false }],
    ],
  ),
);

interface Reading {
  readonly found: ConversationBuilder;
  readonly names: ToolNames;
  readonly faults: Faults;
}

export function decodeTypedItem({ tool, isCall }: TypedItem, item: Loose, at: string, reading: Reading): void {
  const { found, names, faults } = reading;
  // A search that the provider ran has no call id, because the client was not called.
  if (tool === 'tool_search' && typeof item['call_id'] !== 'string') return;
  const row: TypedToolRow = TYPED_TOOLS[tool];
  // A local shell's result names its call in the field for its own id.
  const id = readName(item['call_id'] ?? item['id'], `${at}.call_id`, faults);
  if (isCall)
    found.addAssistant([
      {
        type: 'tool-call',
        id,
        name: names.flatten({ kind: tool, name: tool }),
        arguments: JSON.stringify(row.toArguments(item)),
      },
    ]);
  else found.addResult({ id, parts: decodeResult(tool, item, at, reading), isError: row.isError?.(item) ?? false });
}

function decodeResult(tool: TypedTool, item: Loose, at: string, { names, faults }: Reading): InputPart[] {
  if (tool === 'tool_search') {
    const found = readTools(item['tools'], `${at}.tools`, faults).map(({ origin }) => names.flatten(origin));
    return [
      {
        type: 'text',
        text: found.length === 0 ? 'No tools were found.' : `These tools can be called now: ${found.join(', ')}`,
      },
    ];
  }
  if (tool === 'shell' && Array.isArray(item['output']))
    return [{ type: 'text', text: (item['output'] as readonly unknown[]).map(describeRun).join('\n\n') }];
  return typeof item['output'] === 'string' || Array.isArray(item['output'])
    ? decodeResponsesParts(item['output'], `${at}.output`, faults)
    : [{ type: 'text', text: String(item['status'] ?? 'completed') }];
}

function describeRun(run: unknown): string {
  if (!isObject(run)) return '';
  const outcome = isObject(run['outcome']) ? run['outcome'] : {};
  const end =
    outcome['type'] === 'timeout' ? '(timed out)' : `(exit code ${String(outcome['exit_code'] ?? 'unknown')})`;
  return [run['stdout'], run['stderr'], end].filter((text) => typeof text === 'string' && text !== '').join('\n');
}
