// The messages that a live channel sends about a run: its current state, then each receipt that was not sent yet, as a
// receipt and as an event. A summary of what was sent is kept, so a long run is not read from its beginning each time.
// Channels that have sent the same share a read and its texts.
import { cacheKey } from '../../base/cache-key.ts';
import { type PresentedReceipt, presentReceipt } from '../../receipts/present-receipt.ts';
import { readStream } from '../../receipts/read-stream.ts';
import type { Queryable } from '../../store/database.ts';
import { joinReads } from '../../timing/join-reads.ts';
import { foldReceipt, ImpossibleReceipt, type RunState } from '../record/run-states.ts';
import { type Run, streamOf } from '../record/run.ts';
import type { Change } from './read-changes.ts';
import { toEvent } from './run-events.ts';
import { presentRun, storedWaiting } from './present-run.ts';

/** What has been sent about a run. */
export interface SentState {
  /** Of the last receipt. */
  readonly index: number;
  /** The run's state that was sent: the index of its last receipt, and why it waited. */
  readonly head: number;
  readonly reason: string | undefined;
  /** The fold of the receipts so far; undefined when they do not add up to a possible run. */
  readonly state: RunState | undefined;
}

interface Updates {
  readonly messages: readonly string[];
  /** Once these are sent. */
  readonly sent: SentState;
}

const PAGE = 100;

export function isUpToDate(run: Run, sent: SentState | undefined): boolean {
  return isShown(run, sent) && sent?.index === run.head.index;
}

function isShown(run: Run, sent: SentState | undefined): boolean {
  return sent?.head === run.head.index && sent.reason === run.waitingReason;
}

/** The next messages about a change for a channel that is not up to date with it. */
export type UpdateReader = (change: Change, sent: SentState | undefined) => Promise<Updates>;

export function createUpdateReader(on: Queryable): UpdateReader {
  const joined = joinReads<Updates>();
  return (change, sent) => {
    const { run, cursor } = change;
    const place = [sent?.index ?? null, sent?.head ?? null, sent?.reason ?? null];
    const key = cacheKey(run.id, run.head.index, run.waitingReason ?? null, cursor, place);
    return joined(key, () => readUpdates(on, change, sent));
  };
}

async function readUpdates(on: Queryable, { run, cursor }: Change, sent: SentState | undefined): Promise<Updates> {
  const messages: string[] = [];
  const add = (message: Record<string, unknown>): void => void messages.push(JSON.stringify({ ...message, cursor }));
  if (!isShown(run, sent)) add({ type: 'job', job: presentRun(run, storedWaiting(run)) });
  let { index = -1, state } = sent ?? {};
  if (index !== run.head.index) {
    const receipts = await readStream(on, streamOf(run), index + 1, PAGE);
    for (const receipt of receipts.filter((linked) => linked.index <= run.head.index).map(presentReceipt)) {
      add({ type: 'receipt', job: run.id, receipt });
      state = foldPossible(state, receipt);
      if (state) add({ type: 'event', job: run.id, event: toEvent(receipt, state) });
    }
    index = receipts.length < PAGE ? run.head.index : Math.min(index + PAGE, run.head.index);
  }
  return { messages, sent: { index, head: run.head.index, reason: run.waitingReason, state } };
}

function foldPossible(state: RunState | undefined, receipt: PresentedReceipt): RunState | undefined {
  try {
    return foldReceipt(state, receipt);
  } catch (error) {
    if (error instanceof ImpossibleReceipt) return undefined;
    throw error;
  }
}
