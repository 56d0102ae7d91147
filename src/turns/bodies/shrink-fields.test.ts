import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isAbsent } from '../../model-providers/codecs/read-fields.ts';
import { shrinkFields } from './shrink-fields.ts';

it('keeps every field and its kind, and empties only what does not fit', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat({ max: 500 }), (body, most) => {
      const head = shrinkFields(body, most);
      expect(Object.keys(head)).toEqual(Object.keys(body));
      for (const [field, value] of Object.entries(body)) {
        expect([typeof head[field], Array.isArray(head[field]), isAbsent(head[field])]).toEqual([
          typeof value,
          Array.isArray(value),
          isAbsent(value),
        ]);
      }
      if (JSON.stringify(body).length <= most) expect(head).toEqual(body);
    }),
  );
});

it('prefers many small fields to a large one', () => {
  const body = { model: 'm', input: 'x'.repeat(2_000_000), tools: [{ name: 'a' }], instructions: 'brief' };
  expect(shrinkFields(body)).toEqual({ ...body, input: '' });
});
