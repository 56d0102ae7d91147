import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createTextReader,
  describeTextTool,
  findTextFormat,
  readTextArguments,
  toTextArguments,
} from './text-tools.ts';

describe('a tool that takes text, as a function', () => {
  test('has its grammar in its description', () => {
    const grammar = { syntax: 'lark', definition: 'start: "x"' };
    expect(findTextFormat({ type: 'grammar', ...grammar })).toEqual(grammar);
    expect(findTextFormat({ type: 'grammar', grammar })).toEqual(grammar);
    expect(findTextFormat({ type: 'text' })).toBeUndefined();
    expect(describeTextTool('Edits files.', grammar)).toMatch(
      /^Edits files\.[^]*`input`[^]*lark grammar:\nstart: "x"$/,
    );
  });

  test.each([
    ['{"input":"a\\nb"}', 'a\nb'],
    [' { "input" : "x" , "more": 1 }', 'x'],
    ['{}', ''],
    ['', ''],
    ['"text"', 'text'],
    ['{"patch":"p"}', 'p'],
    ['{"a":"b","input":"c"}', 'c'],
    ['not json', 'not json'],
    ['{"input":"cut of', 'cut of'],
    ['{"input":"cut \\u00', 'cut '],
    ['{"input":"\\ud83d', '\uFFFD'],
    ['{"input":"raw\nline \\x"}', 'raw\nline \\x'],
    ['{"input":"\\\\ud83d"}', '\\ud83d'],
    ['{"input":7}', '{"input":7}'],
  ])('%s is read as %j', (json, text) => {
    expect(readTextArguments(json)).toBe(text);
  });

  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('😀\\ud83d', '"}', '\\\\', '*** Begin Patch\n+\t"q"\n'),
  );
  const escaped = (json: string): string =>
    json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

  test('returns any text, in any pieces, and never half a character', () => {
    fc.assert(
      fc.property(
        text,
        fc.boolean(),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 }),
        (input, escapes, lengths) => {
          const json = escapes ? escaped(toTextArguments(input)) : toTextArguments(input);
          const reader = createTextReader();
          const pieces: string[] = [];
          for (let at = 0, turn = 0; at < json.length; turn += 1) {
            const length = lengths[turn % lengths.length] ?? 1;
            pieces.push(reader.feed(json.slice(at, at + length)));
            at += length;
          }
          pieces.push(reader.end());
          expect(pieces.join('')).toBe(input.toWellFormed());
          for (const piece of pieces) expect(piece.isWellFormed()).toBe(true);
        },
      ),
    );
  });
});
