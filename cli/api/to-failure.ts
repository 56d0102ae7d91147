// The service's refusals as failures of the command.
import { EXIT } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { joinTexts } from '../join-texts.ts';

/** What to do about a refusal, beyond what its own message says. */
const NEXT: Readonly<Record<string, string>> = {
  unauthenticated: 'Run: servicectl login (or check SERVICE_TOKEN: it may be expired or revoked)',
  insufficient_scope: 'Use a token that has the scope; servicectl login makes one that has all of them.',
  workspace_authority_required:
    'Ask an owner or admin of the workspace; an app that works can be connected once more under a --name of its own.',
  workspace_membership_required: 'Name another workspace with --workspace, or ask its owner to add you.',
  integrations_not_configured: 'The operator of the service has to set these variables.',
  model_not_found: 'Run: servicectl models',
  connector_not_found: 'Run: servicectl apps',
  capability_unusable: 'Run: servicectl connections, then connect the app again.',
  reconnect_required: 'Run: servicectl connect <provider>',
  'integration action not found or disabled':
    'Run: servicectl connections and servicectl tools, or ask an owner or admin to enable it.',
  provider_key_exists: 'Run: servicectl keys remove <provider>, then save the new one.',
  service_debug_disabled: 'The operator sets SERVICE_DEBUG_TOKEN on the service and gives it to you.',
  model_not_supported_for_runs: 'Run: servicectl models, and take one that lists openai.',
  idempotency_conflict: 'Give another --idempotency-key, or the request of before to find its run.',
  receipt_chain_invalid: 'Compare with an earlier export or a checkpoint: somebody changed what is recorded.',
  sandbox_unavailable: 'The operator of the service has to do that; everything but runs works.',
  rate_limited: 'Wait a minute and try again.',
  too_many_streams: 'End another command or close a tab that follows something, then try again.',
  quota_exceeded: 'Save a provider key (servicectl keys save openai), or ask your operator for a larger plan.',
};

/** What to do about any other refusal of a status. */
const NEXT_BY_STATUS: Readonly<Record<number, string>> = {
  400: 'Check what was given; the command with --help says what it takes.',
  403: 'Ask an owner or admin of the workspace or the organization, or choose another model or workspace.',
  404: 'Check the name or the id: servicectl jobs, servicectl connections and servicectl receipts list what there is.',
  409: 'Look at what is there now, then try again.',
  422: 'Check what was given, then try again.',
  424: 'Connect the app or save the key again, or choose another.',
  429: 'Wait a minute and try again.',
};
const NEXT_OTHERWISE = 'Try again shortly; if it stays, tell the operator of the service.';

/** Takes the body of an answer with an error status, in the shape of the service, of OpenAI or of Anthropic. */
export function toFailure(status: number, body: unknown): Failure {
  const fields = isObject(body) ? body : {};
  const inner = isObject(fields['error']) ? fields['error'] : undefined;
  const error = String(inner?.['code'] ?? inner?.['type'] ?? fields['error'] ?? `status ${status}`);
  const message = inner?.['message'] ?? fields['message'];
  const exit = status === 401 ? EXIT.signedOut : error === 'unavailable' ? EXIT.unreachable : EXIT.failed;
  return new Failure(
    typeof message === 'string' && message !== '' && message !== error ? joinTexts(error, message) : error,
    {
      exit,
      error,
      next: NEXT[error] ?? (status === 401 ? NEXT['unauthenticated'] : (NEXT_BY_STATUS[status] ?? NEXT_OTHERWISE)),
      details: fields['details'],
    },
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
