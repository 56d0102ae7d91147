import { readDelivery } from '../../src/contract/patches/read-delivery.ts';
import { EXIT } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { writeAnswer } from '../chat/write-answer.ts';
import { joinTexts } from '../join-texts.ts';
import { type Output, printable } from '../output.ts';
import type { RunView } from './runs-api.ts';

/** Prints the result of a run: text as an answer is shown, anything else as JSON. */
export async function showResult(output: Output, run: RunView, raw: boolean | undefined): Promise<void> {
  const writer = await writeAnswer(output, raw);
  writer.push(resultText(run));
  writer.end();
  const delivery = readDelivery(run.result);
  if (delivery === undefined) return;
  const { branch, url, problem } = delivery;
  if (branch !== undefined) output.say(`Pushed to ${branch}${url === undefined ? '' : `: ${printable(url)}`}`);
  if (problem !== undefined)
    output.say(`${branch === undefined ? 'Nothing was pushed' : 'No pull request'}: ${printable(problem)}`);
}

function resultText({ result }: RunView): string {
  if (typeof result === 'string') return result;
  if (typeof result === 'object' && result !== null && 'text' in result && typeof result.text === 'string')
    return result.text;
  return result === undefined ? '' : JSON.stringify(result, undefined, 2);
}

/** The outcome of a run as the failure of the command that followed it; undefined if it completed. */
export function endAsFailure({ id, status, error, attempt }: RunView): Failure | undefined {
  if (status === 'completed') return undefined;
  if (status === 'failed')
    return new Failure(joinTexts('the run failed', error ?? 'no reason was given'), {
      exit: EXIT.runFailed,
      error: 'run_failed',
      details: { job: id, attempt },
      next: `See what it did with: servicectl job ${id} --events`,
    });
  if (status === 'aborted')
    return new Failure(error === undefined ? 'the run was aborted' : joinTexts('the run was aborted', error), {
      exit: EXIT.runAborted,
      error: 'run_aborted',
      details: { job: id },
      next: `See what it did with: servicectl job ${id} --events`,
    });
  return new Failure(`run ${id} has not ended`, {
    exit: EXIT.runLost,
    error: 'run_lost',
    next: `Check on it later with: servicectl job ${id}`,
  });
}
