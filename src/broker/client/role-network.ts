// How a role talks to a broker, as the SDK wants it. Four things are different from the SDK's own network: a role
// that may not send heartbeats sends none; a request that met no broker is sent again for a while, because the
// worker's result would otherwise be thrown away; a task that this process has let go of without the broker
// knowing is given back, because an open stream would keep its lease for ever; and a broker that can give a task
// together with its lease is asked to, so that the SDK's own asking for it is answered here.
import { isMessage, type Message, type Network, type Response } from '@resonatehq/sdk';
import type { Log } from '../../base/log.ts';
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
  /** Lease of a task that is given with it. */
  readonly ttlMs: number;
  readonly token: string | undefined;
  /** For how long a request that met no broker is sent again. */
  readonly patienceMs: number;
  readonly log: Log;
}

export interface RoleNetwork extends Network {
  readonly connected: boolean;
  /** Tasks that this process works on, by id. */
  readonly held: ReadonlyMap<string, number>;
  opened(): Promise<void>;
  /** Stays connected and takes no more tasks. */
  takeNoMore(): void;
}

/** After these the process no longer works on the task, whatever the answer; but see 300, which means go on. */
const RELEASING_KINDS: ReadonlySet<string> = new Set(['task.fulfill', 'task.suspend', 'task.release']);

type TaskRequest = WireRequest & { readonly data: { readonly id?: string; readonly version?: number } };

export function createRoleNetwork(options: RoleNetworkOptions): RoleNetwork {
  const { url, group, pid, polls, token, log } = options;
  const stopping = new AbortController();
  const post = createPersistentPost(url, token, stopping.signal);
  const tasks = createHeldTasks({ pid, post, stopping: stopping.signal, log });
  const send = createSend(options, post, tasks);
  const hearers: ((message: Message) => void)[] = [];
  let stream: PollStream | undefined;

  function hear(text: string): void {
    const message = parse(text);
    if (isHeld(message)) return tasks.compare(message.data.tasks);
    if (!isMessage(message)) return log.warn('the broker sent something that is no message');
    if (message.kind === 'execute') {
      const { acquired } = message.data as { acquired?: AcquiredTask };
      if (acquired) tasks.given(message.data.task, acquired);
    }
    for (const hearer of hearers) hearer(message);
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
        hear,
        log,
      });
    },
    async stop() {
      stopping.abort();
      await stream?.stop();
      await post.close();
    },
    // The protocol's answer is of the request's kind; the wire has been checked for that.
    send: (request) => send(request as TaskRequest) as Promise<Extract<Response, { kind: typeof request.kind }>>,
    recv: (hearer) => void hearers.push(hearer),
    held: tasks.held,
    get connected() {
      return stream?.connected ?? false;
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

  /** Whether it was granted is not known where the asking fails, so it is given back. */
  async function acquire(request: TaskRequest, id: string, version: number): Promise<WireAnswer> {
    tasks.asking(id);
    try {
      const answer = await post.persist(request, 0);
      if (answer.head.status === 200) tasks.acquired(id, version + 1, answer.data);
      return answer;
    } catch (error) {
      tasks.giveBack(id, version + 1);
      throw error;
    } finally {
      tasks.asked(id);
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

/** The SDK would decode the parameters of the call that it has just made, and never look at them. */
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
