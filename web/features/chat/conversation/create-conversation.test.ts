import { ORPCError } from '@orpc/client';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../../src/contract/threads.ts';
import type { Asked } from '../chat-client.ts';
import type { AnswerChunk } from '../answer/apply-chunk.ts';
import {
  type Conversation,
  type ConversationDeps,
  createConversation,
  type Moment,
  type TypedIn,
} from './create-conversation.ts';

const START: AnswerChunk = { type: 'start', messageId: 'msg_answer', messageMetadata: { model: 'm' } };
const TEXT: AnswerChunk[] = [
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta: 'Hello' },
];
const END: AnswerChunk = { type: 'finish', finishReason: 'stop', messageMetadata: { finish: 'stop' } };
const STORED = { thread: 'thr_1', message: 'msg_asked' };
const PLACE = { organization: 'org', model: 'm' };
const HI = { text: 'Hi', attachments: [] };

/** A body that stays open until it is ended or broken. */
function openBody(...chunks: AnswerChunk[]): {
  body: ReadableStream<Uint8Array>;
  write(...more: AnswerChunk[]): void;
  end(): void;
  cut(): void;
  wasCancelled: () => boolean;
} {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let seq = 0;
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
    },
    cancel: () => {
      cancelled = true;
    },
  });
  const write = (...more: AnswerChunk[]): void => {
    for (const chunk of more)
      controller?.enqueue(new TextEncoder().encode(`id: ${seq++}\ndata: ${JSON.stringify(chunk)}\n\n`));
  };
  write(...chunks);
  return {
    body,
    write,
    end: () => controller?.close(),
    cut: () => controller?.error(new TypeError('network error')),
    wasCancelled: () => cancelled,
  };
}

interface Stage {
  readonly conversation: Conversation;
  readonly log: string[];
  readonly moments: Moment[];
  readonly answers: Message[];
}

const named = ({ thread, replace }: TypedIn): string => replace ?? thread ?? 'new';

function stage(deps: Partial<ConversationDeps>): Stage {
  const log: string[] = [];
  const moments: Moment[] = [];
  const answers: Message[] = [];
  const conversation = createConversation({
    ask: () => Promise.reject(new TypeError('Failed to fetch')),
    follow: () => Promise.resolve(undefined),
    stop: (thread) => Promise.resolve(void log.push(`stop ${thread}`)),
    onStored: (stored, { isNew, fault, answering }) =>
      void log.push(
        `stored ${stored.message}${isNew ? ' new' : ''}${fault ? ` ${fault.code}` : ''}${answering ? ' answering' : ''}`,
      ),
    onAnswered: (thread, message, mayBeVersion) => {
      log.push(`answered ${thread}${mayBeVersion ? ' again' : ''}`);
      answers.push(message);
    },
    keepUnsent: (from, question) => void (question && log.push(`keep ${named(from)} ${question.text}`)),
    giveBack: (from, question) => void log.push(`back ${named(from)} ${question.text}`),
    onSuperseded: (thread, question) => void log.push(`aside ${thread ?? 'new'} ${question.text}`),
    onConflict: (thread, { question, replace, fault: { code } }) =>
      void log.push(`${code} ${named({ thread, replace })} ${question.text}`),
    reread: (thread) => {
      log.push(`reread ${thread}`);
      return Promise.resolve('done');
    },
    onThread: (thread) => void log.push(`open ${thread}`),
    onFault: () => {},
    announce: (moment) => void moments.push(moment),
    pause: () => Promise.resolve(),
    ...deps,
  });
  return { conversation, log, moments, answers };
}

const answered = (body: ReadableStream<Uint8Array>): Promise<Asked> => Promise.resolve({ stored: STORED, body });
const refusal = (status: number, error: string): ORPCError<string, unknown> =>
  new ORPCError(error, { status, data: { ok: false, error, message: 'Because.' } });
const settled = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve));
};

