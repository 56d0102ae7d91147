// What the agent of a run does next, as a function of its journal alone: who reads the same journal goes on the same
// way, on another machine and after any crash.
import type { AssistantModelMessage, ModelMessage, ToolResultPart } from 'ai';
import type { Journal, JournalEntry } from '../../runs/record/journal.ts';

export interface ToolCall {
  readonly step: number;
  readonly call: string;
  readonly tool: string;
  readonly input: unknown;
}

/** Names a call within its run: a provider may use an id again in another step. */
export function placeOf({ step, call }: Pick<ToolCall, 'step' | 'call'>): string {
  return `${step}:${call}`;
}

export type Move =
  | { readonly do: 'ask'; readonly messages: readonly ModelMessage[] }
  | { readonly do: 'call'; readonly call: ToolCall }
  /** It began, and the attempt that began it is gone: nobody knows how it ended, and it is not begun again. */
  | { readonly do: 'tell-unknown'; readonly call: ToolCall }
  | { readonly do: 'finish'; readonly text: string };

export interface Told {
  readonly objective: string;
  /** The conversation that the run continues. */
  readonly earlier: readonly ModelMessage[];
}

export function nextMove(told: Told, journal: Journal): Move {
  const { messages, open, begun, said } = readConversation(told, journal);
  const [call] = open;
  if (call) return begun.has(call.call) ? { do: 'tell-unknown', call } : { do: 'call', call };
  return said === undefined ? { do: 'ask', messages } : { do: 'finish', text: said };
}

interface Conversation {
  readonly messages: readonly ModelMessage[];
  /** The calls of the last answer that have no result yet. */
  readonly open: readonly ToolCall[];
  readonly begun: ReadonlySet<string>;
  /** The answer, if nothing followed it. */
  readonly said: string | undefined;
}

/** The conversation of a run that has ended, every call with a result. */
export function endedConversation(told: Told, journal: Journal): readonly ModelMessage[] {
  const { messages, open } = readConversation(told, journal);
  return open.length === 0 ? messages : [...messages, { role: 'tool', content: open.map(unknownResult) }];
}

function unknownResult(call: ToolCall): ToolResultPart {
  return resultPart({ ...call, output: UNKNOWN });
}

/** What the model is told of a call whose end nobody knows. */
export const UNKNOWN =
  '[It is not known how this ended: the machine that worked on it was lost meanwhile. It was not done again. Find out what it has changed before you decide to repeat it.]';

function readConversation({ objective, earlier }: Told, journal: Journal): Conversation {
  let messages: ModelMessage[] = [];
  let calls: readonly ToolCall[] = [];
  let results: ToolResultPart[] = [];
  let begun = new Set<string>();
  let said: string | undefined;
  let step = 0;
  /** Said while calls were open: the model reads it after their results. */
  let waiting: ModelMessage[] = [];
  const begin = (kept: readonly ModelMessage[]): void => {
    messages = [...earlier, { role: 'user', content: objective }, ...kept];
    calls = [];
    results = [];
    waiting = [];
    said = undefined;
    step = 0;
  };
  const close = (): void => {
    if (results.length > 0) messages.push({ role: 'tool', content: results });
    messages.push(...waiting);
    calls = [];
    results = [];
    waiting = [];
  };
  begin([]);
  for (const entry of journal) {
    if (entry.type === 'began' && entry.over) begin(journal.slice(0, journal.indexOf(entry)).flatMap(messageOf));
    else if (entry.type === 'answered') {
      const content = entry.content as unknown as Exclude<AssistantModelMessage['content'], string>;
      // A model that said nothing has nothing to be sent back.
      if (content.length > 0) messages.push({ role: 'assistant', content });
      step++;
      calls = content.flatMap((part) =>
        part.type === 'tool-call' ? [{ step, call: part.toolCallId, tool: part.toolName, input: part.input }] : [],
      );
      begun = new Set();
      said = calls.length > 0 ? undefined : content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    } else if (entry.type === 'started') begun.add(entry.call);
    else if (entry.type === 'ended' && isOpen(calls, results, entry.call)) {
      results.push(resultPart(entry));
      if (results.length === calls.length) close();
    } else if (entry.type === 'message') {
      (calls.length > 0 ? waiting : messages).push(...messageOf(entry));
      said = undefined;
    }
  }
  const open = calls.filter(({ call }) => isOpen(calls, results, call));
  return {
    messages: results.length === 0 ? messages : [...messages, { role: 'tool', content: results }],
    open,
    begun,
    said,
  };
}

function isOpen(calls: readonly ToolCall[], results: readonly ToolResultPart[], call: string): boolean {
  return calls.some((one) => one.call === call) && !results.some(({ toolCallId }) => toolCallId === call);
}

function messageOf(entry: JournalEntry): ModelMessage[] {
  return entry.type === 'message' ? [{ role: 'user', content: entry.text }] : [];
}

function resultPart({ call, tool, output }: { call: string; tool: string; output: string }): ToolResultPart {
  return { type: 'tool-result', toolCallId: call, toolName: tool, output: { type: 'text', value: output } };
}
