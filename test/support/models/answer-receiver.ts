import type { AnswerWriter } from '../../../src/net/answer-writer.ts';

export interface Receiver {
  readonly writer: AnswerWriter;
  /** What has come so far. */
  bytes(): Buffer;
  text(): string;
  destroyed(): boolean;
  /** Fulfilled when the answer has ended. */
  readonly ended: Promise<void>;
}

/** The client of an answer, as a reader sees it. */
export function createReceiver(): Receiver {
  const parts: Buffer[] = [];
  const ended = Promise.withResolvers<void>();
  let destroyed = false;
  return {
    writer: {
      write: (bytes) => (parts.push(Buffer.from(bytes)), true),
      end: () => ended.resolve(),
      refuse: () => ended.resolve(),
      destroy: () => void (destroyed = true),
    },
    bytes: () => Buffer.concat(parts),
    text: () => Buffer.concat(parts).toString(),
    destroyed: () => destroyed,
    ended: ended.promise,
  };
}
