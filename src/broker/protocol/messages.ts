// The messages that the broker sends over a poll stream, and the terms on which a stream is opened.
import type { PromiseRecord } from './records.ts';

export interface NamedTask {
  readonly id: string;
  readonly version: number;
}

/** The answer that `task.acquire` would have returned. */
export interface AcquiredTask {
  readonly task: Record<string, unknown>;
  readonly promise: PromiseRecord;
  readonly preload: readonly PromiseRecord[];
}

export type Message =
  | {
      readonly kind: 'execute';
      readonly head: Record<string, never>;
      readonly data: { readonly task: NamedTask; readonly acquired?: AcquiredTask };
    }
  | {
      readonly kind: 'held';
      readonly head: Record<string, never>;
      readonly data: { readonly tasks: readonly NamedTask[] };
    }
  | {
      readonly kind: 'unblock';
      readonly head: Record<string, never>;
      readonly data: { readonly promise: PromiseRecord };
    };

export interface StreamTerms {
  readonly group: string;
  readonly pid: string;
  /** How many tasks it may hold at once, offered ones included. */
  readonly credit: number;
  /** Whether being connected keeps its leases; otherwise heartbeats do. */
  readonly keepsLeases: boolean;
  /** Set when tasks are to be sent with their lease already taken: its length. */
  readonly leaseMs?: number;
}
