// Turns the service's error responses into failures of the command.
import { EXIT } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { joinTexts } from '../join-texts.ts';

/** Advice by error code, in addition to the service's message. */
const NEXT: Readonly<Record<string, string>> = {
  unauthenticated: 'Run: servicectl login (or check SERVICE_TOKEN: it may have expired or been revoked)',
  insufficient_scope: 'Use a token with this scope; servicectl login creates one with all scopes.',
  workspace_authority_required:
    'Ask an owner or admin of the workspace or, to abort a run, the person who started it. To connect another account of an app, give it a --name.',
  workspace_membership_required: 'Choose another workspace with --workspace, or ask the owner of this one to add you.',
  integrations_not_configured: 'Ask the operator of the service to set these variables.',
  model_not_found: 'Run: servicectl models',
  connector_not_found: 'Run: servicectl apps',
  capability_unusable: 'Run: servicectl connections, then connect the app again.',
  reconnect_required: 'Run: servicectl connect <provider>',
  'integration action not found or disabled':
    'Run: servicectl connections and servicectl tools, or ask an owner or admin to enable it.',
  provider_key_exists: 'Run: servicectl keys remove <provider>, then save the new key.',
  service_debug_disabled: 'Ask the operator of the service to set SERVICE_DEBUG_TOKEN and share it with you.',
  model_not_supported_for_runs: 'Run: servicectl models, and choose one that lists openai.',
  idempotency_conflict: 'Use a new --idempotency-key, or repeat the original request to find its run.',
  receipt_chain_invalid: 'Compare with an earlier export or a checkpoint: the recorded receipts were changed.',
  sandbox_unavailable: 'Ask the operator of the service to do this. Everything except runs keeps working.',
  rate_limited: 'Wait a minute and try again.',
  too_many_streams: 'End another command or close a tab that is following something, then try again.',
  cap_reached: 'Run: servicectl usage --mine, to see what is left and when it resets.',
  token_model_denied: 'Run: servicectl models, to see which models this token may use.',
  token_not_active: 'Run: servicectl tokens create <name>',
  quota_exceeded: 'Save a provider key (servicectl keys save openai), or ask your operator for a larger plan.',
};

/** Advice by status, for all other errors. */
const NEXT_BY_STATUS: Readonly<Record<number, string>> = {
  400: 'Check the input; run the command with --help to see its usage.',
  403: 'Ask an owner or admin of the workspace or the organization, or choose another model or workspace.',
  404: 'Check the name or ID: servicectl jobs, servicectl connections and servicectl receipts list what exists.',
  409: 'Check the current state, then try again.',
  422: 'Check the input, then try again.',
  424: 'Connect the app or save the key again, or choose another.',
  429: 'Wait a minute and try again.',
};
const NEXT_OTHERWISE = 'Try again shortly; if it keeps happening, tell the operator of the service.';

/** Reads an error body in the format of the service, OpenAI or Anthropic. */
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
