// Delivers what a run committed, once its engine is done and its sandbox gone. That it could not be delivered does not
// make the work of a run undone: the reason stands in its result, beside the answer.
import type { Json } from '../../base/canonical-json.ts';
import type { Engine, RunAttempt } from '../../runs/delivery/engine.ts';
import { findChanges } from '../../runs/record/run-changes.ts';
import type { SandboxClient } from '../../sandbox/client.ts';
import type { ClientDeps } from '../clients/client-deps.ts';
import { resultText } from '../../contract/result-text.ts';
import { findCheckout } from './check-out.ts';
import { findBundle, removeBundle } from './pack-commits.ts';
import { DeliveryRefused, planDelivery } from './plan-delivery.ts';
import { type Delivered, pushCommits } from './push-commits.ts';

export interface DeliveryDeps extends ClientDeps {
  readonly sandbox: SandboxClient;
}

const TITLE_CHARS = 120;
const TEXT_CHARS = 10_000;

type Outcome = Delivered | { readonly problem: string };

/** The engine, followed by the delivery of its run if it asked for one. */
export function delivering(deps: DeliveryDeps, engine: Engine): Engine {
  return async (attempt) => {
    const result = await engine(attempt);
    if (attempt.run.deliver === undefined || typeof result !== 'object' || result === null || Array.isArray(result))
      return result;
    const delivery = await deliver(deps, attempt, resultText(result) ?? '');
    await attempt.progress({ type: 'delivered', ...delivery });
    return { ...result, delivery: { ...delivery } } satisfies Json;
  };
}

async function deliver(deps: DeliveryDeps, { run, artifacts, signal }: RunAttempt, answer: string): Promise<Outcome> {
  const directory = await artifacts();
  try {
    const [checkout, bundle] = await Promise.all([findCheckout(directory), findBundle(directory)]);
    if (checkout === undefined) throw new DeliveryRefused('the run had no repository');
    if (bundle === undefined)
      throw new DeliveryRefused(
        (await findChanges(directory))?.total.files === 0
          ? 'the run changed nothing'
          : 'its commits could not be taken out of the sandbox',
      );
    const plan = await planDelivery(deps, run, checkout, signal);
    const [title = ''] = run.objective.trim().split('\n');
    const request = {
      title: title.length > TITLE_CHARS ? `${title.slice(0, TITLE_CHARS - 1)}…` : title,
      text: answer.slice(0, TEXT_CHARS),
    };
    return await pushCommits(deps.sandbox, { plan, checkout, bundle, request }, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof DeliveryRefused))
      deps.log.warn({ job: run.id, err: error }, 'could not deliver the commits of a run');
    return { problem: error instanceof DeliveryRefused ? error.message : 'something went wrong on our side' };
  } finally {
    await removeBundle(directory);
  }
}
