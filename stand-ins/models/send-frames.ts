// Streams at reading pace, with backpressure, and stops when the client disconnects.
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
    // The client has disconnected.
    if (!left.signal.aborted) throw error;
  }
}
