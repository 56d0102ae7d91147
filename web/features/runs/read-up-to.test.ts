import { expect, it } from 'vitest';
import { readUpTo } from './read-up-to.ts';

function answer(...pieces: string[]): { response: Response; isCancelled: () => boolean } {
  let cancelled = false;
  const source = pieces.map((piece) => new TextEncoder().encode(piece));
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const next = source.shift();
        if (next === undefined) controller.close();
        else controller.enqueue(next);
      },
      cancel() {
        cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { response: new Response(body), isCancelled: () => cancelled };
}

it('reads all of a short answer', async () => {
  const { bytes, isCut } = await readUpTo(answer('ab', 'cd').response, 4);
  expect([new TextDecoder().decode(bytes), isCut]).toEqual(['abcd', false]);
});

it('stops downloading at the limit', async () => {
  const { response, isCancelled } = answer('ab', 'cd', 'ef', 'gh', 'ij');
  const { bytes, isCut } = await readUpTo(response, 3);
  expect([new TextDecoder().decode(bytes), isCut, isCancelled()]).toEqual(['abc', true, true]);
});

it('reads an answer without a body as nothing', async () => {
  expect((await readUpTo(new Response(null), 3)).bytes).toHaveLength(0);
});
