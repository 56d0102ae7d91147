// Statements of one moment, for many jobs at once. While one is under way on a database the callers that arrive wait
// together, and the next statement takes them all; a caller within a transaction has its own. What fails a whole group
// is tried one by one, so that nobody pays for a neighbour.
import { type Grouped, groupCalls } from '../enforcement/group-calls.ts';
import type { Queryable } from '../store/database.ts';
import { findStorageFault } from '../timing/database-fault.ts';

const LANES = 2;
const MOST = 100;

type Settled<Output> = { readonly output: Output } | { readonly error: unknown };

export function groupOnDatabase<Input, Output>(
  run: (on: Queryable, inputs: readonly Input[]) => Promise<Output[]>,
): (on: Queryable, input: Input) => Promise<Output> {
  const groups = new WeakMap<Queryable, Grouped<Input, Settled<Output>>>();

  async function settle(on: Queryable, inputs: readonly Input[]): Promise<Settled<Output>[]> {
    try {
      return (await run(on, inputs)).map((output) => ({ output }));
    } catch (error) {
      if (inputs.length === 1 || findStorageFault(error) !== undefined) return inputs.map(() => ({ error }));
      const alone: Settled<Output>[] = [];
      for (const input of inputs) alone.push(...(await settle(on, [input])));
      return alone;
    }
  }

  return async (on, input) => {
    if ('isTransaction' in on) return (await run(on, [input]))[0] as Output;
    const group =
      groups.get(on) ?? groupCalls({ lanes: LANES, most: MOST, run: (inputs: Input[]) => settle(on, inputs) });
    groups.set(on, group);
    const settled = await group(input);
    if ('error' in settled) throw settled.error;
    return settled.output;
  };
}
