// Choices of a seed: the same seed, the same stream.
export interface Chance {
  /** A whole number below this. */
  below(limit: number): number;
  /** One time in so many. */
  oneIn(times: number): boolean;
  /** A text in pieces, some of them empty. */
  pieces(text: string): string[];
  /** Several lists as one, each in its own order. */
  interleave<Item>(lists: readonly (readonly Item[])[]): Item[];
}

export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  const oneIn = (times: number): boolean => below(times) === 0;
  return {
    below,
    oneIn,
    pieces(text) {
      const letters = [...text];
      const pieces: string[] = [];
      while (letters.length > 0) {
        if (oneIn(5)) pieces.push('');
        pieces.push(letters.splice(0, 1 + below(6)).join(''));
      }
      return oneIn(4) ? [...pieces, ''] : pieces;
    },
    interleave(lists) {
      const left = lists.map((list) => [...list]).filter((list) => list.length > 0);
      const all = [];
      while (left.length > 0) {
        const at = below(left.length);
        const [next] = left[at]?.splice(0, 1) ?? [];
        if (next !== undefined) all.push(next);
        if (left[at]?.length === 0) left.splice(at, 1);
      }
      return all;
    },
  };
}
