// The Resonate wire protocol: the requests that clients send over POST /. Bodies are validated once, here. Kinds that only
// a full Resonate server serves are known by name, so that they are refused as "not implemented" and not as unknown.
import { z } from 'zod';
import { isStorableJson } from '../../base/storable-json.ts';

export const PROTOCOL_VERSION = '2026-04-01';

/** Our extension: several requests in one body, answered together. The header on every answer announces support. */
export const BATCH_KIND = 'service.batch';
export const BATCH_HEADER = 'x-broker-batch';
/** How often a poll stream sends a keep-alive, in milliseconds. */
export const KEEP_ALIVE_HEADER = 'x-broker-keep-alive';
export const BATCH_MAX = 256;

/** Parameters and results of one promise, as JSON text. */
const VALUE_BYTES_MAX = 512 * 1024;
const TTL_MS_MAX = 30 * 24 * 3_600_000;

const id = z.string().min(1).max(1_000).refine(isStorableJson, 'must hold no zero character and no unpaired surrogate');
const address = z
  .string()
  .min(1)
  .max(1_000)
  .refine(isStorableJson, 'must hold no zero character and no unpaired surrogate');
const pid = z.string().min(1).max(200).refine(isStorableJson, 'must hold no zero character and no unpaired surrogate');
const ttl = z.number().min(1).max(TTL_MS_MAX).transform(Math.floor);
const version = z
  .number()
  .int()
  .min(0)
  .max(2 ** 31 - 1);
const instant = z.number().min(0).max(Number.MAX_SAFE_INTEGER).transform(Math.floor);
const value = z
  .object({ headers: z.record(z.string(), z.string()).optional(), data: z.string().optional() })
  .refine(
    (given) => Buffer.byteLength(JSON.stringify(given)) <= VALUE_BYTES_MAX,
    `must be at most ${VALUE_BYTES_MAX} bytes`,
  );
const tags = z.record(
  z.string(),
  z.string().refine(isStorableJson, 'must hold no zero character and no unpaired surrogate'),
);
const head = z.object({ corrId: z.string().max(200), version: z.string().max(40), auth: z.string().optional() });
const settled = z.enum(['resolved', 'rejected', 'rejected_canceled']);

const promiseCreate = z.object({ id, timeoutAt: instant, param: value.default({}), tags: tags.default({}) });
const promiseSettle = z.object({ id, state: settled, value: value.default({}) });
const callback = z.object({ awaited: id, awaiter: id });
const createAction = z.object({ kind: z.literal('promise.create'), head, data: promiseCreate });
const settleAction = z.object({ kind: z.literal('promise.settle'), head, data: promiseSettle });
const callbackAction = z.object({ data: callback });
const byId = z.object({ id });
const lease = z.object({ id, version });

const BODIES = {
  'promise.get': byId,
  'promise.create': promiseCreate,
  'promise.settle': promiseSettle,
  'promise.register_callback': callback,
  'promise.register_listener': z.object({ awaited: id, address }),
  'task.get': byId,
  'task.create': z.object({ pid, ttl, action: createAction }),
  'task.acquire': z.object({ id, version, pid, ttl }),
  'task.release': lease,
  'task.suspend': z.object({ id, version, actions: z.array(callbackAction).max(1_000) }),
  'task.halt': byId,
  'task.continue': byId,
  'task.fulfill': z.object({ id, version, action: settleAction }),
  'task.fence': z.object({ id, version, action: z.discriminatedUnion('kind', [createAction, settleAction]) }),
  'task.heartbeat': z.object({ pid, tasks: z.array(lease).max(1_000) }),
} as const;

const UNSERVED_KINDS: readonly string[] = [
  'promise.search',
  'task.search',
  'schedule.get',
  'schedule.create',
  'schedule.delete',
  'schedule.search',
  'debug.start',
  'debug.reset',
  'debug.tick',
  'debug.snap',
  'debug.stop',
];

type Kind = keyof typeof BODIES;
export type Body<K extends Kind> = z.infer<(typeof BODIES)[K]>;
export type Value = z.infer<typeof value>;
export type Tags = z.infer<typeof tags>;
/** A checked request, without its envelope. */
export type BrokerRequest = { [K in Kind]: { readonly kind: K; readonly data: Body<K> } }[Kind];

export interface BrokerAnswer {
  readonly status: number;
  /** The result, or the message of a refusal. */
  readonly data: unknown;
}

export type ParsedRequest = { readonly request: BrokerRequest } | { readonly refusal: BrokerAnswer };

const envelope = z.object({ kind: z.string().max(100), head, data: z.unknown() });
export type Envelope = z.infer<typeof envelope>;

export function parseEnvelope(body: unknown): Envelope | undefined {
  return envelope.safeParse(body).data;
}

export function parseRequest({ kind, data }: Pick<Envelope, 'kind' | 'data'>): ParsedRequest {
  if (UNSERVED_KINDS.includes(kind)) return { refusal: { status: 501, data: 'Not implemented' } };
  if (!Object.hasOwn(BODIES, kind)) return { refusal: { status: 400, data: 'Unknown kind' } };
  const parsed = BODIES[kind as Kind].safeParse(data);
  if (parsed.success) return { request: { kind, data: parsed.data } as BrokerRequest };
  const [issue] = parsed.error.issues;
  return { refusal: { status: 400, data: `${issue?.path.join('.') ?? 'data'}: ${issue?.message ?? 'invalid'}` } };
}
