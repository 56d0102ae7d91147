// Random requests against a broker, and the reference state machine inside the SDK's LocalNetwork to compare with.
import { LocalNetwork } from '@resonatehq/sdk';
import { originOf } from '../../../src/broker/protocol/records.ts';

export type Random = () => number;

/** Small, seeded and good enough to find faults (mulberry32). */
export function seeded(seed: number): Random {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A request as it travels, without types: what a client could send. */
export interface WireRequest {
  readonly kind: string;
  readonly head: { readonly corrId: string; readonly version: string };
  // oxlint-disable-next-line typescript/no-explicit-any -- bodies of every kind, right and wrong
  readonly data: any;
}

export interface WireMessage {
  readonly kind: 'execute' | 'unblock';
  readonly key: string;
}

export interface Reference {
  apply(now: number, request: WireRequest): { status: number; data: unknown; messages: WireMessage[] };
  /** Fires everything that is due. */
  tick(now: number, ids: readonly string[]): WireMessage[];
}

interface ReferenceServer {
  promises: Map<string, { id: string; state: string; timeoutAt: number; tags: Record<string, string> }>;
  apply(
    now: number,
    request: WireRequest,
  ): { response: { head: { status: number }; data: unknown }; changes: ReferenceChange[] };
}
type ReferenceChange = {
  kind: string;
  address: string;
  message: {
    kind: 'execute' | 'unblock';
    data: { task: { id: string; version: number }; promise: { id: string; state: string } };
  };
};

export function createReference(): Reference {
  const { server } = new LocalNetwork() as unknown as { server: ReferenceServer };
  const messagesOf = (changes: ReferenceChange[]): WireMessage[] =>
    changes
      .filter(({ kind }) => kind === 'message.send')
      .map(({ address, message: { kind, data } }) => ({
        kind,
        key:
          kind === 'execute'
            ? `${data.task.id}@${data.task.version}`
            : `${address} ${data.promise.id} ${data.promise.state}`,
      }));
  return {
    apply(now, request) {
      const { response, changes } = server.apply(now, structuredClone(request));
      return { status: response.head.status, data: response.data, messages: messagesOf(changes) };
    },
    tick(now, ids) {
      const { changes } = server.apply(now, { kind: 'debug.tick', head: HEAD, data: { time: now } });
      const messages = messagesOf(changes);
      // It arms only promises with a target; the specification arms every external one (C1). Looking at one fires it.
      for (const id of ids) {
        const promise = server.promises.get(id);
        if (promise && promise.tags['resonate:target'] === undefined && isExternalTag(promise.tags))
          messages.push(...messagesOf(server.apply(now, { kind: 'promise.get', head: HEAD, data: { id } }).changes));
      }
      return messages;
    },
  };
}

export const HEAD = { corrId: 'c', version: '2026-04-01' } as const;
export const IDS = ['r', 'r:1', 'r:2', 'r:1.1', 'r:3', 'q', 'q:1'] as const;
const KINDS = [
  'promise.get',
  'promise.create',
  'promise.settle',
  'promise.register_callback',
  'promise.register_listener',
  'task.get',
  'task.create',
  'task.acquire',
  'task.release',
  'task.suspend',
  'task.halt',
  'task.continue',
  'task.fulfill',
  'task.fence',
  'task.heartbeat',
] as const;
const PIDS = ['p1', 'p2'] as const;
const isExternalTag = (tags: Record<string, string>): boolean =>
  tags['resonate:scope'] === 'global' || tags['resonate:external'] === 'true' || tags['resonate:timer'] === 'true';

/** In which state a task has to be for a request to get anywhere. */
const SUITS: Record<string, string> = {
  'task.acquire': 'pending',
  'task.release': 'acquired',
  'task.suspend': 'acquired',
  'task.fulfill': 'acquired',
  'task.fence': 'acquired',
  'task.heartbeat': 'acquired',
  'task.continue': 'halted',
};

/** One request. What it may look at lets it be a sensible one more often than chance would. */
export function anyRequest(
  random: Random,
  now: number,
  look: { task(id: string): { state: string; version: number } | undefined; isPending(id: string): boolean },
): WireRequest {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const id = (): string => pick(IDS);
  const sibling = (of: string): string =>
    random() < 0.95 ? pick(IDS.filter((other) => originOf(other) === originOf(of) && other !== of)) : id();
  const awaitable = (of: string): string => {
    const candidates = IDS.filter((other) => originOf(other) === originOf(of) && other !== of && look.isPending(other));
    return candidates.length > 0 && random() < 0.7 ? pick(candidates) : sibling(of);
  };
  const version = (of: string): number => (random() < 0.85 ? (look.task(of)?.version ?? 0) : Math.floor(random() * 4));
  const value = () => (random() < 0.3 ? {} : { headers: { h: 'x' }, data: pick(['', 'YQ==', 'é ']) });
  const tags = (): Record<string, string> => {
    const scope = pick(['global', 'global', 'local', undefined]);
    return {
      ...(scope === undefined ? {} : { 'resonate:scope': scope }),
      ...(random() < 0.75 ? { 'resonate:target': pick(['poll://any@g', 'poll://any@g/p1', 'poll://uni@g/p2']) } : {}),
      ...(random() < 0.1 ? { 'resonate:timer': 'true' } : {}),
      ...(random() < 0.1 ? { 'resonate:external': 'true' } : {}),
      ...(random() < 0.08 ? { 'resonate:delay': String(now + Math.floor(random() * 60)) } : {}),
    };
  };
  const create = (of: string) => ({
    id: of,
    timeoutAt: now + pick([-5, 0, 20, 60, 200, 5_000, 5_000, 5_000, 5_000]),
    param: value(),
    tags: tags(),
  });
  const settle = (of: string) => ({
    id: of,
    state: pick(['resolved', 'rejected', 'rejected_canceled']),
    value: value(),
  });
  const action = (kind: string, data: unknown) => ({ kind, head: HEAD, data });
  const ttl = (): number => pick([20, 100, 400]);
  const often: (typeof KINDS)[number][] = [
    'promise.create',
    'promise.create',
    'promise.create',
    'task.acquire',
    'task.acquire',
    'task.suspend',
    'task.suspend',
    'task.suspend',
    'task.fence',
    'task.halt',
    'task.continue',
    'promise.register_listener',
  ];
  const kind: (typeof KINDS)[number] = random() < 0.7 ? pick(often) : pick(KINDS);
  const suiting = IDS.filter((of) => look.task(of)?.state === SUITS[kind]);
  const one = suiting.length > 0 && random() < 0.8 ? pick(suiting) : id();
  const make: Record<(typeof KINDS)[number], () => unknown> = {
    'promise.get': () => ({ id: one }),
    'promise.create': () => create(one),
    'promise.settle': () => settle(one),
    'promise.register_callback': () => ({ awaited: one, awaiter: sibling(one) }),
    'promise.register_listener': () => ({
      awaited: one,
      address: pick(['poll://uni@g/p1', 'poll://any@g', 'poll://uni@h/p9']),
    }),
    'task.get': () => ({ id: one }),
    'task.create': () => ({ pid: pick(PIDS), ttl: ttl(), action: action('promise.create', create(one)) }),
    'task.acquire': () => ({ id: one, version: version(one), pid: pick(PIDS), ttl: ttl() }),
    'task.release': () => ({ id: one, version: version(one) }),
    'task.suspend': () => ({
      id: one,
      version: version(one),
      actions: Array.from({ length: Math.floor(random() * 1.5) + (random() < 0.97 ? 1 : 0) }, () =>
        action('promise.register_callback', { awaiter: random() < 0.95 ? one : id(), awaited: awaitable(one) }),
      ),
    }),
    'task.halt': () => ({ id: one }),
    'task.continue': () => ({ id: one }),
    'task.fulfill': () => ({
      id: one,
      version: version(one),
      action: action('promise.settle', settle(random() < 0.95 ? one : id())),
    }),
    'task.fence': () => ({
      id: one,
      version: version(one),
      action:
        random() < 0.6
          ? action('promise.create', create(sibling(one)))
          : action('promise.settle', settle(sibling(one))),
    }),
    'task.heartbeat': () => ({
      pid: pick(PIDS),
      tasks: [one, sibling(one)].map((of) => ({ id: of, version: version(of) })),
    }),
  };
  return { kind, head: HEAD, data: make[kind]() };
}

/** What both must agree on: a refusal's words and the preloaded hints are each broker's own. */
export function comparable(kind: string, status: number, data: unknown): unknown {
  if (status !== 200 && status !== 300) return { status };
  // oxlint-disable-next-line typescript/no-explicit-any -- an answer of any kind
  const { preload: _preload, ...rest } = structuredClone(data) as Record<string, any>;
  if (rest.task) rest.task.resumes = [...rest.task.resumes].sort();
  if (rest.action) rest.action = comparable(rest.action.kind, rest.action.head.status, rest.action.data);
  return { kind, status, data: rest };
}
