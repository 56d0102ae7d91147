// What a run brings to an attempt: its own journal, the conversation of the runs that it continues, and whether the files
// that were kept fit the journal.
import { join } from 'node:path';
import type { ModelMessage } from 'ai';
import type { RunAttempt } from '../../runs/delivery/engine.ts';
import { findKeptFiles } from '../../runs/record/find-kept-files.ts';
import { findRun } from '../../runs/record/find-runs.ts';
import { type Journal, readJournal, type StepUse, whatCounts } from '../../runs/record/journal.ts';
import type { Run } from '../../runs/record/run.ts';
import type { Queryable } from '../../store/database.ts';
import type { RunPayer } from '../run-models.ts';
import type { SandboxSetup } from '../run-sandbox.ts';
import { endedConversation, placeOf } from './next-move.ts';

export interface Past {
  /** Empty at the first attempt, and where the journal cannot be read: the run then begins again. */
  readonly journal: Journal;
  readonly earlier: readonly ModelMessage[];
  /** Whose kept files a run that continues another one begins with. */
  readonly files: string | undefined;
}

/** How many runs back a conversation is told, and how much of it; the newest comes first. */
const MOST_RUNS = 20;
const MOST_CHARS = 400_000;

export function createReadPast({
  db,
  artifacts,
}: {
  readonly db: Queryable;
  readonly artifacts: string;
}): (attempt: Pick<RunAttempt, 'run' | 'begunBefore'>) => Promise<Past> {
  const journalOf = (run: Run): Promise<Journal | undefined> => readJournal(db, run, join(artifacts, run.id));

  const readEarlier = async (run: Run): Promise<ModelMessage[]> => {
    let told: ModelMessage[] = [];
    let at = run;
    for (let left = MOST_RUNS; left > 0 && at.continues !== undefined; left--) {
      const before = await findRun(db, at.continues);
      if (!before || before.organizationId !== run.organizationId || before.workspaceId !== run.workspaceId) break;
      // Erased with the person who wrote it.
      if (before.objective === '') break;
      const journal = await journalOf(before);
      const whole =
        journal && withoutThoughts(endedConversation({ objective: before.objective, earlier: [] }, journal));
      told = [...(whole && sizeOf([...whole, ...told]) <= MOST_CHARS ? whole : inShort(before)), ...told];
      at = before;
    }
    return told;
  };

  return async ({ run, begunBefore }) => {
    const continued = run.continues === undefined ? undefined : await findRun(db, run.continues);
    return {
      journal: (begunBefore ? await journalOf(run) : undefined) ?? [],
      earlier: continued ? await readEarlier(run) : [],
      files: continued && (await findKeptFiles(db, artifacts, continued)),
    };
  };
}

/** The parts of a model's thoughts are sealed for the credential that paid for them, which may be another one now. */
function withoutThoughts(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.map((message) =>
    message.role === 'assistant' && typeof message.content !== 'string'
      ? {
          role: 'assistant',
          content: message.content.flatMap((part) => {
            if (part.type !== 'text' && part.type !== 'tool-call') return [];
            const { providerOptions: _sealed, ...open } = part;
            return [open];
          }),
        }
      : message,
  );
}

/** What was asked and what came of it, without what was done for it. */
function inShort({ objective, result, error }: Run): ModelMessage[] {
  const { text } = (result ?? {}) as { text?: unknown };
  return [
    { role: 'user', content: objective },
    { role: 'assistant', content: typeof text === 'string' && text !== '' ? text : (error ?? 'Nothing came of it.') },
  ];
}

function sizeOf(messages: readonly ModelMessage[]): number {
  return JSON.stringify(messages).length;
}

/** Its own files once a command has left any, else those of the run that it continues. */
export function filesFrom(run: Pick<Run, 'id'>, { journal, files }: Past): SandboxSetup {
  const from = lastCommand(journal) === undefined ? files : run.id;
  return from === undefined ? {} : { restore: { run: from } };
}

/**
 * Whether the attempt can go on where the last one was: the files are those that its last finished command left, or a
 * later one that was under way. Without a command there are no files to miss; without an answer there is nothing to go on
 * from.
 */
export function goesOn(journal: Journal, restored: string | undefined): boolean {
  const counts = whatCounts(journal);
  if (!counts.some(({ type }) => type === 'answered')) return false;
  const last = lastCommand(journal);
  return last === undefined || (restored !== undefined && placesFrom(counts, last).includes(restored));
}

/** The place of the last command that ended, since the run last began again. */
function lastCommand(journal: Journal): string | undefined {
  const ended = whatCounts(journal).findLast(
    (entry) => entry.type === 'ended' && entry.tool === 'bash' && !entry.unknown,
  );
  return ended?.type === 'ended' ? placeOf(ended) : undefined;
}

function placesFrom(journal: Journal, place: string): string[] {
  const places = journal.flatMap((entry) => (entry.type === 'started' ? [placeOf(entry)] : []));
  return places.slice(places.lastIndexOf(place));
}

export function lastHeard(journal: Journal): number {
  return journal.reduce((last, entry) => (entry.type === 'message' ? Math.max(last, entry.number) : last), 0);
}

/** What earlier attempts used. */
export function sumUse(journal: Journal): RunPayer['spent'] {
  const uses = journal.flatMap((entry) => (entry.type === 'answered' ? [entry.use] : []));
  const sum = (of: keyof StepUse): number => uses.reduce((total, use) => total + use[of], 0);
  return {
    calls: uses.length,
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    costMicros: sum('costMicros'),
  };
}

/** For the model of a run that continues another one. */
export function describeFiles(restored: string | undefined): string {
  return restored === undefined
    ? 'This run continues an earlier one, whose files are no longer kept: /workspace began empty.'
    : 'This run continues an earlier one: its files are in /workspace.';
}
