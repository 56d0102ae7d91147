// How a role talks to a broker, as the SDK wants it. Four things are different from the SDK's own network: a role
// that may not send heartbeats sends none; a request that met no broker is sent again for a while, because the
// worker's result would otherwise be thrown away; a task that this process has let go of without the broker
// knowing is given back, because an open stream would keep its lease for ever; and a broker that can give a task
// together with its lease is asked to, so that the SDK's own asking for it is answered here.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMessage, type Message, type Network, type Request, type Response } from '@resonatehq/sdk';
import type { Log } from '../../base/log.ts';
import { openPollStream, type PollStream } from './poll-stream.ts';
import { BrokerUnreachable, createPost, type WireAnswer, type WireRequest } from './post-request.ts';
import { PROTOCOL_VERSION } from '../protocol/protocol.ts';
import type { AcquiredTask, NamedTask } from '../streams/local-streams.ts';

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

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
/** A task that the broker says is here may be on its way for so long. */
const ON_ITS_WAY_MS = 1_000;

export function createRoleNetwork(options: RoleNetworkOptions): RoleNetwork {
  const { url, group, pid, heartbeats, polls, token, patienceMs, log } = options;
  const wire = createPost(url, token);
  const stopping = new AbortController();
  const hearers: ((message: Message) => void)[] = [];
  const held = new Map<string, number>();
  const asking = new Set<string>();
  const given = new Map<string, AcquiredTask>();
  let stream: PollStream | undefined;

  const pollHeaders = (credit: number): Record<string, string> => ({
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    'x-broker-credit': String(credit),
    'x-broker-leases': heartbeats ? 'heartbeat' : 'stream',
    ...(heartbeats ? {} : { 'x-broker-ttl': String(options.ttlMs) }),
  });

  async function persist(request: WireRequest, forMs: number): Promise<WireAnswer> {
    const deadline = performance.now() + forMs;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        return await wire.post(request, stopping.signal);
      } catch (error) {
        const again =
          error instanceof BrokerUnreachable &&
          error.retryable &&
          !stopping.signal.aborted &&
          performance.now() + pauseMs < deadline;
        if (!again) throw error;
        await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  }

  /** Until the broker has said something definite; in the background. */
  function giveBack(id: string, version: number): void {
    const asks = (kind: string, data: unknown): WireRequest => ({
      kind,
      head: { corrId: randomUUID(), version: PROTOCOL_VERSION },
      data,
    });
    void (async () => {
      const { data } = await persist(asks('task.get', { id }), Infinity);
      const { task } = data as { task?: { state: string; version: number; pid?: string } };
      if (task?.state === 'acquired' && task.version === version && task.pid === pid)
        await persist(asks('task.release', { id, version }), Infinity);
    })().catch((error: unknown) => {
      if (!stopping.signal.aborted) log.warn({ err: error, task: id }, 'could not give a task back');
    });
  }

  function letGo(id: string, version: number): void {
    held.delete(id);
    giveBack(id, version);
  }

  /** What the broker takes to be here and is not goes back, unless it turns up within a moment. */
  function compareHeld(tasks: readonly NamedTask[]): void {
    const isMissing = ({ id, version }: NamedTask): boolean => held.get(id) !== version && !asking.has(id);
    if (!tasks.some(isMissing)) return;
    setTimeout(() => {
      if (!stopping.signal.aborted) for (const task of tasks.filter(isMissing)) giveBack(task.id, task.version);
    }, ON_ITS_WAY_MS).unref();
  }

  /** The answer to a request that needs no broker. */
  function answerHere({
    kind,
    head,
    data,
  }: WireRequest & { data: { id?: string; version?: number } }): WireAnswer | undefined {
    const answered = (body: unknown): WireAnswer => ({
      kind,
      head: { corrId: head.corrId, status: 200, version: head.version },
      data: body,
    });
    if (kind === 'task.heartbeat' && !heartbeats) return answered({});
    const { id = '', version = 0 } = data;
    const acquired = kind === 'task.acquire' ? given.get(id) : undefined;
    if (!acquired || acquired.task['version'] !== version + 1) return undefined;
    given.delete(id);
    if (!isReadable(acquired)) letGo(id, version + 1);
    return answered(acquired);
  }

  async function send(request: Request): Promise<WireAnswer> {
    const { kind, head, data } = request as WireRequest & { data: { id?: string; version?: number } };
    const here = answerHere({ kind, head, data });
    if (here) return here;
    const { id = '', version = 0 } = data;
    if (kind === 'task.acquire') asking.add(id);
    try {
      const answer = await persist(
        { kind, head, data },
        kind === 'task.heartbeat' || kind === 'task.acquire' ? 0 : patienceMs,
      );
      if (kind === 'task.acquire' && answer.head.status === 200) {
        held.set(id, version + 1);
        if (!isReadable(answer.data)) letGo(id, version + 1);
      }
      if (LETS_GO.has(kind) && answer.head.status !== 300 && held.get(id) === version) held.delete(id);
      return kind === 'task.fence' ? withoutParameters(answer) : answer;
    } catch (error) {
      // It may have been granted; whoever asked will not know.
      if (kind === 'task.acquire') giveBack(id, version + 1);
      if (kind === 'task.release') letGo(id, version);
      throw error;
    } finally {
      if (kind === 'task.acquire') asking.delete(id);
    }
  }

  function hear(text: string): void {
    const message = parse(text);
    if (isHeld(message)) return compareHeld(message.data.tasks);
    if (!isMessage(message)) return log.warn('the broker sent something that is no message');
    if (message.kind === 'execute') {
      const { id, version } = message.data.task;
      const { acquired } = message.data as { acquired?: AcquiredTask };
      if (acquired) {
        held.set(id, version + 1);
        given.set(id, acquired);
      }
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
        headers: pollHeaders(options.credit),
        hear,
        log,
      });
    },
    async stop() {
      stopping.abort();
      await stream?.stop();
      await wire.close();
    },
    // The protocol's answer is of the request's kind; the wire has been checked for that.
    send: (request) => send(request) as Promise<Extract<Response, { kind: typeof request.kind }>>,
    recv: (hearer) => void hearers.push(hearer),
    held,
    get connected() {
      return stream?.connected ?? false;
    },
    opened: async () => stream?.opened(),
    takeNoMore: () => stream?.reopen(pollHeaders(0)),
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

/** Parameters that the SDK cannot decode make it drop the task without a word. */
function isReadable(data: unknown): boolean {
  const { param, value } = (data as { promise: { param: { data?: string }; value: { data?: string } } }).promise;
  try {
    for (const text of [param.data, value.data]) if (text) JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

/** After these the process no longer works on the task, whatever the answer; but see 300, which means go on. */
const LETS_GO = new Set(['task.fulfill', 'task.suspend', 'task.release']);
