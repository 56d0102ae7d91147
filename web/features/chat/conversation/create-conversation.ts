// The current turn of the open chat: sent, answered, stopped, interrupted, refused. The server owns it: leaving the chat
// only stops listening, and coming back resumes the stream. All I/O is injected, so the tests can step through every
// outcome.
import type { ChatRequest, Message } from '../../../../src/contract/threads.ts';
import type { Asked, Stored } from '../chat-client.ts';
import { type Fault, isRefusal, readFault } from '../../../api/fault.ts';
import { readEventStream } from '../../../api/read-event-stream.ts';
import { applyChunk, type LiveAnswer, NO_ANSWER, readChunk } from '../answer/apply-chunk.ts';
import { createTurns, type Question, type Turn, type Turns } from '../answer/turns.ts';

export type Moment = 'started' | 'done' | 'stopped' | 'failed' | 'run';

export interface ConversationDeps {
  ask(request: ChatRequest): Promise<Asked>;
  follow(thread: string, after: string | undefined): Promise<ReadableStream<Uint8Array> | undefined>;
  stop(thread: string): Promise<unknown>;
  /** The message is stored; with the reason if it has no answer. */
  onStored(
    stored: Stored,
    turn: {
      place: Place;
      question: Question;
      replace: string | undefined;
      isNew: boolean;
      fault: Fault | undefined;
      answering: boolean;
    },
  ): void;
  /** The answer is stored. It may be one of several versions, of which only the server knows. */
  onAnswered(thread: string, message: Message, mayBeVersion: boolean): void;
  /** What the server did not accept, kept for a reload; without a question once it is accepted. */
  keepUnsent(from: TypedIn, question: Question | undefined): void;
  /** What the server did not accept goes back to where it was typed. */
  giveBack(from: TypedIn, question: Question): void;
  /** A message was sent while an earlier one, which the server did not accept, was still on the page. */
  onSuperseded(thread: string | undefined, question: Question): void;
  /** The thread is being answered, or was changed, elsewhere. */
  onConflict(thread: string, turn: { question: Question; replace: string | undefined; fault: Fault }): void;
  /** The stream is over and only the server knows the result: how the last answer ended. */
  reread(thread: string): Promise<Moment>;
  /** A new chat, still open, has become a thread. */
  onThread(thread: string): void;
  onFault(error: unknown): void;
  announce(moment: Moment): void;
  pause(ms: number): Promise<void>;
}

/** The prompt of a chat, or the edit of the message that it replaces. */
export interface TypedIn {
  /** Undefined if it is new. */
  readonly thread: string | undefined;
  readonly replace: string | undefined;
}

/** The thread, project or workspace of a message, its model, and what is set for the answer. */
export type Place = Pick<
  ChatRequest,
  'organization' | 'workspace' | 'thread' | 'project' | 'model' | 'effort' | 'temperature'
>;

export interface Conversation extends Pick<Turns, 'getSteady'> {
  get(): Turn | undefined;
  subscribe(listener: () => void): () => void;
  send(place: Place, question: Question, replace?: string): Promise<void>;
  /** Resumes the stream of a thread. */
  resume(thread: string): Promise<void>;
  stop(): Promise<void>;
  /** Stops listening; the server continues. */
  leave(): void;
}

/** After so many failures the person is asked whether to reconnect; it goes on by itself all the same. */
const FOLLOW_TRIES = 5;
const CONFLICTS: readonly string[] = ['thread_busy', 'thread_changed'];

export function createConversation(deps: ConversationDeps): Conversation {
  const turns = createTurns();
  const talk: Talk = { deps, turns };
  return {
    get: turns.get,
    getSteady: turns.getSteady,
    subscribe: turns.subscribe,
    send: (place, question, replace) => sendQuestion(talk, place, { question, replace }),
    async resume(thread) {
      const mine = turns.begin(answering(thread));
      await readAnswer(talk, mine, { thread, body: undefined, mayBeVersion: true });
    },
    async stop() {
      const turn = turns.get();
      if (!turn || (turn.phase !== 'sending' && turn.phase !== 'answering')) return;
      turns.set({ ...turn, phase: 'stopping' });
      // A new chat is stopped as soon as its thread is known.
      if (turn.thread !== undefined) await requestStop(talk, turns.current(), turn.thread);
    },
    leave() {
      const left = turns.get();
      turns.leave();
      if (left?.phase === 'refused' && left.question) deps.giveBack(left, left.question);
    },
  };
}

interface Talk {
  readonly deps: ConversationDeps;
  readonly turns: Turns;
}

function answering(thread: string, phase: 'answering' | 'stopping' = 'answering'): Turn {
  return { thread, phase, question: undefined, replace: undefined, answer: NO_ANSWER };
}

async function requestStop({ deps, turns }: Talk, mine: number, thread: string): Promise<void> {
  try {
    await deps.stop(thread);
  } catch (error) {
    const turn = turns.get();
    if (mine === turns.current() && turn?.phase === 'stopping') turns.set({ ...turn, phase: 'answering' });
    deps.onFault(error);
  }
}

