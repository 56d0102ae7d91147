import { describe, expect, it } from 'vitest';
import { trackExitReason } from './exit-reason.ts';

const raw = (text: string) => ({ level: 'error' as const, text, logged: false });
const logged = (text: string, level: 'warn' | 'error' = 'error') => ({ level, text, logged: true });

describe('the last words of a part', () => {
  it('are the newest error it logged', () => {
    const words = trackExitReason(() => 0);
    for (const line of [
      raw('noise'),
      logged('first'),
      logged('second'),
      logged('only a warning', 'warn'),
      raw('    at somewhere'),
    ])
      words.hear(line);
    expect(words.reason()).toBe('second');
  });

  it('are the line of a crash that names the error', () => {
    const words = trackExitReason(() => 0);
    for (const text of ['file:///app.js:1', '  throw x', 'TypeError: x is not a function', '    at Error (somewhere)'])
      words.hear(raw(text));
    expect(words.reason()).toBe('TypeError: x is not a function');
  });

  it('are forgotten when they were said long before the end', () => {
    let now = 0;
    const words = trackExitReason(() => now);
    words.hear(logged('a request failed'));
    now = 60_000;
    expect(words.reason()).toBeUndefined();
    words.hear(raw('plain'));
    expect(words.reason()).toBe('plain');
  });
});
