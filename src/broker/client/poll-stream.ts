// The client's end of a poll stream: exactly one connection at a time, opened again with growing pauses whenever it
// ends. A broker that sends signs of life is trusted to go on, at the pace that it names; when they stop the stream
// counts as dead. One that never sends any may stay silent for hours.
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Log } from '../../base/log.ts';
import { KEEP_ALIVE_HEADER } from '../protocol/protocol.ts';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;
/** Where the broker does not say how often it sends a sign of life. */
const KEEP_ALIVE_MS = 15_000;
const SIGNS_MISSED_MAX = 3;
const OPEN_TIMEOUT_MS = 10_000;
const LINE_MAX = 2 * 1024 * 1024;

export interface PollStream {
  readonly connected: boolean;
  /** Resolves when a stream is open, also one that is to come. */
  opened(): Promise<void>;
  /** Opens the stream anew, with other headers. */
  reopen(headers: Record<string, string>): void;
  stop(): Promise<void>;
}

export interface PollOptions {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly hear: (data: string) => void;
  readonly log: Log;
}

export function openPollStream({ url, headers: firstHeaders, hear, log }: PollOptions): PollStream {
  const agent = new Agent({
    connections: 1,
    headersTimeout: OPEN_TIMEOUT_MS,
    bodyTimeout: 0,
    connect: { timeout: OPEN_TIMEOUT_MS },
  });
  const stopping = new AbortController();
  let headers = firstHeaders;
  let current = new AbortController();
  let connected = false;
  let opened = Promise.withResolvers<void>();

  async function pollOnce(): Promise<void> {
    current = new AbortController();
    let silence: NodeJS.Timeout | undefined;
    const signal = AbortSignal.any([stopping.signal, current.signal]);
    try {
      const {
        statusCode,
        headers: terms,
        body,
      } = await request(url, { dispatcher: agent, headers: { accept: 'text/event-stream', ...headers }, signal });
      if (statusCode !== 200) {
        await body.dump();
        throw new Error(`the broker answered ${statusCode} to a poll`);
      }
      connected = true;
      opened.resolve();
      const silenceMs = SIGNS_MISSED_MAX * (Number(terms[KEEP_ALIVE_HEADER]) || KEEP_ALIVE_MS);
      const loseSilent = (): void => {
        log.warn({ silenceMs }, 'the broker has not been heard of; connecting again');
        current.abort();
      };
      for await (const line of readLines(body)) {
        if (line.startsWith(':')) silence = silence?.refresh() ?? setTimeout(loseSilent, silenceMs);
        else if (line.startsWith('data:')) hear(line.slice(5).trimStart());
      }
    } finally {
      clearTimeout(silence);
      if (connected) opened = Promise.withResolvers();
      connected = false;
    }
  }

  const running = (async () => {
    let failures = 0;
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      try {
        await pollOnce();
      } catch (error) {
        if (!stopping.signal.aborted && !current.signal.aborted && failures++ === 0)
          log.warn({ err: error }, 'lost the poll stream; connecting again');
      }
      if (performance.now() - startedAt > LONGEST_PAUSE_MS) failures = 0;
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
      // A reopened stream waits no longer than it must; otherwise processes that lost the same broker spread out.
      await sleep(current.signal.aborted ? 0 : pauseMs * (0.5 + Math.random()), undefined, {
        signal: stopping.signal,
      }).catch(() => {});
    }
  })();

  return {
    get connected() {
      return connected;
    },
    opened: () => opened.promise,
    reopen(next) {
      headers = next;
      current.abort();
    },
    async stop() {
      stopping.abort();
      await running;
      await agent.destroy();
    },
  };
}

async function* readLines(body: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LINE_MAX) throw new Error('the broker sent an overlong line');
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
  }
}