describe('a turn', () => {
  it('opens its thread, is read to the end and stored in it', async () => {
    const { body } = openBody(START, ...TEXT, END);
    const { conversation, log, moments, answers } = stage({ ask: () => answered(body) });
    await conversation.send(PLACE, HI);
    expect(log).toEqual(['stored msg_asked new answering', 'open thr_1', 'answered thr_1']);
    expect(answers).toMatchObject([
      {
        id: 'msg_answer',
        role: 'assistant',
        parts: [{ type: 'text', text: 'Hello' }],
        metadata: { model: 'm', finish: 'stop' },
      },
    ]);
    expect(moments).toEqual(['started', 'done']);
    expect(conversation.get()).toBeUndefined();
  });

  it('sends its mode, attachment ids and the message it replaces, and leaves the rest to the server', async () => {
    const asked: unknown[] = [];
    const { conversation } = stage({ ask: (request) => (asked.push(request), answered(openBody(START, END).body)) });
    await conversation.send(
      { ...PLACE, thread: 'thr_1' },
      { text: 'Hi', attachments: [{ id: 'att', name: 'a.txt', size: 1, type: 'text/plain' }], mode: 'answer' },
      'msg_old',
    );
    await conversation.send(PLACE, HI);
    expect(asked).toEqual([
      {
        organization: 'org',
        model: 'm',
        thread: 'thr_1',
        message: { text: 'Hi', attachments: ['att'] },
        mode: 'answer',
        replace: 'msg_old',
      },
      { organization: 'org', model: 'm', message: { text: 'Hi' } },
    ]);
  });

  it('says that a run has started, not that an answer is complete', async () => {
    const { conversation, moments, answers } = stage({
      ask: () =>
        answered(
          openBody(
            START,
            { type: 'data-job', id: 'job_1', data: { id: 'job_1', objective: 'Hi', status: 'queued' } },
            END,
          ).body,
        ),
    });
    await conversation.send(PLACE, { ...HI, mode: 'background' });
    expect(moments).toEqual(['run']);
    expect(answers).toMatchObject([{ parts: [{ type: 'data-job', data: { id: 'job_1' } }] }]);
  });

  it('keeps the message when the server does not answer or refuses it before storing it', async () => {
    const offline = stage({});
    await offline.conversation.send(PLACE, HI);
    expect(offline.conversation.get()).toMatchObject({
      phase: 'refused',
      question: HI,
      fault: { code: 'unreachable' },
    });
    expect(offline.moments).toEqual(['failed']);
    expect(offline.log).toEqual(['keep new Hi']);
  });

  it('of a thread that is answered or was changed elsewhere leaves the page to what is there', async () => {
    for (const code of ['thread_busy', 'thread_changed']) {
      const taken = stage({ ask: () => Promise.resolve({ stored: undefined, fault: refusal(409, code) }) });
      await taken.conversation.send({ ...PLACE, thread: 'thr_1' }, HI, 'msg_old');
      expect(taken.conversation.get()).toBeUndefined();
      await taken.conversation.send({ ...PLACE, thread: 'thr_1' }, HI);
      expect(taken.log).toEqual([`${code} msg_old Hi`, `${code} thr_1 Hi`]);
      expect(taken.moments).toEqual([]);
    }
  });

  it('keeps a refused message when another is sent, but not when it is sent again itself', async () => {
    const { conversation, log } = stage({});
    await conversation.send(PLACE, HI);
    await conversation.send(PLACE, { ...HI, mode: 'answer' });
    expect(log.filter((line) => line.startsWith('aside'))).toEqual([]);
    await conversation.send(PLACE, { text: 'Other', attachments: [] });
    expect(log.filter((line) => line.startsWith('aside'))).toEqual(['aside new Hi']);
  });

  it('that fails again is read from the server, which has it as a version', async () => {
    const { conversation, log, moments } = stage({
      ask: () => Promise.resolve({ stored: STORED, fault: refusal(502, 'provider_unavailable') }),
    });
    await conversation.send({ ...PLACE, thread: 'thr_1' }, HI, 'msg_asked');
    expect(log).toEqual(['stored msg_asked provider_unavailable', 'reread thr_1']);
    expect(moments).toEqual(['failed']);
  });

  it('leaves a refused message in its thread once it is stored', async () => {
    const { conversation, log, moments } = stage({
      ask: () => Promise.resolve({ stored: STORED, fault: refusal(403, 'policy_denied:model') }),
    });
    await conversation.send(PLACE, HI);
    expect(log).toEqual(['stored msg_asked new policy_denied:model', 'open thr_1']);
    expect(conversation.get()).toBeUndefined();
    expect(moments).toEqual(['failed']);
  });
});

describe('a stop', () => {
  it('ends the answer with what was written', async () => {
    const live = openBody(START, ...TEXT);
    const { conversation, moments, answers, log } = stage({
      ask: () => answered(live.body),
      stop: async () =>
        live.write(
          { type: 'message-metadata', messageMetadata: { finish: 'stopped' } },
          { type: 'abort', reason: 'stopped' },
        ),
    });
    const sending = conversation.send(PLACE, HI);
    await settled(() => conversation.get()?.answer.parts.length === 1);
    await conversation.stop();
    await sending;
    expect(answers[0]).toMatchObject({ parts: [{ text: 'Hello' }], metadata: { finish: 'stopped' } });
    expect(moments).toEqual(['started', 'stopped']);
    expect(log.at(-1)).toBe('answered thr_1');
  });

  it('is sent later if the thread is not known yet', async () => {
    let answer: (asked: Asked) => void = () => {};
    const { conversation, log } = stage({ ask: () => new Promise((resolve) => (answer = resolve)) });
    const sending = conversation.send(PLACE, HI);
    await conversation.stop();
    expect(conversation.get()?.phase).toBe('stopping');
    expect(log).toEqual([]);
    answer({ stored: STORED, body: openBody(START, { type: 'abort', reason: 'stopped' }).body });
    await sending;
    expect(log).toContain('stop thr_1');
  });

  it('lets the answer continue if it fails', async () => {
    const live = openBody(START);
    const { conversation } = stage({
      ask: () => answered(live.body),
      stop: () => Promise.reject(refusal(500, 'internal')),
    });
    const sending = conversation.send(PLACE, HI);
    await settled(() => conversation.get()?.phase === 'answering');
    await conversation.stop();
    expect(conversation.get()?.phase).toBe('answering');
    live.write(END);
    await sending;
  });
});

