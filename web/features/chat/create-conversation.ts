// The turn under way in the chat that is open: sent, answered, stopped, broken off, refused. It belongs to the server:
// leaving the chat only stops listening, and coming back follows what is still being written. Everything outside is
// handed in, so that each way a turn can go is stepped through in the tests.
import type { ChatRequest, Message } from '../../../src/contract/threads.ts';
import type { Asked, Stored, UploadedFile } from './chat-client.ts';
import { type Fault, isRefusal, readFault } from '../../api/fault.ts';
import { readEventStream } from '../../api/read-event-stream.ts';
import { applyChunk, type LiveAnswer, NO_ANSWER, readChunk } from './apply-chunk.ts';

export interface Question {
  readonly text: string;
  readonly attachments: readonly UploadedFile[];
  /** Left to the server when absent: a message that names a capability starts a run. */
  readonly mode?: ChatRequest['mode'];
}

export interface Turn {
  /** Undefined while a new chat has no thread yet. */
  readonly thread: string | undefined;
  readonly phase: 'sending' | 'answering' | 'stopping' | 'lost' | 'refused';
  /** The person's message for as long as the server has not stored it. */
  readonly question: Question | undefined;
  /** The message it stands in for: edit and retry. */
  readonly replace: string | undefined;
  readonly answer: LiveAnswer;
  readonly fault?: Fault;
}

export type Moment = 'started' | 'done' | 'stopped' | 'failed' | 'run';

export interface ConversationDeps {
  ask(request: ChatRequest): Promise<Asked>;
  follow(thread: string, after: string | undefined): Promise<ReadableStream<Uint8Array> | undefined>;
  stop(thread: string): Promise<unknown>;
  /** The message is in the thread, with the reason when it has no answer. */
  onStored(
    stored: Stored,
    turn: {
      question: Question;
      replace: string | undefined;
      isNew: boolean;
      fault: Fault | undefined;
      answering: boolean;
    },
  ): void;
  /** The answer is in the thread. */
  onAnswered(thread: string, message: Message): void;
  /** A message that the server did not take, for a page that is loaded again; undefined once it has taken one. */
  keepUnsent(thread: string | undefined, question: Question | undefined): void;
  /** The chat is left with a message that the server did not take. */
  giveBack(thread: string | undefined, question: Question): void;
  /** Nothing is being written any more, and what came of it is known to the server only. */
  reread(thread: string): Promise<unknown>;
  /** A new chat that is still open has become a thread. */
  onThread(thread: string): void;
  onFault(error: unknown): void;
  announce(moment: Moment): void;
  pause(ms: number): Promise<void>;
}

export interface Conversation {
  get(): Turn | undefined;
  subscribe(listener: () => void): () => void;
  send(
    place: Pick<ChatRequest, 'organization' | 'workspace' | 'thread' | 'model'>,
    question: Question,
    replace?: string,
  ): Promise<void>;
  /** Follows what is being written in a thread. */
  resume(thread: string): Promise<void>;
  stop(): Promise<void>;
  /** Stops listening; the server goes on. */
  leave(): void;
}

/** Drawing more often than the eye sees would only make a long answer slow. */
const DRAW_EVERY_MS = 33;
const FOLLOW_TRIES = 5;

