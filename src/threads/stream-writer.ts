// Writes a stream's rows while its answer is produced: a batch every 40 ms, and a heartbeat when there is nothing to
// write. Each statement also reads whether the answer is still wanted.
import type { Log } from '../telemetry/log.ts';
import type { Database } from '../store/database.ts';
import { type Batch, feedStream, type StreamState } from './streams.ts';

const BATCH_EVERY_MS = 40;
const KEEP_ALIVE_EVERY_MS = 5_000;
/** While the database is this far behind, the provider is paused. */
const MOST_PENDING_BYTES = 1024 * 1024;

export interface StreamWriter {
  /** False asks for a pause until `onDrain` calls back. */
  write(lines: readonly string[]): boolean;
  onDrain(resume: () => void): void;
  /** Reads the stream's state now. */
  look(): void;
  /** Stops writing and returns what has not been written. */
  stop(): Promise<Batch>;
}

export interface StreamWriterOptions {
  readonly db: Database;
  readonly log: Log;
  readonly streamId: string;
  /** Undefined if the stream is gone. */
  readonly onState: (state: StreamState | undefined) => void;
}

export function createStreamWriter({ db, log, streamId, onState }: StreamWriterOptions): StreamWriter {
  let pending: string[] = [];
  let pendingBytes = 0;
  let fed = 0;
  let timer: NodeJS.Timeout | undefined;
  let feeding: Promise<void> | undefined;
  let stopped = false;
  let resume = (): void => {};

  async function feed(): Promise<void> {
    const lines = pending;
    pending = [];
    pendingBytes = 0;
    try {
      onState(await feedStream(db, streamId, lines.length > 0 ? { seq: fed, lines } : undefined));
      fed += lines.length;
    } catch (error) {
      log.warn({ err: error, streamId }, 'could not store part of an answer, will retry');
      pending = [...lines, ...pending];
      pendingBytes = pending.reduce((sum, line) => sum + line.length, 0);
    }
    if (pendingBytes < MOST_PENDING_BYTES) resume();
  }

  function run(): void {
    timer = undefined;
    if (feeding || stopped) return;
    feeding = feed().finally(() => {
      feeding = undefined;
      if (pending.length > 0) schedule();
    });
  }

  function schedule(): void {
    if (!stopped) timer ??= setTimeout(run, BATCH_EVERY_MS);
  }

  const signs = setInterval(run, KEEP_ALIVE_EVERY_MS);
  return {
    write(lines) {
      for (const line of lines) {
        pending.push(line);
        pendingBytes += line.length;
      }
      schedule();
      return pendingBytes < MOST_PENDING_BYTES;
    },
    onDrain: (callback) => {
      resume = callback;
    },
    look: run,
    async stop() {
      stopped = true;
      clearInterval(signs);
      clearTimeout(timer);
      await feeding;
      return { seq: fed, lines: pending };
    },
  };
}
