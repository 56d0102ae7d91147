import { expect, it } from 'vitest';
import { splitLines } from './split-lines.ts';

it('puts lines together across chunks, inside a character too, and cuts one that never ends', () => {
  const lines: string[] = [];
  const push = splitLines((line) => lines.push(line), 8);
  const bytes = Buffer.from('one\ntwö\nthr');
  for (const byte of bytes) push(Buffer.from([byte]));
  expect(lines).toEqual(['one', 'twö']);
  push(Buffer.from('eeeeeeee'));
  expect(lines).toEqual(['one', 'twö', 'threeeeeeee']);
});
