import { expect, it } from 'vitest';
import { instructedSchema } from './instructed-schema.ts';

const RULE = 'Answer with one JSON object and nothing else: no explanation, no code fence.';

it('reads the shape of an answer from the instructions', () => {
  expect(instructedSchema(`Be kind.\n${RULE} It must match this JSON Schema: {"type":"object","required":["word"]}\nBe brief.`)).toEqual({ type: 'object', required: ['word'] });
  expect(instructedSchema(RULE)).toEqual({});
  expect(instructedSchema(`${RULE} It must match this JSON Schema: [`)).toEqual({});
});

it('finds none where no JSON is asked for', () => {
  expect(instructedSchema('You may be asked about JSON Schema: {"type":"object"}')).toBeUndefined();
  expect(instructedSchema('')).toBeUndefined();
});
