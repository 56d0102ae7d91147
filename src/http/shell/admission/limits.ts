// Every limit of requests to one process: what is counted, per whom, and how much. docs/contributors/limits.md prints
// this table, together with the limits that stay apart on purpose (scripts/limits.ts). Honest use does not reach them:
// they keep one sender from slowing the others.
import { availableParallelism } from 'node:os';
import { JSON_LIMITS } from '../../../base/json-scanner.ts';
import { ATTACHMENT_LIMITS } from '../../../contract/attachments.ts';
import { IMPORT_LIMITS } from '../../../contract/imports/import-words.ts';
import { PROJECT_LIMITS } from '../../../contract/project-limits.ts';
import { TRIGGER_LIMITS } from '../../../contract/standing/trigger-rules.ts';
import type { RouteCost } from '../../../contract/route-cost.ts';
import { MAX_REQUEST_BYTES } from '../../../tools/map-arguments.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Whom a limit counts. */
export interface Sender {
  /** A person or, for a stranger, their network. */
  readonly userId: string;
  readonly stranger?: true;
}

/** Something that all senders share. */
export interface ShareRow {
  /** What one sender may hold. */
  readonly each: number;
  readonly total: number;
  /** What all strangers together may hold: the rest is left for people who have signed in. */
  readonly strangers: number;
}

/** What a request needs while it is worked on, by the cost of its route. */
export interface PlaceRow extends ShareRow {
  /** Requests of one sender; 0 if the route has a limit of its own. */
  readonly perMinute: number;
  /** Waiting requests of one sender; more are refused. */
  readonly waiting: number;
}

export const MAX_HASHES = 4;
const HASHES = Math.max(1, Math.min(MAX_HASHES, Math.floor(availableParallelism() / 2)));

export const PLACES = {
  cheap: { perMinute: 12_000, each: 64, total: 1_000, strangers: 750, waiting: 64 },
  // `each` is for the smallest pool: placesFor() makes it half of the pool, so that one sender never has all of it.
  database: { perMinute: 12_000, each: 1, total: 64, strangers: 32, waiting: 500 },
  // The most expensive thing that a stranger can request: tens of milliseconds of a core and 32 MiB each. At most half
  // of the cores do it, on threads beside the event loop; the other half serves everyone else.
  hashing: { perMinute: 600, each: 2, total: HASHES, strangers: HASHES, waiting: 64 },
  cpu: { perMinute: 600, each: 1, total: 4, strangers: 2, waiting: 64 },
  // Open streams are counted by their seats (streams/stream-kinds.ts).
  stream: { perMinute: 1_200, each: 256, total: 10_000, strangers: 0, waiting: 0 },
  provider: { perMinute: 0, each: 1_000, total: 10_000, strangers: 1_000, waiting: 0 },
} as const satisfies Record<RouteCost, PlaceRow>;

/** The table for a process with a pool of this size. */
export function placesFor(poolMax: number): Readonly<Record<RouteCost, PlaceRow>> {
  const { database } = PLACES;
  return { ...PLACES, database: { ...database, each: Math.max(database.each, Math.floor(poolMax / 2)) } };
}

/** Requests that wait for a place, per cost; how many of one sender is in its row. */
export const WAITING = { total: 2_000, strangers: 1_000 } as const;
/** Requests that have waited this long are refused: most clients have given up by then. */
export const WAIT_MS = 20_000;

/**
 * Requests of one network a minute, for routes that strangers call. They leave room for an office behind one address:
 * passwords are protected by the limit on wrong guesses (identity/passwords/guess-limit.ts), the machine by the cost `hashing`.
 */
export const ATTEMPTS = {
  'sign-up': 60,
  'sign-in': 120,
  password: 30,
  'forgot-password': 20,
  'reset-password': 30,
  account: 600,
  openid: 600,
  // All sessions of a provider may end at once.
  'openid-logout': 6_000,
  /** Of one person: each sends mail to an address that they name. */
  'prove-address': 3,
  'device-code': 120,
  'device-answer': 120,
  'oauth-register': 60,
  'oauth-authorize': 300,
  'oauth-token': 600,
  // The large senders deliver from few addresses.
  hook: 6_000,
  /** Of one trigger, once the signature is found to be right. */
  'hook-delivery': 60,
  // An identity provider writes many organizations from few addresses; each token has the limit of its routes besides.
  scim: 6_000,
} as const satisfies Record<string, number>;
export type AttemptName = keyof typeof ATTEMPTS;

/** This machine may do as much as this many networks: a local proxy that is not trusted stands for all its visitors. */
export const MORE_FROM_THIS_MACHINE = 10;

/** Around a file of maximum size: boundaries, names of fields. */
const FORM = 64 * KIB;

export interface BodyRow {
  readonly bytes: number;
  /** Of JSON, counted while it arrives. The JSON of other rows is counted before it is parsed. */
  readonly values?: number;
  /** Whether it may be compressed; its size is that of what it becomes. */
  readonly compressed?: true;
}

/** How large a body may be; a route that takes one names its row. */
export const BODIES = {
  operator: { bytes: 16 * KIB },
  identity: { bytes: 16 * KIB },
  oauth: { bytes: 64 * KIB },
  webhook: { bytes: 256 * KIB },
  json: { bytes: MIB },
  hook: { bytes: TRIGGER_LIMITS.bytes, values: 50_000 },
  tool: { bytes: MAX_REQUEST_BYTES },
  attachment: { bytes: ATTACHMENT_LIMITS.bytes + FORM },
  'project-file': { bytes: PROJECT_LIMITS.bytes + FORM },
  'import-part': { bytes: IMPORT_LIMITS.partBytes },
  /** Room for a long context with images in it. */
  model: { bytes: 32 * MIB, values: JSON_LIMITS.values, compressed: true },
  /** Speech and images, as forms or JSON. */
  passed: { bytes: 32 * MIB },
  /** A question has few fields, whatever is in them. */
  question: { bytes: 32 * MIB, values: 1_000, compressed: true },
} as const satisfies Record<string, BodyRow>;
export type BodyName = keyof typeof BODIES;

/** Conversations that are being written to a file: an export goes on after its request has given its place back. */
export const EXPORTS = { each: 2, total: 20, strangers: 0 } as const satisfies ShareRow;

/** Archives of everything of a person that are being written. */
export const PERSONAL_EXPORTS = { each: 1, total: 4, strangers: 0 } as const satisfies ShareRow;

/** How slowly a body may arrive: 408 beyond it. The least rate leaves room for the slowest mobile connection. */
export const BODY_PACE = { silentMs: 10_000, leastBytes: 4 * KIB } as const;

/** Bytes of bodies, and of what was read for them, in memory; counted as they arrive, until their request has ended. */
export const BODY_MEMORY = { each: 64 * MIB, total: 512 * MIB, strangers: 64 * MIB } as const satisfies ShareRow;
/** Only the part of a body beyond this counts per minute. */
export const LARGE_BODY_BYTES = 256 * KIB;
export const LARGE_BYTES_PER_MINUTE = 512 * MIB;
