// A poll stream without HTTP, and requests without envelopes.
import type { Broker } from '../../../src/broker/create-broker.ts';
import type { Message, StreamTerms } from '../../../src/broker/protocol/messages.ts';

export interface TestStream {
  readonly messages: Message[];
  /** The next message, past or to come, as a short text: `execute id@version` or `unblock id state`. */
  next(): Promise<string>;
  readonly ended: Promise<void>;
  leave(): void;
}

export async function openStream(
  broker: Broker,
  terms: Partial<StreamTerms> & { group: string; pid: string },
): Promise<TestStream> {
  const messages: Message[] = [];
  const unread: Message[] = [];
  const waiting: ((message: Message) => void)[] = [];
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const leave = await broker.connect(
    { credit: 64, keepsLeases: true, ...terms },
    {
      send(message) {
        messages.push(message);
        const reader = waiting.shift();
        if (reader) reader(message);
        else unread.push(message);
      },
      end,
    },
  );
  return {
    messages,
    async next() {
      const message = unread.shift() ?? (await new Promise<Message>((resolve) => waiting.push(resolve)));
      if (message.kind === 'held')
        return `held ${message.data.tasks.map(({ id, version }) => `${id}@${version}`).join(' ')}`;
      return message.kind === 'execute'
        ? `execute ${message.data.task.id}@${message.data.task.version}`
        : `unblock ${message.data.promise.id} ${message.data.promise.state}`;
    },
    ended,
    leave,
  };
}

// oxlint-disable-next-line typescript/no-explicit-any -- a test's own expectation is the type of an answer
type Data = any;

export interface Asked {
  readonly status: number;
  readonly data: Data;
}

export function asker(broker: Pick<Broker, 'answer'>): (kind: string, data: unknown) => Promise<Asked> {
  return (kind, data) => broker.answer({ kind, data });
}

const HEAD = { corrId: 'c', version: '2026-04-01' };
export const soon = (): number => Date.now() + 600_000;

export function taskFor(
  id: string,
  group: string,
  more: Record<string, unknown> = {},
  tags: Record<string, string> = {},
): Record<string, unknown> {
  return { id, timeoutAt: soon(), param: {}, tags: { 'resonate:target': `poll://any@${group}`, ...tags }, ...more };
}

export function settling(id: string, version: number, state = 'resolved'): Record<string, unknown> {
  return { id, version, action: { kind: 'promise.settle', head: HEAD, data: { id, state, value: { data: 'eA==' } } } };
}

export function fencing(id: string, version: number, create: Record<string, unknown>): Record<string, unknown> {
  return { id, version, action: { kind: 'promise.create', head: HEAD, data: create } };
}

export function suspending(id: string, version: number, ...awaited: string[]): Record<string, unknown> {
  return {
    id,
    version,
    actions: awaited.map((one) => ({
      kind: 'promise.register_callback',
      head: HEAD,
      data: { awaited: one, awaiter: id },
    })),
  };
}
