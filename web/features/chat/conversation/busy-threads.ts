// Threads in which this tab has a turn in progress.
const busy = new Map<object, string>();

/** `owner` has a turn in this thread, or in none. */
export function markBusy(owner: object, thread: string | undefined): void {
  if (thread === undefined) busy.delete(owner);
  else busy.set(owner, thread);
}

export function isBusyThread(thread: string): boolean {
  return [...busy.values()].includes(thread);
}
