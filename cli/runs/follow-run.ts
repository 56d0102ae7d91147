// Follows a run to its end over server-sent events. A broken connection is resumed after the last event received, so
// that none is repeated or missed. If the service stays unreachable or denies access, following ends with "lost"; the
// run itself continues.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, requireToken } from '../account.ts';
import { readEvents } from '../api/read-events.ts';
import { send } from '../api/send.ts';
import { EXIT } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { isFinal, openRuns, type RunView, type RunEvent, runPath, type Waiting } from './runs-api.ts';
import { type TellOutput, watchOutput } from './watch-output.ts';

export interface Watcher {
  event(event: RunEvent): void;
  /** What a command prints while it runs; absent where nobody watches. */
  readonly output?: TellOutput | undefined;
  /** Why the run has not started; undefined once it has. */
  waiting(waiting: Waiting | undefined): void;
  /** The connection broke and is being restored. */
  reconnecting(reason: string): void;
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;
const PATIENCE_MS = 5 * 60_000;
/** The service sends a comment every ten seconds: a connection silent for this long is dead. */
const SILENCE_MS = 45_000;
const LOOK_EVERY_MS = 1_000;

export async function followRun(account: Account, id: string, watcher: Watcher, signal: AbortSignal): Promise<RunView> {
  const following = new AbortController();
  const stop = AbortSignal.any([signal, following.signal]);
  const look = watchWaiting(account, id, watcher, stop);
  const output = watcher.output && watchOutput(account, id, watcher.output, stop);
  try {
    const event = (one: RunEvent): void => {
      if (one.status !== 'queued') look.started();
      output?.event(one);
      watcher.event(one);
    };
    await followEvents(account, id, { event, reconnecting: (reason) => watcher.reconnecting(reason) }, signal);
    return (await (await openRuns(account)).get({ id })).job;
  } finally {
    following.abort();
    await Promise.all([look.done, output?.done]);
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

/** The reason to retry; throws if the service refused. */
function passingReason(error: unknown, id: string): string {
  if (!(error instanceof Failure))
    return error instanceof Error && error.name === 'AbortError'
      ? 'the connection went silent'
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
  return new Failure(`lost track of run ${id}: ${reason}`, {
    exit: EXIT.runLost,
    ...(cause?.error === undefined ? {} : { error: cause.error }),
    details: cause?.details,
    next:
      cause?.exit === EXIT.signedOut
        ? `Run: servicectl login, then servicectl job ${id} --follow. The run keeps running.`
        : `The run keeps running. Check on it later with: servicectl job ${id}`,
  });
}

/** The events do not say why a run is waiting, so its state is polled until it has started. */
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
    // Rejects when its signal aborts it.
    done: watch().catch(() => undefined),
  };
}
