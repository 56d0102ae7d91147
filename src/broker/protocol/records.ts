// Promises and tasks as the broker stores them, and the few rules that follow from a promise alone.
import { parseAddress, UNSERVED_QUEUE } from './address.ts';
import type { Tags, Value } from './protocol.ts';

export type PromiseState = 'pending' | 'resolved' | 'rejected' | 'rejected_canceled' | 'rejected_timedout';
export type TaskState = 'pending' | 'acquired' | 'suspended' | 'halted' | 'fulfilled';

export interface PromiseRecord {
  readonly id: string;
  readonly state: PromiseState;
  readonly param: Value;
  readonly value: Value;
  readonly tags: Tags;
  readonly timeoutAt: number;
  readonly createdAt: number;
  readonly settledAt?: number;
}

/** At most one of the times is set, by state: `dispatchAt` while pending and not yet due, `expiresAt` while acquired. */
export interface Task {
  readonly id: string;
  readonly state: TaskState;
  readonly version: number;
  readonly resumes: readonly string[];
  readonly pid?: string;
  readonly ttl?: number;
  readonly expiresAt?: number;
  readonly dispatchAt?: number;
  /** How often it was released in a row without progress. */
  readonly releases: number;
}

/** All descendants of a root share the part before the first colon: the unit of locking and loading. */
export function originOf(id: string): string {
  const colon = id.indexOf(':');
  return colon === -1 ? id : id.slice(0, colon);
}

export function targetOf({ tags }: Pick<PromiseRecord, 'tags'>): string | undefined {
  return tags['resonate:target'] || undefined;
}

export function isTimer({ tags }: Pick<PromiseRecord, 'tags'>): boolean {
  return tags['resonate:timer'] === 'true';
}

/** Whether anything but its own task may await it. Only such a promise times out by itself. */
export function isExternal(promise: Pick<PromiseRecord, 'tags'>): boolean {
  const { tags } = promise;
  return (
    tags['resonate:scope'] === 'global' ||
    tags['resonate:external'] === 'true' ||
    targetOf(promise) !== undefined ||
    isTimer(promise)
  );
}

/** The task whose replay requests this promise first: that of its branch, or else its caller. */
export function ownerOf({ id, tags }: Pick<PromiseRecord, 'id' | 'tags'>): string | undefined {
  const { 'resonate:branch': branch, 'resonate:parent': parent } = tags;
  if (branch !== undefined && branch !== id) return branch;
  return parent !== undefined && parent !== id ? parent : undefined;
}

export function timedOut(promise: PromiseRecord): PromiseRecord {
  return {
    ...promise,
    state: isTimer(promise) ? 'resolved' : 'rejected_timedout',
    value: {},
    settledAt: promise.timeoutAt,
  };
}

/** A promise past its deadline is over, even if that has not been recorded yet. */
export function isAlive(promise: PromiseRecord | undefined, now: number): promise is PromiseRecord {
  return promise?.state === 'pending' && now < promise.timeoutAt;
}

/** A task as clients see it. */
export function toTaskRecord({ id, state, version, resumes, pid, ttl }: Task): Record<string, unknown> {
  return { id, state, version, resumes, ...(pid === undefined ? {} : { pid }), ...(ttl === undefined ? {} : { ttl }) };
}

/** The queue in which a promise's task waits. */
export function queueOf(promise: Pick<PromiseRecord, 'tags'> | undefined): string {
  return parseAddress(promise && targetOf(promise))?.queue ?? UNSERVED_QUEUE;
}
