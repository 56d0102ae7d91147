// Sends protocol requests over HTTP. A broker that supports batches gets concurrent requests in one body: while some are
// under way, the others collect. Durable requests have lanes of their own, so that they do not hold up the fast ones.
import { randomUUID } from 'node:crypto';
import { ResonateTimeoutException } from '@resonatehq/sdk';
import { createLanes, type Lanes } from '../../timing/lanes.ts';
import { BATCH_KIND, PROTOCOL_VERSION } from '../protocol/protocol.ts';
import { isRepeatable } from '../protocol/steps.ts';
import { createBodySender } from './send-body.ts';

const BATCH_MAX = 64;
/** Well below the broker's limit for a body. */
const BATCH_BYTES_MAX = 256 * 1024;
const LANES = 2;
/** Any other status is a failure of the broker, not an answer. */
const PROTOCOL_STATUSES = new Set([200, 300, 404, 409, 422, 501]);

export interface WireRequest {
  readonly kind: string;
  readonly head: { readonly corrId: string; readonly version: string };
  readonly data: unknown;
}

export interface WireAnswer {
  readonly kind: string;
  readonly head: { readonly corrId: string; readonly status: number; readonly version: string };
  readonly data: unknown;
}

/** The SDK takes its own exception to mean that the platform failed. */
class BrokerUnreachable extends ResonateTimeoutException {
  readonly retryable: boolean;

  constructor(reason: string, retryable: boolean) {
    super(reason);
    this.retryable = retryable;
  }
}

export interface Post {
  post(request: WireRequest, signal: AbortSignal): Promise<WireAnswer>;
  close(): Promise<void>;
}

interface Waiting {
  readonly request: WireRequest;
  readonly signal: AbortSignal;
  readonly text: string;
  readonly resolve: (answer: WireAnswer) => void;
  readonly reject: (error: unknown) => void;
}

export function createPost(url: string, token: string | undefined): Post {
  const sender = createBodySender(url, token);
  const lanes = { durable: openLanes(), fast: openLanes() };
  let takesSeveral = false;

  function openLanes(): Lanes<Waiting> {
    return createLanes<Waiting, 'all'>({
      kinds: ['all'],
      lanes: () => (takesSeveral ? LANES : Infinity),
      most: () => (takesSeveral ? BATCH_MAX : 1),
      size: { of: ({ text }) => text.length, most: BATCH_BYTES_MAX },
      run: post,
    });
  }

  async function exchange(body: string, signal: AbortSignal | null): Promise<WireAnswer> {
    const answered = await sender.send(body, signal).catch((error: unknown) => {
      throw new BrokerUnreachable(
        error instanceof Error ? ('code' in error && String(error.code)) || error.message : 'failed',
        true,
      );
    });
    // If the broker turns out not to support batches, the requests are sent again one by one.
    const again = takesSeveral && !answered.takesSeveral;
    takesSeveral = answered.takesSeveral;
    const { status } = answered;
    if (!PROTOCOL_STATUSES.has(status))
      throw new BrokerUnreachable(`HTTP ${status}`, again || status >= 500 || status === 429);
    const answer = parseAnswer(answered.text);
    if (!answer) throw new BrokerUnreachable('the broker sent an invalid answer', true);
    return answer;
  }

  async function post(group: readonly Waiting[]): Promise<void> {
    const [first] = group;
    if (!first) return;
    try {
      if (group.length === 1) return settle(first, await exchange(first.text, first.signal));
      const head = { corrId: randomUUID(), version: PROTOCOL_VERSION, ...(token === undefined ? {} : { auth: token }) };
      const { data } = await exchange(
        `{"kind":"${BATCH_KIND}","head":${JSON.stringify(head)},"data":[${group.map(({ text }) => text).join(',')}]}`,
        null,
      );
      const answers = Array.isArray(data) ? (data as unknown[]) : [];
      for (const [position, waiting] of group.entries()) settle(waiting, toAnswer(answers[position]));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  return {
    post: (request, signal) =>
      new Promise((resolve, reject) => {
        const text = JSON.stringify(
          token === undefined ? request : { ...request, head: { ...request.head, auth: token } },
        );
        lanes[isRepeatable(request.kind) ? 'fast' : 'durable'].add({ request, signal, text, resolve, reject });
      }),
    close: () => sender.close(),
  };
}

function settle({ request, signal, resolve, reject }: Waiting, answer: WireAnswer | undefined): void {
  if (signal.aborted) return reject(new BrokerUnreachable('stopped', false));
  if (answer?.kind !== request.kind || answer.head.corrId !== request.head.corrId)
    return reject(new BrokerUnreachable('the answer does not belong to the request', true));
  const { status } = answer.head;
  if (PROTOCOL_STATUSES.has(status)) resolve(answer);
  else reject(new BrokerUnreachable(`status ${status}`, status >= 500 || status === 429));
}

function parseAnswer(text: string): WireAnswer | undefined {
  try {
    return toAnswer(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function toAnswer(parsed: unknown): WireAnswer | undefined {
  const answer = parsed as Partial<WireAnswer> | null | undefined;
  return typeof answer?.kind === 'string' && typeof answer.head?.status === 'number'
    ? (answer as WireAnswer)
    : undefined;
}
