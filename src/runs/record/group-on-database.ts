// Statements of one moment, for many jobs at once. While one is under way on a database the callers that arrive wait
// together, and the next statement takes them all; a caller within a transaction has its own. A batch that fails as a
// whole is tried one by one, so that one bad row does not fail the batch.
import type { Queryable } from '../../store/database.ts';
import { batch, type Batched } from '../../timing/batch.ts';
import { findStorageFault } from '../../timing/database-fault.ts';

const LANES = 2;
const MOST = 100;

export function groupOnDatabase<Input, Output>(
  run: (on: Queryable, inputs: readonly Input[]) => Promise<Output[]>,
): (on: Queryable, input: Input) => Promise<Output> {
  const groups = new WeakMap<Queryable, Batched<Input, Output>>();
  return async (on, input) => {
    if ('isTransaction' in on) return (await run(on, [input]))[0] as Output;
    let group = groups.get(on);
    if (!group) {
      group = batch({
        lanes: LANES,
        most: MOST,
        retriesAlone: (error, size) => size > 1 && findStorageFault(error) === undefined,
        run: (inputs: Input[]) => run(on, inputs),
      });
      groups.set(on, group);
    }
    return group(input);
  };
}
