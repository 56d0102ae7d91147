// Chat of one web process: its answers under way, the titles it asks for, and the upkeep of streams and uploads that
// were left behind.
import type { Log } from '../base/log.ts';
import type { ChatRequest } from '../contract/threads.ts';
import type { Database } from '../store/database.ts';
import type { Listener } from '../store/listen.ts';
import { every } from '../timing/every.ts';
import { answerThread, type ThreadDeps } from './answer-thread.ts';
import type { TurnDeps } from './answer-turn.ts';
import { dropUnsent } from './attachments/attachments.ts';
import type { AnswerClient } from './live-answer.ts';
import type { PendingAnswer } from './pending-answer.ts';
import { giveTitle } from './thread-title.ts';
import { closeIfDead, dropFinished, listDead } from './threads/streams.ts';

export interface Chat {
  answer(userId: string, request: ChatRequest, client: AnswerClient): Promise<void>;
  /** Resolves when no title is being asked for. */
  idle(): Promise<void>;
  /** Lets answers end for a moment, then breaks them off; both are stored. */
  close(): Promise<void>;
}

export interface ChatDeps extends Pick<ThreadDeps, 'startBackgroundRun' | 'isCapability' | 'readRuns'> {
  readonly db: Database;
  readonly log: Log;
  readonly turns: TurnDeps;
  readonly listener: Listener | undefined;
  /** How long answers under way may go on once the process is to end. */
  readonly graceMs?: number;
}

const UPKEEP_EVERY_MS = 60_000;
const GRACE_MS = 3_000;
const MOST_DEAD = 100;

export function createChat(deps: ChatDeps): Chat {
  const { db, log, turns } = deps;
  const underWay = new Map<Pick<PendingAnswer, 'interrupt'>, Promise<void>>();
  const titles = new Set<Promise<void>>();
  const closing = new AbortController();
  const upkeep = every({ everyMs: UPKEEP_EVERY_MS, task: 'chat upkeep', log, run: () => keepUp(db) });

  const threadDeps: ThreadDeps = {
    ...deps,
    track(answer, done) {
      const settled = done.catch(() => {}).finally(() => underWay.delete(answer));
      underWay.set(answer, settled);
    },
    giveTitle(turn) {
      const title = giveTitle({ db, turns }, turn, closing.signal)
        .catch((error: unknown) =>
          log.info({ err: error, threadId: turn.threadId }, 'a thread keeps the title made from its first message'),
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
      const resting = upkeep.stop();
      closing.abort();
      await Promise.race([Promise.all(underWay.values()), elapsed(deps.graceMs ?? GRACE_MS)]);
      for (const answer of underWay.keys()) answer.interrupt();
      await Promise.all([...underWay.values(), ...titles, resting]);
    },
  };
}

async function keepUp(db: Database): Promise<void> {
  for (const threadId of await listDead(db, MOST_DEAD)) await closeIfDead(db, threadId);
  await dropFinished(db);
  await dropUnsent(db);
}

function elapsed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
