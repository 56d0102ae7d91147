import { describe, expect, it } from 'vitest';
import { EMPTY_QUEUE, enqueue, getQueue, hold, holdAll, moveQueue, removeQueued, takeNext } from './queue.ts';

const question = (text: string) => ({ text, attachments: [] });
const texts = (chat: string): string[] => getQueue(chat).items.map((item) => item.question.text);

describe('messages that wait', () => {
  it('are taken in their order, each chat by itself', () => {
    enqueue('a', question('one'));
    enqueue('a', question('two'));
    enqueue('b', question('other'));
    expect([takeNext('a')?.text, texts('a'), texts('b')]).toEqual(['one', ['two'], ['other']]);
    expect([takeNext('a')?.text, takeNext('a')]).toEqual(['two', undefined]);
    expect(getQueue('a')).toBe(EMPTY_QUEUE);
  });

  it('are ten at most', () => {
    const taken = Array.from({ length: 11 }, (_, index) => enqueue('full', question(String(index))));
    expect(taken.filter(Boolean)).toHaveLength(10);
    expect(texts('full')).not.toContain('10');
  });

  it('say why they are held, until the next is sent', () => {
    holdAll('c', 'failed');
    expect(getQueue('c')).toBe(EMPTY_QUEUE);
    enqueue('c', question('one'));
    enqueue('c', question('two'));
    holdAll('c', 'failed');
    expect(getQueue('c').held).toBe('failed');
    takeNext('c');
    expect(getQueue('c').held).toBeUndefined();
  });

  it('are preceded by one that the server did not take', () => {
    enqueue('d', question('two'));
    hold('d', question('one'), 'changed');
    expect([texts('d'), getQueue('d').held]).toEqual([['one', 'two'], 'changed']);
  });

  it('can be removed, and move with a new chat to its thread', () => {
    enqueue('new', question('one'));
    enqueue('new', question('two'));
    moveQueue('new', 'thr');
    expect([texts('new'), texts('thr')]).toEqual([[], ['one', 'two']]);
    removeQueued('thr', getQueue('thr').items[0]?.key ?? '');
    expect(texts('thr')).toEqual(['two']);
  });
});
