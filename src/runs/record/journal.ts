// The log of a run as the journal of what its agent did: what the model said, which calls began and how they ended, what
// people said meanwhile. An entry counts once its receipt is written, so the next attempt knows what was
// finished, what was begun, and nothing else.
import type { Json } from '../../base/canonical-json.ts';
import { presentReceipt } from '../../receipts/present-receipt.ts';
import type { Queryable } from '../../store/database.ts';
import { replayRun } from './replay-run.ts';
import type { Run } from './run.ts';
import { readDetails } from './run-log.ts';

export type JournalEntry =
  /** An attempt has its sandbox; `over`: nothing before it counts. */
  | { readonly type: 'began'; readonly over: boolean }
  /** `content` has the parts of the model's answer, in the form in which they are sent back to it. */
  | { readonly type: 'answered'; readonly content: readonly Json[]; readonly use: StepUse }
  | {
      readonly type: 'started';
      readonly step: number;
      readonly call: string;
      readonly tool: string;
      /** The command, or the arguments. */
      readonly asked: Json;
    }
  | {
      readonly type: 'ended';
      readonly step: number;
      readonly call: string;
      readonly tool: string;
      /** What the model is told. */
      readonly output: string;
      /** Nobody knows how it ended. */
      readonly unknown: boolean;
    }
  | { readonly type: 'message'; readonly number: number; readonly text: string };

export interface StepUse {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costMicros: number;
}

export type Journal = readonly JournalEntry[];

/** Undefined where the log no longer has what the receipts name, or never had it: nobody can go on from there. */
export async function readJournal(on: Queryable, run: Run, runDirectory: string): Promise<Journal | undefined> {
  const { receipts } = await replayRun(on, run);
  const events = receipts.map(presentReceipt).map(({ body }) => ({ data: body }));
  return toJournal(await readDetails(runDirectory, events));
}

export function toJournal(
  events: readonly { readonly data: unknown; readonly detail?: Json | undefined }[],
): Journal | undefined {
  const journal: JournalEntry[] = [];
  for (const { data, detail } of events) {
    const { progress } = (data ?? {}) as { progress?: Record<string, Json> };
    const read = READERS[String(progress?.['type'])];
    if (progress === undefined || read === undefined) continue;
    const entry = read(progress, (detail ?? undefined) as Record<string, Json> | undefined);
    if (entry === undefined) return undefined;
    journal.push(entry);
  }
  return journal;
}

type Reader = (fact: Record<string, Json>, detail: Record<string, Json> | undefined) => JournalEntry | undefined;

const READERS: Readonly<Record<string, Reader>> = {
  began: ({ step }) => ({ type: 'began', over: step === undefined || step === 0 }),
  model: ({ inputTokens, outputTokens, costMicros }, detail) =>
    Array.isArray(detail?.['journal'])
      ? {
          type: 'answered',
          content: detail['journal'],
          use: {
            inputTokens: Number(inputTokens),
            outputTokens: Number(outputTokens),
            costMicros: Number(costMicros),
          },
        }
      : undefined,
  'tool.started': (fact, detail) => ({ type: 'started', ...callOf(fact), asked: detail ?? null }),
  'tool.ended': (fact, detail) =>
    detail && { type: 'ended', ...callOf(fact), output: outputOf(detail), unknown: fact['unknown'] === true },
  message: ({ number }, detail) =>
    detail && { type: 'message', number: Number(number), text: String(detail['text'] ?? '') },
};

function callOf({ step, call, tool }: Record<string, Json>): { step: number; call: string; tool: string } {
  return { step: Number(step ?? 0), call: String(call ?? ''), tool: String(tool ?? '') };
}

/** What counts: the entries since the run last began from nothing. */
export function whatCounts(journal: Journal): Journal {
  return journal.slice(journal.findLastIndex((entry) => entry.type === 'began' && entry.over) + 1);
}

/** What the model was told of a call, from what people are shown of it. */
export function outputOf(detail: Readonly<Record<string, Json>>): string {
  const { output, exit, result } = detail;
  if (exit !== undefined) return [output, exit].filter((part) => typeof part === 'string' && part !== '').join('\n');
  return typeof result === 'string' ? result : (JSON.stringify(result) ?? '');
}
