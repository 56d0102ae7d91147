// Statements that serve many calls at once. While one is running, new calls wait, and the next statement takes them
// all. A batch that fails is retried call by call, so that one bad row does not fail the rest. The batches belong to
// the database they run on; calls within a transaction run alone.
import { batch, type Batched } from '../timing/batch.ts';
import { findStorageFault } from '../timing/database-fault.ts';

const LANES = 2;
const MOST = 100;

/** Returns the outputs in the order of the inputs. */
export type ManyStatement<On, Input, Output> = (on: On, inputs: readonly Input[]) => Promise<Output[]>;

export interface StatementBatches<On> {
  run<Input, Output>(statement: ManyStatement<On, Input, Output>, input: Input): Promise<Output>;
}

export function createStatementBatches<On>(on: On): StatementBatches<On> {
  // By statement, each of which has the one type of inputs and outputs that it is stored and found with.
  const batches = new Map<unknown, Batched<never, unknown>>();

  function open<Input, Output>(statement: ManyStatement<On, Input, Output>): Batched<Input, Output> {
    const opened = batch<Input, Output>({
      lanes: LANES,
      most: MOST,
      retriesAlone: (error, size) => size > 1 && findStorageFault(error) === undefined,
      run: (inputs) => statement(on, inputs),
    });
    batches.set(statement, opened);
    return opened;
  }

  return {
    run<Input, Output>(statement: ManyStatement<On, Input, Output>, input: Input): Promise<Output> {
      const batched = batches.get(statement) as Batched<Input, Output> | undefined;
      return (batched ?? open(statement))(input);
    },
  };
}

/** Runs a statement for one input, batched with other calls where `on` batches. */
export async function runBatched<On extends { readonly batches?: StatementBatches<On> }, Input, Output>(
  on: On,
  statement: ManyStatement<On, Input, Output>,
  input: Input,
): Promise<Output> {
  return on.batches ? on.batches.run(statement, input) : ((await statement(on, [input]))[0] as Output);
}
