// The response on its way to the client. Body bytes that arrive in the same packet as the head are sent in one packet
// with it; a head that arrives alone is sent alone. A small response waits here for its turn, not on the upstream's
// connection.
import type { ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';

/** The source of the response; paused while the client is slower. */
export interface AnswerSource {
  readonly controller: Dispatcher.DispatchController | undefined;
}

const MAX_JOINED_BYTES = 16 * 1024;

export class PacedAnswer {
  readonly #res: ServerResponse;
  readonly #source: AnswerSource;
  #held: Buffer | undefined;
  #flushed = false;
  #waitsForDrain = false;
  /** Set while the response waits for its turn. */
  #turn: NodeJS.Timeout | undefined;
  #ended = false;
  #unanswered = false;

  constructor(res: ServerResponse, source: AnswerSource) {
    this.#res = res;
    this.#source = source;
  }

  /**
   * Writes the head. Without a waiting time the response is not sent: the connection is closed after the longest wait.
   */
  begin(waitMs: number | undefined, mostWaitMs: number): void {
    if (waitMs === undefined) {
      // Delayed rather than closed at once: a client that is cut off reconnects at once.
      this.#unanswered = true;
      this.#turn = setTimeout(() => cut(this.#res), mostWaitMs);
    } else if (waitMs > 0) this.#turn = setTimeout(() => this.#takeTurn(), waitMs);
    else process.nextTick(() => this.#flush());
  }

  deliver(chunk: Buffer): void {
    if (this.#unanswered || chunk.length === 0) return;
    if (this.#turn !== undefined) this.#keep(chunk);
    else if (this.#flushed) this.#write(chunk);
    else if (this.#held === undefined) this.#held = chunk;
    else {
      this.#flush();
      this.#write(chunk);
    }
  }

  /** The whole response has arrived. */
  end(): void {
    this.#ended = true;
    if (this.#turn === undefined) this.#finish();
  }

  /** The client's connection is closed. */
  stop(): void {
    clearTimeout(this.#turn);
  }

  #keep(chunk: Buffer): void {
    this.#held = this.#held === undefined ? chunk : Buffer.concat([this.#held, chunk]);
    if (this.#held.length > MAX_JOINED_BYTES) this.#takeTurn();
  }

  #takeTurn(): void {
    clearTimeout(this.#turn);
    this.#turn = undefined;
    if (this.#ended) this.#finish();
    else this.#flush();
  }

  #flush(): void {
    this.#flushed = true;
    if (this.#res.writableEnded || this.#res.destroyed) return;
    if (this.#held === undefined) return this.#res.flushHeaders();
    this.#write(this.#held);
    this.#held = undefined;
  }

  #write(chunk: Buffer): void {
    if (this.#res.write(chunk)) return;
    this.#source.controller?.pause();
    if (this.#waitsForDrain) return;
    this.#waitsForDrain = true;
    this.#res.on('drain', () => this.#source.controller?.resume());
  }

  // Node joins a head and a string into one write, but not a head and bytes.
  #finish(): void {
    if (this.#flushed || this.#held === undefined) this.#res.end();
    else if (this.#held.length <= MAX_JOINED_BYTES) this.#res.end(this.#held.toString('latin1'), 'latin1');
    else this.#res.end(this.#held);
  }
}

/** A body that is delimited by its connection (HTTP/1.0) would look complete after an orderly close. */
export function cut(res: ServerResponse): void {
  if (res.req.httpVersionMinor === 0) res.req.socket?.resetAndDestroy();
  else res.destroy();
}
