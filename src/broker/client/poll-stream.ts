// The client's end of a poll stream: one connection at a time, reopened with growing pauses whenever it ends. Once a
// broker has sent a keep-alive it is expected to go on at the pace that it announced; when they stop, the stream counts
// as dead. A broker that never sends any may stay silent for hours.
import { createParser } from 'eventsource-parser';
import { Agent, request } from 'undici';
import type { Log } from '../../telemetry/log.ts';
import { RECONNECTS } from '../../timing/retry-policies.ts';
import { reconnect } from '../../timing/retry.ts';
import { KEEP_ALIVE_HEADER } from '../protocol/protocol.ts';

/** For a broker that does not announce its pace. */
const KEEP_ALIVE_MS = 15_000;
const KEEP_ALIVES_MISSED_MAX = 3;
const OPEN_TIMEOUT_MS = 10_000;
const LINE_MAX = 2 * 1024 * 1024;

export interface PollStream {
  readonly connected: boolean;
  /** Whether the broker keeps to the credit that the stream announces: ours does, and says so with its keep-alives. */
  readonly keepsCredit: boolean;
  /** Resolves once a stream is open. */
  opened(): Promise<void>;
  /** Reopens the stream with other headers. */
  reopen(headers: Record<string, string>): void;
  stop(): Promise<void>;
}

export interface PollOptions {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly onMessage: (data: string) => void;
  readonly log: Log;
}

export function openPollStream({ url, headers: firstHeaders, onMessage, log }: PollOptions): PollStream {
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
  let keepsCredit = false;
  let opened = Promise.withResolvers<void>();

  async function pollOnce(): Promise<void> {
    current = new AbortController();
    const signal = AbortSignal.any([stopping.signal, current.signal]);
    try {
      const response = await request(url, {
        dispatcher: agent,
        headers: { accept: 'text/event-stream', ...headers },
        signal,
      });
      if (response.statusCode !== 200) {
        await response.body.dump();
        throw new Error(`the broker answered ${response.statusCode} to a poll`);
      }
      connected = true;
      keepsCredit = response.headers[KEEP_ALIVE_HEADER] !== undefined;
      opened.resolve();
      const silenceMs = KEEP_ALIVES_MISSED_MAX * (Number(response.headers[KEEP_ALIVE_HEADER]) || KEEP_ALIVE_MS);
      const onSilent = (): void => {
        log.warn({ silenceMs }, 'broker sends no keep-alives; reconnecting');
        current.abort();
      };
      await readEvents(response.body, { onMessage, silenceMs, onSilent });
    } finally {
      if (connected) opened = Promise.withResolvers();
      connected = false;
    }
  }

  /** A stream that is reopened on purpose is not lost. */
  async function pollUntilLost(): Promise<void> {
    do
      await pollOnce().catch((error: unknown) => {
        if (!current.signal.aborted) throw error;
      });
    while (current.signal.aborted && !stopping.signal.aborted);
  }

  const polling = reconnect(RECONNECTS.brokerStream, pollUntilLost, {
    signal: stopping.signal,
    onFailure(error, failures) {
      if (failures === 1) log.warn({ err: error }, 'poll stream lost; reconnecting');
    },
  });

  return {
    get connected() {
      return connected;
    },
    get keepsCredit() {
      return keepsCredit;
    },
    opened: () => opened.promise,
    reopen(next) {
      headers = next;
      current.abort();
    },
    async stop() {
      stopping.abort();
      await polling;
      await agent.destroy();
    },
  };
}

interface EventReading {
  readonly onMessage: (data: string) => void;
  /** Called when keep-alives were sent before and none has come for this long. */
  readonly onSilent: () => void;
  readonly silenceMs: number;
}

/** Reads events until the stream ends. */
async function readEvents(
  body: AsyncIterable<Buffer>,
  { onMessage, onSilent, silenceMs }: EventReading,
): Promise<void> {
  let silence: NodeJS.Timeout | undefined;
  const decoder = new TextDecoder();
  const parser = createParser({
    onEvent: ({ data }) => onMessage(data),
    onComment: () => void (silence = silence?.refresh() ?? setTimeout(onSilent, silenceMs)),
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded') throw new Error('the broker sent an overlong line');
    },
    maxBufferSize: LINE_MAX,
  });
  try {
    for await (const chunk of body) parser.feed(decoder.decode(chunk, { stream: true }));
  } finally {
    clearTimeout(silence);
  }
}
