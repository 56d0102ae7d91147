// The state of the broker, as operators see it.

export type WaitingReason =
  | 'no stream connected'
  | 'no credit'
  | 'tenant has its share'
  | 'being delivered'
  | 'backing off'
  | 'delayed'
  | 'halted'
  | 'waiting for its deadline'
  | 'address not served';

export interface WaitingTask {
  readonly task: string;
  readonly group: string;
  readonly reason: WaitingReason;
  readonly tenant: string;
  readonly waitingMs: number;
  readonly releases: number;
}

interface StreamFigures {
  readonly pid: string;
  readonly replica: string;
  readonly credit: number;
  readonly held: number;
  readonly connectedMs: number;
}

export interface GroupFigures {
  readonly group: string;
  readonly streams: readonly StreamFigures[];
  readonly waiting: Readonly<Partial<Record<WaitingReason, number>>>;
}

export interface BrokerFigures {
  readonly replica: string;
  readonly leads: boolean;
  readonly replicas: number;
  readonly stepsWaiting: number;
  readonly leases: number;
  readonly groups: readonly GroupFigures[];
  /** The tasks that have waited longest, at most a hundred. */
  readonly waiting: readonly WaitingTask[];
  /** Whether there are more waiting tasks than were counted. */
  readonly truncated: boolean;
}
