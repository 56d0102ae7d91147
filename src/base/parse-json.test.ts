import { describe, expect, it } from 'vitest';
import { parseJson as parseBytes, parseMeasured, requireText } from './parse-json.ts';

const parseJson = (text: string): unknown => parseBytes(Buffer.from(text));

const faultsOf = (work: () => unknown): unknown => {
  try {
    return { value: work() };
  } catch (error) {
    return (error as { details?: unknown }).details;
  }
};
const UNSTORABLE = 'must not contain a zero character or an unpaired surrogate';

describe('a JSON body', () => {
  it.each([
    ['{"a":"\\ud83d\\ude00 \\uD83D\\uDE00 😀 \\\\ud83d"}', { value: { a: '😀 😀 😀 \\ud83d' } }],
    ['{"a":{"b":["x","\\ud800"]}}', { 'a.b.1': UNSTORABLE }],
    ['{"a":"\\uDC00x"}', { a: UNSTORABLE }],
    ['{"a":"\\u0000"}', { a: UNSTORABLE }],
    ['{"\\ud800":1}', { body: UNSTORABLE }],
    ['"\\ud800"', { body: UNSTORABLE }],
    ['{', { body: 'must be valid JSON' }],
    ['', { body: 'must be valid JSON' }],
  ])('%s', (text, expected) => expect(faultsOf(() => parseJson(text))).toEqual(expected));

  it.each(['[', '{"a":'])('nested a hundred thousand times with %j is refused', (open) => {
    expect(faultsOf(() => parseJson(open.repeat(100_000)))).toEqual({ body: 'is nested too deeply' });
  });

  it('with a million values is refused', () => {
    expect(faultsOf(() => parseJson(`[${'{},'.repeat(1_000_000)}1]`))).toEqual({ body: 'holds too many values' });
  });

  it('form fields follow the same rules', () => {
    expect(faultsOf(() => requireText({ name: 'a\0' }))).toEqual({ name: UNSTORABLE });
    expect(faultsOf(() => requireText({ name: 'a' }))).toEqual({ value: undefined });
  });
});

it('keeps the digits of numbers that JavaScript cannot hold, where it is told to', () => {
  const text = '{"a":{"n":[9007199254740993,-12345678901234567890,1.5,1e400]},"b":9007199254740993}';
  const parsed = parseMeasured(Buffer.from(text), ['a', 'c']);
  expect(JSON.stringify(parsed)).toBe(
    '{"a":{"n":[9007199254740993,-12345678901234567890,1.5,null]},"b":9007199254740992}',
  );
});
