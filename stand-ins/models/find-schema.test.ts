import { expect, it } from 'vitest';
import { findSchema } from './find-schema.ts';

const RULE = 'Answer with one JSON object and nothing else: no explanation, no code fence.';
const WORD = { type: 'object', required: ['word'] };

const inInstructions = (system: string): unknown => findSchema({ schema: undefined, system });

it('reads the shape of an answer from the instructions', () => {
  expect(
    inInstructions(`Be kind.\n${RULE} It must match this JSON Schema: ${JSON.stringify(WORD)}\nBe brief.`),
  ).toEqual(WORD);
  expect(inInstructions(RULE)).toEqual({});
  expect(inInstructions(`${RULE} It must match this JSON Schema: [`)).toEqual({});
});

it('finds none where no JSON is asked for', () => {
  expect(inInstructions(`You may be asked about JSON Schema: ${JSON.stringify(WORD)}`)).toBeUndefined();
  expect(inInstructions('')).toBeUndefined();
});

it('looks there too where the request asks for JSON of any shape, and nowhere else where it says which', () => {
  const system = `Return valid JSON.\n  json schema: ${JSON.stringify(WORD)}\n`;
  expect(findSchema({ schema: {}, system })).toEqual(WORD);
  expect(findSchema({ schema: {}, system: '' })).toEqual({});
  expect(findSchema({ schema: { type: 'array' }, system })).toEqual({ type: 'array' });
});
