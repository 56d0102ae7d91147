// Every tool call is answered before anything else is said, and every result answers a call: what all three
// surfaces demand of a conversation, each in its own words.
import type { Asked, Item } from './asked.ts';
import { badRequest } from './refusal.ts';

interface Wording {
  unanswered(ids: string): string;
  orphan(id: string): string;
}

export function checkToolResults(items: readonly Item[], wording: Wording): void {
  const open = new Set<string>();
  for (const item of items) {
    if (item.kind === 'call') open.add(item.id);
    else if (item.kind === 'result') {
      if (!open.delete(item.id)) throw badRequest(wording.orphan(item.id));
    } else if (item.kind === 'user') refuseOpen(open, wording);
  }
  refuseOpen(open, wording);
}

function refuseOpen(open: ReadonlySet<string>, wording: Wording): void {
  if (open.size > 0) throw badRequest(wording.unanswered([...open].join(', ')));
}

export function checkToolChoice({ tools, toolChoice }: Pick<Asked, 'tools' | 'toolChoice'>): void {
  if (typeof toolChoice === 'object' && !tools.some(({ name }) => name === toolChoice.name)) throw badRequest(`Tool '${toolChoice.name}' not found in 'tools'.`, 'tool_choice');
  if (toolChoice === 'required' && tools.length === 0) throw badRequest("'tool_choice' is only allowed when 'tools' are specified.", 'tool_choice');
}
