import { expect, it } from 'vitest';
import { keepOutput } from './cut-output.ts';

it('keeps a short output whole', () => {
  const output = keepOutput(4, 4);
  output.add('ab');
  output.add('cdef');
  expect(output.read()).toEqual({ text: 'abcdef', cutChars: 0 });
});

it('keeps the beginning and the end of a long one and says how much is missing', () => {
  for (const size of [1, 3, 7, 26]) {
    const output = keepOutput(4, 4);
    const text = 'abcdefghijklmnopqrstuvwxyz';
    for (let at = 0; at < text.length; at += size) output.add(text.slice(at, at + size));
    expect(output.read()).toEqual({ text: 'abcd\n[… 18 characters cut …]\nwxyz', cutChars: 18 });
  }
});

it('says what the controller dropped, and contains nothing that cannot be stored', () => {
  const output = keepOutput();
  output.add('a\0b\ud800');
  output.droppedBeyond(10);
  expect(output.read().text).toBe('a\u{fffd}b\u{fffd}\n[output beyond 10 bytes was dropped]');
});
