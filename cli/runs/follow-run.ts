// Follows a run to its end over server-sent events. A connection that breaks is taken up behind the last event that
// arrived, so nothing is shown twice and nothing is missed; a service that stays away, or no longer lets us look, ends
// the following with "lost": the run itself goes on.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, requireToken } from '../account.ts';
import { readEvents } from '../api/read-events.ts';
import { send } from '../api/send.ts';
import { EXIT } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { isFinal, openRuns, type Run, type RunEvent, runPath, type Waiting } from './runs-api.ts';

export interface Watcher {
  event(event: RunEvent): void;
  /** Why it does not run yet; undefined once it does. */
  waiting(waiting: Waiting | undefined): void;
  /** The connection broke and is made again. */
  reconnecting(reason: string): void;
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;
const PATIENCE_MS = 5 * 60_000;
/** The service sends a comment every ten seconds: a connection that is silent for longer is dead. */
const SILENCE_MS = 45_000;
const LOOK_EVERY_MS = 1_000;

export async function followRun(account: Account, id: string, watcher: Watcher, signal: AbortSignal): Promise<Run> {
  const following = new AbortController();
  const look = watchWaiting(account, id, watcher, AbortSignal.any([signal, following.signal]));
  try {
    const event = (one: RunEvent): void => {
      if (one.status !== 'queued') look.started();
      watcher.event(one);
    };
    await followEvents(account, id, { event, reconnecting: (reason) => watcher.reconnecting(reason) }, signal);
    return (await (await openRuns(account)).get({ id })).job;
  } finally {
    following.abort();
    await look.done;
  }
}

async function followEvents(
  account: Account,
  id: string,
  watcher: Pick<Watcher, 'event' | 'reconnecting'>,
  signal: AbortSignal,
): Promise<void> {
  let after = -1;
  let heardAt = Date.now();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    let reason = 'the service closed the stream';
    try {
      for await (const event of openEvents(account, id, after, signal)) {
        [heardAt, pauseMs] = [Date.now(), FIRST_PAUSE_MS];
        if (event.id <= after) continue;
        after = event.id;
        watcher.event(event);
        if (isFinal(event.status)) return;
      }
    } catch (error) {
      signal.throwIfAborted();
      reason = passingReason(error, id);
    }
    if (Date.now() - heardAt > PATIENCE_MS) throw lost(id, reason);
    watcher.reconnecting(reason);
    await sleep(pauseMs, undefined, { signal });
  }
}

async function* openEvents(account: Account, id: string, after: number, signal: AbortSignal): AsyncGenerator<RunEvent> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const response = await send(account.url, runPath(id, '/events'), {
      bearer: requireToken(account),
      accept: 'text/event-stream',
      stream: true,
      signal: AbortSignal.any([signal, silence.signal]),
      ...(after < 0 ? {} : { headers: { 'last-event-id': String(after) } }),
    });
    const heard = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        timer.refresh();
        controller.enqueue(chunk);
      },
    });
    if (!response.body) return;
    for await (const { data } of readEvents(new Response(response.body.pipeThrough(heard))))
      yield JSON.parse(data) as RunEvent;
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

/** What trying again may fix; a refusal ends the following. */
function passingReason(error: unknown, id: string): string {
  if (!(error instanceof Failure))
    return error instanceof Error && error.name === 'AbortError'
      ? 'nothing was heard for a while'
      : 'the connection broke';
  if (
    error.exit === EXIT.unreachable ||
    error.error === 'internal' ||
    error.error === 'rate_limited' ||
    error.error === 'too_many_streams'
  )
    return error.message;
  throw lost(id, error.message, error);
}

function lost(id: string, reason: string, cause?: Failure): Failure {
  return new Failure(`lost sight of the run ${id}: ${reason}`, {
    exit: EXIT.runLost,
    ...(cause?.error === undefined ? {} : { error: cause.error }),
    details: cause?.details,
    next:
      cause?.exit === EXIT.signedOut
        ? `Run: servicectl login, then servicectl job ${id} --follow. The run itself goes on.`
        : `The run itself goes on. Look later with: servicectl job ${id}`,
  });
}

/** Receipts do not tell why a run waits, so the run is asked until it has begun. */
function watchWaiting(
  account: Account,
  id: string,
  watcher: Watcher,
  signal: AbortSignal,
): { started(): void; readonly done: Promise<void> } {
  const begun = new AbortController();
  const stop = AbortSignal.any([signal, begun.signal]);
  const watch = async (): Promise<void> => {
    const runs = await openRuns(account);
    for (let told: string | undefined; !stop.aborted; await sleep(LOOK_EVERY_MS, undefined, { signal: stop })) {
      const found = await runs.get({ id }).catch(() => undefined);
      if (stop.aborted || !found) continue;
      if (found.job.waiting?.reason === told) continue;
      told = found.job.waiting?.reason;
      watcher.waiting(found.job.waiting);
    }
  };
  return {
    started() {
      if (begun.signal.aborted) return;
      begun.abort();
      watcher.waiting(undefined);
    },
    // Ended by its signal, whatever it was doing.
    done: watch().catch(() => undefined),
  };
}
