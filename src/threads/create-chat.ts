// The chat service of one web process: answers in progress, thread titles, the text of project files, and cleanup of
// abandoned streams and uploads.
import type { Log } from '../telemetry/log.ts';
import type { ChatRequest } from '../contract/threads.ts';
import type { Database } from '../store/database.ts';
import type { Listener } from '../store/listen.ts';
import { every } from '../timing/every.ts';
import { answerThread, type ThreadDeps } from './answer-thread.ts';
import type { TurnDeps } from '../turns/answer-turn.ts';
import { dropUnsent } from '../documents/attachments/attachments.ts';
import type { AnswerClient } from './live-answer.ts';
import type { PendingAnswer } from './pending-answer.ts';
import { FILES_TOPIC } from '../documents/projects/project-files.ts';
import { readWaitingFiles } from '../documents/projects/read-files.ts';
import { generateTitle } from './thread-title.ts';
import { closeIfDead, dropFinished, listDead } from './streams.ts';

export interface Chat {
  answer(userId: string, request: ChatRequest, client: AnswerClient): Promise<void>;
  /** Resolves when no title is being generated. */
  idle(): Promise<void>;
  /** Gives answers in progress time to finish, then cuts them off. Either way they are stored. */
  close(): Promise<void>;
}

export interface ChatDeps extends Pick<ThreadDeps, 'startBackgroundRun' | 'isCapability' | 'readRuns'> {
  readonly db: Database;
  readonly log: Log;
  readonly turns: TurnDeps;
  readonly listener: Listener | undefined;
  /** How long answers in progress may continue after shutdown begins. */
  readonly graceMs: number;
}

const CLEANUP_EVERY_MS = 60_000;
/** A file that was uploaded is announced; this finds those whose announcement or process was lost. */
const READ_FILES_EVERY_MS = 30_000;
const MOST_DEAD = 100;

export function createChat(deps: ChatDeps): Chat {
  const { db, log, turns } = deps;
  const inProgress = new Map<Pick<PendingAnswer, 'interrupt'>, Promise<void>>();
  const titles = new Set<Promise<void>>();
  const closing = new AbortController();
  const cleanup = every({ everyMs: CLEANUP_EVERY_MS, task: 'chat cleanup', log, run: () => cleanUp(db) });
  const reading = every({
    everyMs: READ_FILES_EVERY_MS,
    task: 'reading project files',
    log,
    run: (stopping) => readWaitingFiles({ db, log, turns }, stopping),
  });
  const unsubscribe = deps.listener?.subscribe(FILES_TOPIC, () => void reading.run());

  const threadDeps: ThreadDeps = {
    ...deps,
    track(answer, done) {
      const settled = done.catch(() => {}).finally(() => inProgress.delete(answer));
      inProgress.set(answer, settled);
    },
    generateTitle(turn) {
      const title = generateTitle({ db, turns }, turn, closing.signal)
        .catch((error: unknown) =>
          log.info(
            { err: error, threadId: turn.threadId },
            'could not generate thread title; keeping the one from the first message',
          ),
        )
        .finally(() => titles.delete(title));
      titles.add(title);
    },
  };

  return {
    answer: (userId, request, client) => answerThread(threadDeps, userId, request, client),
    async idle() {
      while (titles.size > 0) await Promise.all(titles);
    },
    async close() {
      unsubscribe?.();
      const periodicDone = Promise.all([cleanup.stop(), reading.stop()]);
      closing.abort();
      await Promise.race([Promise.all(inProgress.values()), elapsed(deps.graceMs)]);
      turns.calls.stop();
      for (const answer of inProgress.keys()) answer.interrupt();
      await Promise.all([...inProgress.values(), ...titles, periodicDone]);
    },
  };
}

async function cleanUp(db: Database): Promise<void> {
  for (const threadId of await listDead(db, MOST_DEAD)) await closeIfDead(db, threadId);
  await dropFinished(db);
  await dropUnsent(db);
}

function elapsed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
