// A path such as `pull_request.labels.0.name` into a payload. Only what the payload itself holds is found: nothing that
// every object of the language has.

/** What was delivered: the payload, and what the sender's headers say of it. */
export interface Delivered {
  readonly payload: unknown;
  readonly event: string | undefined;
  /** The sender's own id for it. */
  readonly deliveryId: string | undefined;
}

/** Undefined where the path leads nowhere. */
export function findAt({ payload, event, deliveryId }: Delivered, path: string): unknown {
  if (path === '@event') return event;
  if (path === '@delivery') return deliveryId;
  let found = payload;
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}
