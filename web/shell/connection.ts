// Whether the tab's stream of changes is interrupted. Apart from the stream, because every page shows it.

/** Shorter interruptions, as when a server hands the stream to the next one, are not worth a notice. */
const NOTICE_AFTER_MS = 1_500;

let reconnecting = false;
let noticing: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** Whether the stream of changes has been interrupted for a moment. */
export function isReconnecting(): boolean {
  return reconnecting;
}

export function subscribeReconnecting(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function setReconnecting(now: boolean): void {
  reconnecting = now;
  for (const listener of listeners) listener();
}

export function interrupted(): void {
  noticing ??= setTimeout(() => setReconnecting(true), NOTICE_AFTER_MS);
}

export function connected(): void {
  clearTimeout(noticing);
  noticing = undefined;
  if (reconnecting) setReconnecting(false);
}
