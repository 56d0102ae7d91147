// Why a run waits, in words: every run that is neither running nor over shows one of these.
export const WAITING_REASONS = {
  sandbox_engine_unavailable:
    'Nothing on this deployment can execute runs of this kind yet. The run starts automatically once something can. You can abort it.',
  sandbox_unreachable: 'The sandbox controller cannot be reached. The run starts as soon as it responds.',
  broker_unavailable: 'The broker cannot be reached. The run is handed over as soon as it responds.',
  receipt_chain_invalid:
    'The stored receipts of this run no longer verify, so it is not executed. Compare them with an export or a checkpoint.',
  dispatching: 'The run is on its way to the driver.',
  no_worker: 'No worker for runs of this kind is connected.',
  workers_busy: 'All workers for runs of this kind are busy. Organizations take turns.',
  share_used:
    'Your organization already has its share of the workers for runs of this kind while runs of other organizations wait.',
  delivering: 'The run is being handed to a worker.',
} as const satisfies Record<string, string>;

export type WaitingReason = keyof typeof WAITING_REASONS;

export function isWaitingReason(text: string | undefined): text is WaitingReason {
  return text !== undefined && Object.hasOwn(WAITING_REASONS, text);
}
