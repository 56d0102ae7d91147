// A turn's answer as a Response, for callers inside the process. Back-pressure comes from the stream: if its reader is
// behind, the provider is paused. A reader that cancels, or a signal that aborts, counts as a client that left.
import { AppError } from '../base/errors.ts';
import type { Answer } from '../model-providers/codecs/encode-answer.ts';
import type { Protocol } from '../model-providers/codecs/neutral.ts';
import { chooseReader } from './answer-reader.ts';
import type { TurnHead, TurnSink } from './answer-turn.ts';
import type { AnswerWriter } from '../net/answer-writer.ts';
import { ownsAccount, payerName } from './read-failure.ts';

export interface ResponseShape {
  readonly surface: Protocol;
  readonly stream: boolean;
  readonly answer: Answer;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ResponseStream extends TurnSink {
  /** The answer once it begins. It ends when the turn does, so its usage is known by then. */
  answerWith(turn: Promise<unknown>): Promise<Response>;
}

const KEPT_BYTES = 256 * 1024;

export function createResponseStream(signal: AbortSignal, shapeOf: (head: TurnHead) => ResponseShape): ResponseStream {
  const left = new AbortController();
  const gone = AbortSignal.any([signal, left.signal]);
  const begun = Promise.withResolvers<Response>();
  const body = createPausingBody(() => left.abort(new Error('the reader cancelled')));
  let fault: Error | undefined;

  const writerFor = ({ stream, headers }: ResponseShape): AnswerWriter => {
    // Only once: a body that is being read cannot be passed to another response.
    let isBegun = false;
    const begin = (): void => {
      if (isBegun) return;
      isBegun = true;
      begun.resolve(
        new Response(body.stream, {
          headers: { 'content-type': stream ? 'text/event-stream; charset=utf-8' : 'application/json', ...headers },
        }),
      );
    };
    if (stream) begin();
    return {
      write(bytes) {
        begin();
        return left.signal.aborted || body.write(bytes);
      },
      end: begin,
      destroy() {
        fault = new Error('the answer was cut off');
      },
      refuse: (error) => begun.reject(error),
    };
  };

  async function finish(turn: Promise<unknown>): Promise<void> {
    try {
      await turn;
      begun.reject(gone.aborted ? gone.reason : new AppError('provider_unavailable'));
    } catch (error) {
      begun.reject(error);
    }
    if (!left.signal.aborted) body.end(fault);
  }

  return {
    // Its reader waits inside this process: only the provider's silence counts.
    kind: 'streamed',
    gone,
    onDrain: (resume) => body.onDrain(resume),
    begin(head) {
      const shape = shapeOf(head);
      const { request } = head;
      return chooseReader(
        {
          surface: shape.surface,
          protocol: request.protocol,
          answer: shape.answer,
          writer: writerFor(shape),
          account: { own: ownsAccount(head.route), provider: payerName(head.route) },
        },
        { stream: shape.stream, passThrough: request.passThrough },
      );
    },
    answerWith(turn) {
      void finish(turn);
      return begun.promise;
    },
  };
}

interface PausingBody {
  readonly stream: ReadableStream<Uint8Array>;
  /** False when the reader is behind. */
  write(bytes: Buffer | string): boolean;
  onDrain(resume: () => void): void;
  end(fault: Error | undefined): void;
}

function createPausingBody(cancel: () => void): PausingBody {
  const encoder = new TextEncoder();
  let resume = (): void => {};
  let paused = false;
  let control: ReadableStreamDefaultController<Uint8Array> | undefined;
  const stream = new ReadableStream<Uint8Array>(
    {
      start: (controller) => void (control = controller),
      pull() {
        if (!paused) return;
        paused = false;
        resume();
      },
      cancel,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: KEPT_BYTES }),
  );
  return {
    stream,
    write(bytes) {
      control?.enqueue(typeof bytes === 'string' ? encoder.encode(bytes) : bytes);
      paused = (control?.desiredSize ?? 1) <= 0;
      return !paused;
    },
    onDrain: (more) => void (resume = more),
    end: (fault) => (fault ? control?.error(fault) : control?.close()),
  };
}
