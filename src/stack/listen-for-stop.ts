// The ways in which the stack is told to stop. One Ctrl-C may arrive twice within a moment, once from the terminal
// and once passed on by npm; only a later second one means "at once".
const SAME_PRESS_MS = 500;

export interface StopRequests {
  readonly stop: AbortSignal;
  readonly kill: AbortSignal;
}

export function listenForStop(on: NodeJS.Process, now: () => number = Date.now): StopRequests {
  const stop = new AbortController();
  const kill = new AbortController();
  let firstAt: number | undefined;
  const requested = (): void => {
    firstAt ??= now();
    stop.abort();
    if (now() - firstAt > SAME_PRESS_MS) kill.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) on.on(signal, requested);
  // The program that started us and holds the other end of the channel is gone.
  on.once('disconnect', () => stop.abort());
  on.channel?.unref();
  return { stop: stop.signal, kill: kill.signal };
}
