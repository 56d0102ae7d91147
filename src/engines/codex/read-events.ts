// Turns the events that Codex prints, line by line, into the notes of a run, in the format of the built-in engine. The lines
// come from the sandbox, so nothing in them is trusted: what cannot be parsed is skipped.
import { z } from 'zod';
import type { Json } from '../../base/canonical-json.ts';
import { isStorableJson, storable } from '../../base/storable-json.ts';
import { keepOutput } from '../agent/cut-output.ts';
import type { RunNotes } from '../agent/run-notes.ts';
import type { ModelUse } from '../run-models.ts';

export interface EventReader {
  /** A turn of Codex begins. */
  begin(): void;
  take(line: string): Promise<void>;
  /** The agent's last message: the result, once the turn is completed. */
  readonly text: string;
  readonly completed: boolean;
  /** Why the turn failed, in Codex's words. */
  readonly failure: string | undefined;
}

export interface ReaderDeps {
  readonly notes: RunNotes;
  readonly model: string;
  readonly used: () => ModelUse;
  readonly now?: () => number;
}

const text = z.string().catch('');
const ITEMS = {
  command_execution: z.object({
    command: text,
    aggregated_output: text,
    exit_code: z.number().int().nullable().catch(null),
  }),
  mcp_tool_call: z.object({
    tool: text,
    arguments: z.unknown(),
    result: z.unknown(),
    error: z.object({ message: text }).nullable().catch(null),
    status: text,
  }),
  file_change: z.object({ changes: z.array(z.object({ path: text, kind: text })).catch([]), status: text }),
  todo_list: z.object({ items: z.array(z.object({ text, completed: z.boolean().catch(false) })).catch([]) }),
  agent_message: z.object({ text }),
} as const;
type ItemType = keyof typeof ITEMS;
/** How each kind of item is noted. */
type Notes = { readonly [Type in ItemType]?: (item: z.output<(typeof ITEMS)[Type]>, id: string) => Promise<unknown> };

const event = z.object({
  type: z.string(),
  item: z.looseObject({ id: text, type: text }).optional(),
  error: z.object({ message: text }).optional().catch(undefined),
  message: z.string().optional().catch(undefined),
});
const DETAIL_CHARS = 16_000;

export function createEventReader({ notes, model, used, now = () => performance.now() }: ReaderDeps): EventReader {
  const startedAt = new Map<string, number>();
  let before: ModelUse = used();
  let last = '';
  let completed = false;
  let failure: string | undefined;
  let lastError: string | undefined;
  const tookMs = (id: string): number => {
    const at = now();
    return Math.round(at - (startedAt.get(id) ?? at));
  };

  const startedNotes = noteStartedTools(notes);
  const completedNotes: Required<Notes> = {
    ...noteEndedTools(notes, tookMs),
    async agent_message({ text: said }) {
      last = said;
      const total = used();
      const step = {
        model,
        served: total.served,
        credential: total.credential,
        inputTokens: total.inputTokens - before.inputTokens,
        outputTokens: total.outputTokens - before.outputTokens,
        costMicros: total.costMicros - before.costMicros,
      };
      before = total;
      await notes.modelAnswered({ ...step, text: cut(said, 200_000) });
    },
  };

  return {
    get text() {
      return last;
    },
    get completed() {
      return completed;
    },
    get failure() {
      return failure;
    },
    begin() {
      last = '';
      completed = false;
      failure = undefined;
    },
    async take(line) {
      const parsed = event.safeParse(parse(line));
      if (!parsed.success) return;
      const { type, item, error, message } = parsed.data;
      if (type === 'item.started' && item) {
        startedAt.set(item.id, now());
        await note(startedNotes, item);
      } else if (type === 'item.completed' && item) {
        await note(completedNotes, item);
        startedAt.delete(item.id);
      } else if (type === 'turn.completed') completed = true;
      else if (type === 'error') lastError = message;
      else if (type === 'turn.failed') failure = cut(error?.message || lastError || 'Codex did not say why.', 1_000);
    },
  };
}

/** Items of an unknown kind or shape are skipped. */
async function note(phase: Notes, item: { readonly id: string; readonly type: string }): Promise<void> {
  if (!Object.hasOwn(ITEMS, item.type)) return;
  const type = item.type as ItemType;
  const parsed = ITEMS[type].safeParse(item);
  const write = phase[type] as ((found: unknown, id: string) => Promise<unknown>) | undefined;
  if (parsed.success) await write?.(parsed.data, item.id);
}

function noteStartedTools(notes: RunNotes): Notes {
  return {
    command_execution: ({ command }, id) => notes.toolStarted('bash', id, { command: cut(command) }),
    mcp_tool_call: ({ tool, arguments: given }, id) =>
      notes.toolStarted(cut(tool, 200), id, { arguments: detail(given) }),
  };
}

function noteEndedTools(notes: RunNotes, tookMs: (id: string) => number): Omit<Required<Notes>, 'agent_message'> {
  return {
    command_execution: ({ command, aggregated_output: output, exit_code: code }, id) => {
      const kept = keepOutput();
      kept.add(output);
      return notes.toolEnded(
        'bash',
        id,
        { exit: code, ms: tookMs(id) },
        {
          command: cut(command),
          output: kept.read().text,
          exit: code === null ? '[ended without a code]' : `[exit code ${code}]`,
        },
      );
    },
    mcp_tool_call: ({ tool, arguments: given, result, error, status }, id) =>
      notes.toolEnded(
        cut(tool, 200),
        id,
        { ok: status === 'completed' && error === null, ms: tookMs(id) },
        { arguments: detail(given), result: error === null ? detail(result) : cut(error.message) },
      ),
    file_change: ({ changes, status }, id) =>
      notes.toolEnded(
        'edit',
        id,
        { ok: status === 'completed', files: changes.length },
        { changes: changes.slice(0, 200).map(({ path, kind }) => ({ path: cut(path, 500), kind: cut(kind, 50) })) },
      ),
    todo_list: ({ items }, id) =>
      notes.toolEnded(
        'plan',
        id,
        { items: items.length, done: items.filter((one) => one.completed).length },
        { items: items.slice(0, 100).map((one) => ({ text: cut(one.text, 500), done: one.completed })) },
      ),
  };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function cut(given: string, chars = DETAIL_CHARS): string {
  return storable(given.slice(0, chars));
}

function detail(given: unknown): Json {
  const written = JSON.stringify(given ?? null);
  return written.length > DETAIL_CHARS || !isStorableJson(given ?? null) ? cut(written) : (JSON.parse(written) as Json);
}
