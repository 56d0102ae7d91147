import { expect, it } from 'vitest';
import { AppError } from '../base/errors.ts';
import { findInputItem, readInputItemId } from './input-item-ids.ts';
import { listInputItems } from './list-input-items.ts';

const FIRST = {
  id: 'resp_a',
  previousId: null,
  input: [
    { role: 'user', content: 'One' },
    { type: 'function_call_output', call_id: 'c', output: 'x' },
  ],
  response: { output: [{ id: 'msg_a_0', type: 'message' }] },
};
const SECOND = {
  id: 'resp_b',
  previousId: 'resp_a',
  input: [{ id: 'msg_own', role: 'assistant', content: 'Two' }],
  response: { output: [{ id: 'msg_b_0', type: 'message' }] },
};
const list = (query: string) => listInputItems([FIRST, SECOND], new URLSearchParams(query));

it('lists the conversation before the answer, the latest first, in full and each with an id', () => {
  const { data, has_more, first_id, last_id } = list('');
  expect(data).toEqual([
    {
      id: 'msg_own',
      type: 'message',
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Two' }],
    },
    { id: 'msg_a_0', type: 'message' },
    { id: 'item_a_in_1', type: 'function_call_output', call_id: 'c', output: 'x' },
    {
      id: 'msg_a_in_0',
      type: 'message',
      status: 'completed',
      role: 'user',
      content: [{ type: 'input_text', text: 'One' }],
    },
  ]);
  expect([has_more, first_id, last_id]).toEqual([false, 'msg_own', 'msg_a_in_0']);
});

it('continues after an item', () => {
  expect(list('order=asc&limit=2')).toMatchObject({ has_more: true, last_id: 'item_a_in_1' });
  expect(list('order=asc&limit=2&after=item_a_in_1')).toMatchObject({
    has_more: false,
    first_id: 'msg_a_0',
    last_id: 'msg_own',
  });
  expect(list('after=msg_a_in_0')).toMatchObject({ data: [], first_id: null, has_more: false });
});

it.each(['limit=0', 'limit=101', 'limit=x', 'order=up', 'after=nobody'])('refuses %s by name', (query) => {
  expect(() => list(query)).toThrow(AppError);
});

it('finds an input item by the id it was listed under', () => {
  expect(readInputItemId('msg_a_in_0')).toEqual({ responseId: 'resp_a', index: 0 });
  expect(findInputItem(FIRST, 'item_a_in_1')).toBe(FIRST.input[1]);
  expect([readInputItemId('msg_a_0'), findInputItem(FIRST, 'msg_a_in_7'), findInputItem(FIRST, 'msg_a_0')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('ends a page when it is large enough, and goes on from there', () => {
  const conversation = {
    id: 'resp_c',
    previousId: null,
    input: [10, 900_000, 300_000, 10, 3_000_000, 10].map((length) => ({ role: 'user', content: 'x'.repeat(length) })),
    response: { output: [] },
  };
  const pages: number[][] = [];
  for (let after = ''; ;) {
    const { data, last_id, has_more } = listInputItems(
      [conversation],
      new URLSearchParams(`order=asc${after === '' ? '' : `&after=${after}`}`),
    );
    pages.push(data.map((item) => (item['content'] as { text: string }[])[0]?.text.length ?? 0));
    if (!has_more) break;
    after = last_id ?? '';
  }
  expect(pages).toEqual([[10, 900_000], [300_000, 10], [3_000_000], [10]]);
});
