// Turns the service's error responses into failures of the command.
import { EXIT } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { joinTexts } from '../join-texts.ts';

/** Advice by error code, in addition to the service's message. */
const NEXT: Readonly<Record<string, string>> = {
  unauthenticated: 'Run: servicectl login (or check SERVICE_TOKEN: it may have expired or been revoked)',
  proof_required: 'Run: servicectl login, then repeat the command within ten minutes.',
  insufficient_scope: 'Use a token with this scope; servicectl login creates one with all scopes.',
  workspace_authority_required:
    'Ask an owner or admin of the workspace or, to abort a run or to speak to it, the person who started it. To connect another account of an app, give it a --name.',
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
  snapshot_gone: 'Leave out --files-required to go on with the conversation alone.',
  run_takes_no_messages: 'Wait until it has ended, or abort it: servicectl abort <job>',
  too_many_messages: 'Follow it with: servicectl job <job> --follow, and answer it once it has ended.',
  receipt_chain_invalid: 'Compare with an earlier export or a checkpoint: the recorded receipts were changed.',
  sandbox_unavailable: 'Ask the operator of the service to do this. Everything except runs keeps working.',
  too_many_streams: 'End another command or close a tab that is following something, then try again.',
  cap_reached: 'Run: servicectl usage --mine, to see what is left and when it resets.',
  token_model_denied: 'Run: servicectl models, to see which models this token may use.',
  token_not_active: 'Run: servicectl tokens create <name>',
  quota_exceeded: 'Save a provider key (servicectl keys save openai), or ask your operator for a larger plan.',
};

/** Advice for 404: the command that lists such things, by a word of the path; the last word that is known decides. */
const LISTED_BY: Readonly<Record<string, string>> = {
  jobs: 'jobs',
  stream: 'receipts',
  connections: 'connections',
  connectors: 'apps',
  models: 'models',
  organizations: 'organizations',
  workspaces: 'workspaces',
  members: 'members',
  invitations: 'invitations',
  tokens: 'tokens',
  'scim-tokens': 'scim',
  threads: 'chats',
  projects: 'projects',
  prompts: 'prompts',
  routes: 'routes',
  caps: 'caps',
  requests: 'requests',
  'provider-keys': 'keys',
  'models-account': 'models-account',
};

/** Advice by status, for all other errors. */
const NEXT_BY_STATUS: Readonly<Record<number, string>> = {
  400: 'Check the input; run the command with --help to see its usage.',
  403: 'Ask an owner or admin of the workspace or the organization, or choose another model or workspace.',
  404: 'Check the name or ID, and that you are signed in to the right organization: servicectl whoami',
  409: 'Check the current state, then try again.',
  422: 'Check the input, then try again.',
  424: 'Connect the app or save the key again, or choose another.',
  429: 'Wait a minute and try again.',
};
const NEXT_OTHERWISE = 'Try again shortly; if it keeps happening, tell the operator of the service.';

/** What is known about a refused request besides its status and body. */
interface Refused {
  readonly path?: string | undefined;
  /** The header of that name: seconds, or a date. */
  readonly retryAfter?: string | null | undefined;
}

/** Reads an error body in the format of the service, OpenAI or Anthropic. */
export function toFailure(status: number, body: unknown, refused: Refused = {}): Failure {
  const fields = isObject(body) ? body : {};
  const inner = isObject(fields['error']) ? fields['error'] : undefined;
  const error = String(inner?.['code'] ?? inner?.['type'] ?? fields['error'] ?? `status ${status}`);
  const message = inner?.['message'] ?? fields['message'];
  const exit = status === 401 ? EXIT.signedOut : error === 'unavailable' ? EXIT.unreachable : EXIT.failed;
  return new Failure(
    typeof message === 'string' && message !== '' && message !== error ? joinTexts(error, message) : error,
    { exit, error, next: adviseOn(status, error, refused), details: fields['details'] },
  );
}

/** The failure that a response stands for. */
export async function failureOf(response: Response, path: string): Promise<Failure> {
  const body = await response.json().catch(() => undefined);
  return toFailure(response.status, body, { path, retryAfter: response.headers.get('retry-after') });
}

function adviseOn(status: number, error: string, { path = '', retryAfter }: Refused): string | undefined {
  const known = NEXT[error] ?? (status === 401 ? NEXT['unauthenticated'] : undefined);
  if (known !== undefined) return known;
  const seconds = status === 429 || status === 503 ? readRetryAfter(retryAfter) : undefined;
  if (seconds !== undefined) return `Try again in ${describeWait(seconds)}.`;
  const [list] = status === 404 ? wordsOf(path).flatMap((word) => LISTED_BY[word] ?? []) : [];
  return list === undefined
    ? (NEXT_BY_STATUS[status] ?? NEXT_OTHERWISE)
    : `Check the name or ID. To see what exists, run: servicectl ${list}`;
}

/** The last word first, without the query. If the path ends with a collection, what is missing is what it belongs to. */
function wordsOf(path: string): string[] {
  const words = (path.split('?')[0] ?? '').split('/').toReversed();
  return words.filter((word, i) => i > 0 || word === 'stream');
}

function readRetryAfter(header: string | null | undefined): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(1, Math.ceil(seconds));
}

function describeWait(seconds: number): string {
  if (seconds < 120) return seconds === 1 ? 'a second' : `${seconds} seconds`;
  return seconds < 7_200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3_600)} hours`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
