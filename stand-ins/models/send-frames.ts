// A stream at the pace at which a person reads, no faster than its client takes it, and over when the client leaves.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type Frame, formatFrame } from './reply.ts';

export async function sendFrames(response: ServerResponse, frames: Iterable<Frame>, tokenMs: number): Promise<void> {
  const left = new AbortController();
  response.once('close', () => left.abort());
  try {
    for (const frame of frames) {
      if (tokenMs > 0 && frame.tokens > 0) await pause(frame.tokens * tokenMs, undefined, { signal: left.signal });
      if (!response.write(formatFrame(frame))) await once(response, 'drain', { signal: left.signal });
    }
    response.end();
  } catch (error) {
    // The client is gone: nobody is left to tell.
    if (!left.signal.aborted) throw error;
  }
}
