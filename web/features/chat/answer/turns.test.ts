import { describe, expect, it, vi } from 'vitest';
import { NO_ANSWER } from './apply-chunk.ts';
import { createTurns, type Turn } from './turns.ts';

const turn: Turn = { thread: 'thr', phase: 'answering', question: undefined, replace: undefined, answer: NO_ANSWER };
const saying = (text: string): Turn['answer'] => ({ ...NO_ANSWER, parts: [{ type: 'text', text }] });

describe('the steady turn', () => {
  it('stays the same object while words are added, and changes with everything else', () => {
    const turns = createTurns();
    turns.set(turn);
    const empty = turns.getSteady();
    turns.draw(saying('One'));
    const begun = turns.getSteady();
    expect(begun).not.toBe(empty);
    turns.draw(saying('One two'));
    expect(turns.getSteady()).toBe(begun);
    expect(turns.get()?.answer).toEqual(saying('One two'));
    turns.set({ ...turn, phase: 'stopping', answer: saying('One two') });
    expect(turns.getSteady()).toMatchObject({ phase: 'stopping' });
    turns.set({ ...turn, phase: 'stopping', answer: saying('One two'), reconnecting: true });
    expect(turns.getSteady()).toMatchObject({ reconnecting: true });
    turns.set({ ...turn, phase: 'stopping', answer: { ...saying('One two'), id: 'msg' }, reconnecting: true });
    expect(turns.getSteady()?.answer.id).toBe('msg');
    turns.set(undefined);
    expect(turns.getSteady()).toBeUndefined();
  });

  it('is drawn once for many words that come together', () => {
    vi.useFakeTimers();
    const turns = createTurns();
    turns.set(turn);
    const drawn = vi.fn();
    turns.subscribe(drawn);
    for (let word = 0; word < 100; word++) turns.draw(saying('x'.repeat(word)));
    expect(drawn).not.toHaveBeenCalled();
    vi.advanceTimersByTime(100);
    expect(drawn).toHaveBeenCalledTimes(1);
    vi.useRealTimers();
  });
});
