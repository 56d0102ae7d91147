// How a role talks to a broker, as the SDK wants it. Three things are different from the SDK's own network: a role
// that may not send heartbeats sends none; a request that met no broker is sent again for a while, because the
// worker's result would otherwise be thrown away; and a task that this process has let go of without the broker
// knowing is given back, because an open stream would keep its lease for ever.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMessage, type Message, type Network, type Request, type Response } from '@resonatehq/sdk';
import type { Log } from '../base/log.ts';
import { openPollStream, type PollStream } from './poll-stream.ts';
import { BrokerUnreachable, createPost, type WireAnswer, type WireRequest } from './post-request.ts';
import { PROTOCOL_VERSION } from './protocol.ts';

export interface RoleNetworkOptions {
  readonly url: string;
  readonly group: string;
  readonly pid: string;
  readonly heartbeats: boolean;
  readonly polls: boolean;
  readonly credit: number;
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

export function createRoleNetwork(options: RoleNetworkOptions): RoleNetwork {
  const { url, group, pid, heartbeats, polls, token, patienceMs, log } = options;
  const wire = createPost(url, token);
  const stopping = new AbortController();
  const hearers: ((message: Message) => void)[] = [];
  const held = new Map<string, number>();
  let stream: PollStream | undefined;

  const pollHeaders = (credit: number): Record<string, string> => ({
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    'x-broker-credit': String(credit),
    'x-broker-leases': heartbeats ? 'heartbeat' : 'stream',
  });

  async function persist(request: WireRequest, forMs: number): Promise<WireAnswer> {
    const deadline = performance.now() + forMs;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        return await wire.post(request, stopping.signal);
      } catch (error) {
        const again = error instanceof BrokerUnreachable && error.retryable && !stopping.signal.aborted && performance.now() + pauseMs < deadline;
        if (!again) throw error;
        await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  }

  /** Until the broker has said something definite; in the background. */
  function giveBack(id: string, version: number): void {
    const asks = (kind: string, data: unknown): WireRequest => ({ kind, head: { corrId: randomUUID(), version: PROTOCOL_VERSION }, data });
    void (async () => {
      const { data } = await persist(asks('task.get', { id }), Infinity);
      const { task } = data as { task?: { state: string; version: number; pid?: string } };
      if (task?.state === 'acquired' && task.version === version && task.pid === pid) await persist(asks('task.release', { id, version }), Infinity);
    })().catch((error: unknown) => {
      if (!stopping.signal.aborted) log.warn({ err: error, task: id }, 'could not give a task back');
    });
  }

  function letGo(id: string, version: number): void {
    held.delete(id);
    giveBack(id, version);
  }

  async function send(request: Request): Promise<WireAnswer> {
    const { kind, head, data } = request as WireRequest & { data: { id?: string; version?: number } };
    if (kind === 'task.heartbeat' && !heartbeats) return { kind, head: { corrId: head.corrId, status: 200, version: head.version }, data: {} };
    const { id = '', version = 0 } = data;
    try {
      const answer = await persist({ kind, head, data }, kind === 'task.heartbeat' || kind === 'task.acquire' ? 0 : patienceMs);
      if (kind === 'task.acquire' && answer.head.status === 200) {
        held.set(id, version + 1);
        if (!isReadable(answer.data)) letGo(id, version + 1);
      }
      if (LETS_GO.has(kind) && answer.head.status !== 300 && held.get(id) === version) held.delete(id);
      return answer;
    } catch (error) {
      // It may have been granted; whoever asked will not know.
      if (kind === 'task.acquire') giveBack(id, version + 1);
      if (kind === 'task.release') letGo(id, version);
      throw error;
    }
  }

  function hear(text: string): void {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      message = undefined;
    }
    if (!isMessage(message)) return log.warn('the broker sent something that is no message');
    for (const hearer of hearers) hearer(message);
  }

  return {
    unicast: `poll://uni@${group}/${pid}`,
    anycast: `poll://any@${group}/${pid}`,
    match: (target) => `poll://any@${target}`,
    async init() {
      if (!polls || stream || stopping.signal.aborted) return;
      stream = openPollStream({ url: `${url}/poll/${encodeURIComponent(group)}/${encodeURIComponent(pid)}`, headers: pollHeaders(options.credit), hear, log });
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
