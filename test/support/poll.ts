// Waiting for a state that sends no event: a row of a table, the answer of another process, a file. Every test waits for
// one this way; where there is an event or a line of output, wait for that instead. The timeout of the test bounds it.
import { setTimeout as sleep } from 'node:timers/promises';

const INTERVAL_MS = 20;

/** Reads again until the value is neither undefined nor false, and returns it. What `read` throws ends the wait. */
export async function poll<T>(
  read: () => T | Promise<T>,
  everyMs = INTERVAL_MS,
): Promise<Exclude<T, undefined | false>> {
  for (;;) {
    const value = await read();
    if (value !== undefined && value !== false) return value as Exclude<T, undefined | false>;
    await sleep(everyMs);
  }
}

/** Reads again until the condition holds for the value, and returns it. */
export async function pollUntil<T>(read: () => T | Promise<T>, holds: (value: T) => boolean): Promise<T> {
  const { value } = await poll(async () => {
    const now = await read();
    return holds(now) && { value: now };
  });
  return value;
}

/** Waits until a number has stopped growing: nothing tells a test that a peer has stopped sending. */
export async function stopsGrowing(read: () => number): Promise<void> {
  let [last, same] = [-1, 0];
  await poll(() => {
    const now = read();
    same = now === last ? same + 1 : 0;
    last = now;
    return same >= 10;
  });
}

/** Whether anything answers at the URL with a status below 300. */
export function isUp(url: string): Promise<boolean> {
  return fetch(url).then(
    async ({ ok, body }) => {
      await body?.cancel();
      return ok;
    },
    () => false,
  );
}
