// The SDK's network between a role and a broker. Four things differ from the SDK's own: a role that must not send
// heartbeats sends none; a request is retried for a while when the broker cannot be reached, because the worker's result
// would otherwise be lost; a task that this process dropped without the broker knowing is given back, because an open
// stream would keep its lease for ever; and tasks come with their leases where the broker supports it, so that the SDK's
// `task.acquire` is answered here.
import { isMessage, type Message, type Network, type Response } from '@resonatehq/sdk';
import type { Log } from '../../telemetry/log.ts';
import type { AcquiredTask, NamedTask } from '../protocol/messages.ts';
import { createHeldTasks, type HeldTasks } from './held-tasks.ts';
import { createPersistentPost, type PersistentPost } from './persistent-post.ts';
import { openPollStream, type PollStream } from './poll-stream.ts';
import type { WireAnswer, WireRequest } from './post-request.ts';

export interface RoleNetworkOptions {
  readonly url: string;
  readonly group: string;
  readonly pid: string;
  readonly heartbeats: boolean;
  readonly polls: boolean;
  readonly credit: number;
  /** Lease of tasks that come with one. */
  readonly ttlMs: number;
  readonly token: string | undefined;
  /** How long to retry a request while the broker cannot be reached. */
  readonly patienceMs: number;
  readonly log: Log;
}

export interface RoleNetwork extends Network {
  readonly connected: boolean;
  readonly keepsCredit: boolean;
  /** Tasks that this process works on, by id. */
  readonly held: ReadonlyMap<string, number>;
  opened(): Promise<void>;
  /** Stays connected and takes no more tasks. */
  takeNoMore(): void;
}

/** After these the process no longer works on the task, whatever the answer, except for 300, which means go on. */
const RELEASING_KINDS: ReadonlySet<string> = new Set(['task.fulfill', 'task.suspend', 'task.release']);

type TaskRequest = WireRequest & { readonly data: { readonly id?: string; readonly version?: number } };

export function createRoleNetwork(options: RoleNetworkOptions): RoleNetwork {
  const { url, group, pid, polls, token, log } = options;
  const stopping = new AbortController();
  const post = createPersistentPost(url, token, stopping.signal);
  const tasks = createHeldTasks({ pid, post, stopping: stopping.signal, log });
  const send = createSend(options, post, tasks);
  const receivers: ((message: Message) => void)[] = [];
  let stream: PollStream | undefined;

  function receive(text: string): void {
    const message = parse(text);
    if (isHeld(message)) return tasks.compare(message.data.tasks);
    if (!isMessage(message)) return log.warn('ignoring an unknown message from the broker');
    if (message.kind === 'execute') {
      const { acquired } = message.data as { acquired?: AcquiredTask };
      if (acquired) tasks.given(message.data.task, acquired);
    }
    for (const receiver of receivers) receiver(message);
  }

  return {
    unicast: `poll://uni@${group}/${pid}`,
    anycast: `poll://any@${group}/${pid}`,
    match: (target) => `poll://any@${target}`,
    async init() {
      if (!polls || stream || stopping.signal.aborted) return;
      stream = openPollStream({
        url: `${url}/poll/${encodeURIComponent(group)}/${encodeURIComponent(pid)}`,
        headers: pollHeaders(options, options.credit),
        onMessage: receive,
        log,
      });
    },
    async stop() {
      stopping.abort();
      await stream?.stop();
      await post.close();
    },
    // The answer is of the request's kind; post-request.ts has checked that.
    send: (request) => send(request as TaskRequest) as Promise<Extract<Response, { kind: typeof request.kind }>>,
    recv: (receiver) => void receivers.push(receiver),
    held: tasks.held,
    get connected() {
      return stream?.connected ?? false;
    },
    get keepsCredit() {
      return stream?.keepsCredit ?? false;
    },
    opened: async () => stream?.opened(),
    takeNoMore: () => stream?.reopen(pollHeaders(options, 0)),
  };
}

function pollHeaders({ token, heartbeats, ttlMs }: RoleNetworkOptions, credit: number): Record<string, string> {
  return {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    'x-broker-credit': String(credit),
    'x-broker-leases': heartbeats ? 'heartbeat' : 'stream',
    ...(heartbeats ? {} : { 'x-broker-ttl': String(ttlMs) }),
  };
}

function createSend(
  { heartbeats, patienceMs }: RoleNetworkOptions,
  post: PersistentPost,
  tasks: HeldTasks,
): (request: TaskRequest) => Promise<WireAnswer> {
  /** The answer to a request that needs no broker. */
  function answerHere({ kind, head, data: { id = '', version = 0 } }: TaskRequest): WireAnswer | undefined {
    const answered = (data: unknown): WireAnswer => ({
      kind,
      head: { corrId: head.corrId, status: 200, version: head.version },
      data,
    });
    if (kind === 'task.heartbeat' && !heartbeats) return answered({});
    const acquired = kind === 'task.acquire' ? tasks.takeGiven(id, version) : undefined;
    return acquired && answered(acquired);
  }

  /** When the request fails, the lease may still have been granted, so the task is given back. */
  async function acquire(request: TaskRequest, id: string, version: number): Promise<WireAnswer> {
    tasks.acquiring(id);
    try {
      const answer = await post.persist(request, 0);
      if (answer.head.status === 200) tasks.acquired(id, version + 1, answer.data);
      return answer;
    } catch (error) {
      tasks.giveBack(id, version + 1);
      throw error;
    } finally {
      tasks.acquireEnded(id);
    }
  }

  return async ({ kind, head, data }) => {
    const request: TaskRequest = { kind, head, data };
    const here = answerHere(request);
    if (here) return here;
    const { id = '', version = 0 } = data;
    if (kind === 'task.acquire') return acquire(request, id, version);
    try {
      const answer = await post.persist(request, kind === 'task.heartbeat' ? 0 : patienceMs);
      if (RELEASING_KINDS.has(kind) && answer.head.status !== 300) tasks.released(id, version);
      return kind === 'task.fence' ? withoutParameters(answer) : answer;
    } catch (error) {
      if (kind === 'task.release') tasks.letGo(id, version);
      throw error;
    }
  };
}

/** Saves the SDK from decoding the parameters of the call that it has just made. */
function withoutParameters(answer: WireAnswer): WireAnswer {
  const { action } = answer.data as { action?: { kind: string; data?: { promise?: object } } };
  if (action?.kind !== 'promise.create' || action.data?.promise === undefined) return answer;
  return {
    ...answer,
    data: {
      ...(answer.data as object),
      action: { ...action, data: { promise: { ...action.data.promise, param: {} } } },
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isHeld(message: unknown): message is { kind: 'held'; data: { tasks: NamedTask[] } } {
  const { kind, data } = (message ?? {}) as { kind?: unknown; data?: { tasks?: unknown } };
  return kind === 'held' && Array.isArray(data?.tasks);
}