describe('a lost connection', () => {
  it('resumes after the last chunk', async () => {
    const live = openBody(START, ...TEXT);
    const after: (string | undefined)[] = [];
    const { conversation, answers, moments } = stage({
      ask: () => answered(live.body),
      follow: (_, last) => {
        after.push(last);
        return Promise.resolve(openBody({ type: 'text-delta', id: '1', delta: ' again' }, END).body);
      },
    });
    const sending = conversation.send(PLACE, HI);
    await settled(() => conversation.get()?.answer.parts.length === 1);
    live.cut();
    await sending;
    expect(after).toEqual(['2']);
    expect(answers[0]?.parts).toEqual([{ type: 'text', text: 'Hello again' }]);
    expect(moments).toEqual(['started', 'done']);
  });

  it('refetches the thread if the answer has ended', async () => {
    const live = openBody(START);
    live.end();
    const { conversation, log } = stage({ ask: () => answered(live.body) });
    await conversation.send({ ...PLACE, thread: 'thr_1' }, HI);
    expect(log).toEqual(['stored msg_asked answering', 'reread thr_1']);
    expect(conversation.get()).toBeUndefined();
  });

  it('is said at once, then goes on without the person, however long it takes', async () => {
    const live = openBody(START, ...TEXT);
    const pauses: (() => void)[] = [];
    let reachable = false;
    const back = openBody();
    const { conversation, answers } = stage({
      ask: () => answered(live.body),
      follow: () => (reachable ? Promise.resolve(back.body) : Promise.reject(new TypeError('Failed to fetch'))),
      pause: () => new Promise((resolve) => pauses.push(resolve)),
    });
    const sending = conversation.send(PLACE, HI);
    await settled(() => conversation.get()?.answer.parts.length === 1);
    live.cut();
    await settled(() => pauses.length === 1);
    expect(conversation.get()).toMatchObject({ phase: 'answering', reconnecting: true });
    for (let tries = 1; tries <= 8; tries++) {
      await settled(() => pauses.length === tries);
      pauses[tries - 1]?.();
    }
    await settled(() => pauses.length === 9);
    expect(conversation.get()).toMatchObject({
      phase: 'lost',
      answer: { parts: [{ text: 'Hello' }] },
      fault: { code: 'unreachable' },
    });
    reachable = true;
    pauses[8]?.();
    back.write({ type: 'text-delta', id: '1', delta: ' again' });
    await settled(() => conversation.get()?.phase === 'answering');
    expect(conversation.get()?.reconnecting).toBe(false);
    back.write(END);
    await sending;
    expect(answers[0]?.parts).toEqual([{ type: 'text', text: 'Hello again' }]);
  });
});

describe('leaving', () => {
  it('closes the connection, and coming back resumes the answer', async () => {
    const live = openBody(START, ...TEXT);
    const { conversation, log } = stage({
      ask: () => answered(live.body),
      follow: () => Promise.resolve(openBody(START, ...TEXT, END).body),
    });
    const sending = conversation.send(PLACE, HI);
    await settled(() => conversation.get()?.answer.parts.length === 1);
    conversation.leave();
    live.write({ type: 'text-delta', id: '1', delta: ' more' });
    await sending;
    expect(live.wasCancelled()).toBe(true);
    expect(conversation.get()).toBeUndefined();
    await conversation.resume('thr_1');
    expect(log.at(-1)).toBe('answered thr_1 again');
  });

  it('restores a message or an edit that is refused before or after', async () => {
    const refused = { stored: undefined, fault: refusal(429, 'rate_limited') };
    const before = stage({ ask: () => Promise.resolve(refused) });
    await before.conversation.send({ ...PLACE, thread: 'thr_1' }, HI);
    before.conversation.leave();
    expect([before.log, before.conversation.get()]).toEqual([['keep thr_1 Hi', 'back thr_1 Hi'], undefined]);
    const after = stage({ ask: () => Promise.resolve(refused) });
    const sending = after.conversation.send(PLACE, HI);
    after.conversation.leave();
    await sending;
    expect(after.log).toEqual(['back new Hi']);
    const edit = stage({ ask: () => Promise.resolve(refused) });
    await edit.conversation.send({ ...PLACE, thread: 'thr_1' }, HI, 'msg_old');
    edit.conversation.leave();
    expect(edit.log).toEqual(['keep msg_old Hi', 'back msg_old Hi']);
  });

  it('does not open the thread once it is known', async () => {
    let answer: (asked: Asked) => void = () => {};
    const live = openBody(START);
    const { conversation, log } = stage({ ask: () => new Promise((resolve) => (answer = resolve)) });
    const sending = conversation.send(PLACE, HI);
    conversation.leave();
    answer({ stored: STORED, body: live.body });
    await sending;
    expect(log).toEqual(['stored msg_asked new answering']);
    expect(live.wasCancelled()).toBe(true);
  });
});