async function sendQuestion(
  talk: Talk,
  place: Place,
  { question, replace }: { question: Question; replace: string | undefined },
): Promise<void> {
  const { deps, turns } = talk;
  const isNew = place.thread === undefined;
  const before = turns.get();
  if (before?.phase === 'refused' && before.question && !isSame(before.question, question)) {
    if (before.replace === undefined) deps.onSuperseded(before.thread, before.question);
    else deps.giveBack(before, before.question);
  }
  const from: TypedIn = { thread: place.thread, replace };
  const sending: Turn = { thread: place.thread, phase: 'sending', question, replace, answer: NO_ANSWER };
  const mine = turns.begin(sending);
  const refuse = (error: unknown): void => {
    deps.onFault(error);
    const fault = readFault(error);
    if (mine !== turns.current()) return deps.giveBack(from, question);
    if (place.thread !== undefined && CONFLICTS.includes(fault.code)) {
      turns.set(undefined);
      return deps.onConflict(place.thread, { question, replace, fault });
    }
    turns.set({ ...sending, phase: 'refused', fault });
    deps.keepUnsent(from, question);
    deps.announce('failed');
  };

  let asked: Asked;
  try {
    asked = await deps.ask(requestOf(place, question, replace));
  } catch (error) {
    return refuse(error);
  }
  const { stored, fault, body } = asked;
  if (stored) {
    deps.keepUnsent(from, undefined);
    deps.onStored(stored, {
      place,
      question,
      replace,
      isNew,
      fault: body ? undefined : readFault(fault),
      answering: body !== undefined,
    });
  }
  const thread = stored?.thread ?? place.thread;
  if (!stored && !body) return refuse(fault);
  if (mine !== turns.current()) return void body?.cancel().catch(() => {});
  if (thread === undefined || !body) {
    if (!stored) return refuse(fault);
    turns.set(undefined);
    deps.onFault(fault);
    if (isNew) deps.onThread(stored.thread);
    if (replace !== undefined) await deps.reread(stored.thread);
    deps.announce('failed');
    return;
  }
  const stopping = turns.get()?.phase === 'stopping';
  turns.set(answering(thread, stopping ? 'stopping' : 'answering'));
  if (isNew) deps.onThread(thread);
  if (stopping) void requestStop(talk, mine, thread);
  await readAnswer(talk, mine, { thread, body, mayBeVersion: replace !== undefined });
}

/** The same message, perhaps in another mode. */
function isSame(one: Question, other: Question): boolean {
  return one.text === other.text && one.attachments === other.attachments;
}

function requestOf(
  place: Place,
  { text, attachments, mode, recipe }: Question,
  replace: string | undefined,
): ChatRequest {
  return {
    ...place,
    message: { text, ...(attachments.length === 0 ? {} : { attachments: attachments.map(({ id }) => id) }) },
    ...(mode === undefined ? {} : { mode }),
    ...(recipe === undefined ? {} : { recipe }),
    ...(replace === undefined ? {} : { replace }),
  };
}

interface Read {
  readonly thread: string;
  readonly body: ReadableStream<Uint8Array> | undefined;
  readonly mayBeVersion: boolean;
}

/** Reads to the end of the answer. When the connection is lost, it says so at once and reconnects until it succeeds. */
async function readAnswer(talk: Talk, mine: number, { thread, body: first, mayBeVersion }: Read): Promise<void> {
  const { deps, turns } = talk;
  let body = first;
  let last: string | undefined;
  let answer = NO_ANSWER;
  const left = (): boolean => mine !== turns.current();
  for (let failures = 0; !left();) {
    try {
      body ??= await deps.follow(thread, last);
      if (body === undefined) return await rereadThread(talk, mine, thread);
      for await (const { id, data } of readEventStream(body)) {
        if (left()) return;
        failures = 0;
        last = id ?? last;
        const chunk = readChunk(data);
        if (chunk === undefined) continue;
        const begun = answer.parts.length > 0;
        answer = applyChunk(answer, chunk);
        if (!begun && answer.parts.length > 0 && !startsRun(answer)) deps.announce('started');
        if (answer.end !== undefined) return await finish(talk, mine, { thread, answer, mayBeVersion });
        recover(talk);
        turns.draw(answer);
      }
    } catch (error) {
      if (left()) return;
      if (isRefusal(error)) return lose(talk, error);
    }
    if (left()) return;
    body = undefined;
    failures += 1;
    const turn = turns.get();
    if (failures > FOLLOW_TRIES) lose(talk, new TypeError('Failed to fetch'));
    else if (turn) turns.set({ ...turn, reconnecting: true });
    await deps.pause(Math.min(250 * 2 ** failures, 8_000));
  }
}

function lose({ deps, turns }: Talk, error: unknown): void {
  const turn = turns.get();
  if (turn) turns.set({ ...turn, phase: 'lost', reconnecting: false, fault: readFault(error) });
  deps.onFault(error);
}

/** Something new has arrived. */
function recover({ turns }: Talk): void {
  const turn = turns.get();
  if (turn && (turn.reconnecting || turn.phase === 'lost'))
    turns.set({ ...turn, phase: turn.phase === 'lost' ? 'answering' : turn.phase, reconnecting: false });
}

interface Finished {
  readonly thread: string;
  readonly answer: LiveAnswer;
  readonly mayBeVersion: boolean;
}

async function finish(talk: Talk, mine: number, { thread, answer, mayBeVersion }: Finished): Promise<void> {
  const { deps, turns } = talk;
  if (answer.id === undefined) return rereadThread(talk, mine, thread);
  const message: Message = {
    id: answer.id,
    role: 'assistant',
    parts: [...answer.parts],
    metadata: answer.metadata,
    createdAt: new Date().toISOString(),
  };
  deps.onAnswered(thread, message, mayBeVersion);
  turns.set(undefined);
  deps.announce(startsRun(answer) ? 'run' : (answer.end ?? 'done'));
}

async function rereadThread({ deps, turns }: Talk, mine: number, thread: string): Promise<void> {
  const ended = await deps.reread(thread);
  if (mine !== turns.current()) return;
  turns.set(undefined);
  deps.announce(ended);
}

/** The request continues as a background run. */
function startsRun({ parts }: LiveAnswer): boolean {
  return parts.some(({ type }) => type === 'data-job');
}