export function createConversation(deps: ConversationDeps): Conversation {
  const listeners = new Set<() => void>();
  let turn: Turn | undefined;
  /** Each turn has its own number; whatever carries an old one has been left. */
  let current = 0;
  let drawing: ReturnType<typeof setTimeout> | undefined;

  function set(next: Turn | undefined): void {
    clearTimeout(drawing);
    drawing = undefined;
    turn = next;
    for (const listener of listeners) listener();
  }

  function draw(answer: LiveAnswer): void {
    // What has been read is the truth at once; only telling about it waits.
    if (turn) turn = { ...turn, answer };
    drawing ??= setTimeout(() => set(turn), DRAW_EVERY_MS);
  }

  async function requestStop(mine: number, thread: string): Promise<void> {
    try {
      await deps.stop(thread);
    } catch (error) {
      if (mine === current && turn?.phase === 'stopping') set({ ...turn, phase: 'answering' });
      deps.onFault(error);
    }
  }

  /** Reads to the end of the answer, through lost connections. */
  async function read(mine: number, thread: string, first: ReadableStream<Uint8Array> | undefined): Promise<void> {
    let body = first;
    let last: string | undefined;
    let answer = NO_ANSWER;
    const left = (): boolean => mine !== current;
    for (let failures = 0; !left();) {
      try {
        body ??= await deps.follow(thread, last);
        if (body === undefined) return await rereadThread(mine, thread);
        for await (const { id, data } of readEventStream(body)) {
          if (left()) return;
          failures = 0;
          last = id ?? last;
          const chunk = readChunk(data);
          if (chunk === undefined) continue;
          const begun = answer.parts.length > 0;
          answer = applyChunk(answer, chunk);
          if (!begun && answer.parts.length > 0 && !startsRun(answer)) deps.announce('started');
          if (answer.end !== undefined) return await finish(mine, thread, answer);
          draw(answer);
        }
      } catch (error) {
        if (left()) return;
        if (isRefusal(error)) return lose(error);
      }
      body = undefined;
      failures += 1;
      if (failures > FOLLOW_TRIES) return lose(new TypeError('Failed to fetch'));
      await deps.pause(Math.min(250 * 2 ** failures, 8_000));
    }
  }

  function lose(error: unknown): void {
    if (turn) set({ ...turn, phase: 'lost', fault: readFault(error) });
    deps.onFault(error);
  }

  async function finish(mine: number, thread: string, answer: LiveAnswer): Promise<void> {
    if (answer.id === undefined) return rereadThread(mine, thread);
    deps.onAnswered(thread, {
      id: answer.id,
      role: 'assistant',
      parts: [...answer.parts],
      metadata: answer.metadata,
      createdAt: new Date().toISOString(),
    });
    set(undefined);
    deps.announce(startsRun(answer) ? 'run' : (answer.end ?? 'done'));
  }

  async function rereadThread(mine: number, thread: string): Promise<void> {
    await deps.reread(thread);
    if (mine !== current) return;
    set(undefined);
    deps.announce('done');
  }

  return {
    get: () => turn,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async send(place, question, replace) {
      const mine = ++current;
      const isNew = place.thread === undefined;
      set({ thread: place.thread, phase: 'sending', question, replace, answer: NO_ANSWER });
      const refuse = (fault: unknown): void => {
        deps.onFault(fault);
        if (mine !== current) return replace === undefined ? deps.giveBack(place.thread, question) : undefined;
        set({ thread: place.thread, phase: 'refused', question, replace, answer: NO_ANSWER, fault: readFault(fault) });
        if (replace === undefined) deps.keepUnsent(place.thread, question);
        deps.announce('failed');
      };

      let asked: Asked;
      try {
        const { text, attachments, mode } = question;
        asked = await deps.ask({
          ...place,
          message: { text, ...(attachments.length === 0 ? {} : { attachments: attachments.map(({ id }) => id) }) },
          ...(mode === undefined ? {} : { mode }),
          ...(replace === undefined ? {} : { replace }),
        });
      } catch (error) {
        return refuse(error);
      }
      const { stored, fault, body } = asked;
      if (stored) {
        deps.keepUnsent(place.thread, undefined);
        deps.onStored(stored, {
          question,
          replace,
          isNew,
          fault: body ? undefined : readFault(fault),
          answering: body !== undefined,
        });
      }
      const thread = stored?.thread ?? place.thread;
      if (!stored && !body) return refuse(fault);
      if (mine !== current) return void body?.cancel().catch(() => {});
      if (thread === undefined || !body) {
        if (!stored) return refuse(fault);
        set(undefined);
        deps.onFault(fault);
        deps.announce('failed');
        if (isNew) deps.onThread(stored.thread);
        return;
      }
      const stopping = turn?.phase === 'stopping';
      set({
        thread,
        phase: stopping ? 'stopping' : 'answering',
        question: undefined,
        replace: undefined,
        answer: NO_ANSWER,
      });
      if (isNew) deps.onThread(thread);
      if (stopping) void requestStop(mine, thread);
      await read(mine, thread, body);
    },
    async resume(thread) {
      const mine = ++current;
      set({ thread, phase: 'answering', question: undefined, replace: undefined, answer: NO_ANSWER });
      await read(mine, thread, undefined);
    },
    async stop() {
      if (!turn || (turn.phase !== 'sending' && turn.phase !== 'answering')) return;
      const { thread } = turn;
      set({ ...turn, phase: 'stopping' });
      // A new chat is stopped as soon as its thread is known.
      if (thread !== undefined) await requestStop(current, thread);
    },
    leave() {
      current += 1;
      const left = turn;
      if (left) set(undefined);
      // What was edited is still there as it was.
      if (left?.phase === 'refused' && left.question && left.replace === undefined)
        deps.giveBack(left.thread, left.question);
    },
  };
}

/** What was asked for goes on in the background. */
function startsRun({ parts }: LiveAnswer): boolean {
  return parts.some(({ type }) => type === 'data-job');
}
