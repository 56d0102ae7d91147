import { expect, it } from 'vitest';
import { limitConcurrency } from './limit-concurrency.ts';

it('runs at most the limit at once, in order, and survives failures', async () => {
  const gate = limitConcurrency(() => 3);
  let running = 0;
  let most = 0;
  const order: number[] = [];
  const done = await Promise.allSettled(
    Array.from({ length: 20 }, (_, at) =>
      gate(async () => {
        order.push(at);
        most = Math.max(most, ++running);
        await Promise.resolve();
        running--;
        if (at % 4 === 0) throw new Error('failed');
        return at;
      }),
    ),
  );
  expect(most).toBe(3);
  expect(order).toEqual(Array.from({ length: 20 }, (_, at) => at));
  expect(done.filter(({ status }) => status === 'rejected')).toHaveLength(5);
});
