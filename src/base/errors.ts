// One error type for refusals and faults, one table for how each leaves the service. The body's `error` field
// is the row's key unless the specification gives an exact sentence, in which case the row carries it.

type Details = Record<string, unknown>;

interface ErrorRow {
  readonly status: number;
  /** The exact `error` string of the specification; a function when it names something. */
  readonly error?: string | ((details: Details) => string);
  /** One sentence for people: what happened and what to do next. */
  readonly message: string | ((details: Details) => string);
  /** The details that leave, where the error itself names the others; all of them when absent. */
  readonly details?: readonly string[];
  readonly retryable?: true;
}

/** After a call whose end nobody knows. */
function afterwards(write: unknown): string {
  return write === true
    ? 'What you asked for may have been done all the same: look before you ask for it again.'
    : 'Try again shortly.';
}

export const ERRORS = {
  internal: {
    status: 500,
    message: 'Something failed on our side. Try again; if it stays, tell your operator the request id.',
    retryable: true,
  },
  invalid_request: { status: 400, message: 'The request is not valid. See details for each field.' },
  unknown_parameter: {
    status: 400,
    message: 'The request has a field that the model does not take. See details for its name.',
  },
  unauthenticated: { status: 401, message: 'Sign in, or send a valid token as a bearer token.' },
  not_found: { status: 404, message: 'There is nothing here, or you may not see it.' },
  method_not_allowed: { status: 405, message: 'This address does not take that method.' },
  request_too_large: { status: 413, message: 'The request body is larger than this address takes.' },
  conflict: {
    status: 409,
    message: 'The same thing was changed at the same time. Read it again and retry.',
    retryable: true,
  },
  unavailable: {
    status: 503,
    message: 'The service is starting or its database cannot be reached. Try again shortly.',
    retryable: true,
  },
  cross_origin: { status: 403, message: 'This request came from another origin. Open the app at its own address.' },
  insufficient_scope: {
    status: 403,
    message: 'The token lacks the scope that this address needs. Make a token that has it.',
  },

  settings_refused: {
    status: 403,
    error: ({ area }) => `Only organization owners or admins can manage ${area}.`,
    message: 'Ask an owner or admin of your organization to make this change.',
  },
  owner_required: { status: 403, message: 'Only an owner of the organization can grant or take away the owner role.' },
  last_owner: { status: 409, message: 'An organization keeps at least one owner. Make somebody else an owner first.' },
  seat_capacity_reached: {
    status: 409,
    message: 'Every seat of the plan is taken. Remove a member or ask your operator for a larger plan.',
  },
  already_member: { status: 409, message: 'This person is already a member.' },
  user_not_found: { status: 404, message: 'There is no such person here. Invite them by e-mail address instead.' },
  invitation_expired: { status: 410, message: 'This invitation has expired. Ask for a new one.' },
  organizations_closed: {
    status: 403,
    message:
      'Organizations are created by the operator of this service. Ask them for one, or open an invitation link that you were given.',
  },
  organization_limit_reached: {
    status: 409,
    message: ({ limit }) =>
      `You have created ${limit} organizations, which is as many as one person may create here. Ask the operator of this service for more.`,
  },
  slug_taken: { status: 409, message: 'This short name is taken. Choose another.' },
  workspace_reserved: {
    status: 409,
    message: 'This workspace belongs to the organization itself: it cannot be left, deleted, or given other members.',
  },
  workspace_authority_required: {
    status: 403,
    message: 'Only owners and admins of the workspace or the organization can do this.',
  },
  workspace_membership_required: {
    status: 403,
    message: 'Only members of the workspace can do this. Ask its owner to add you.',
  },

  integrations_not_configured: {
    status: 503,
    message:
      'Integrations are not configured. Set SERVICE_INTEGRATIONS_URL, SERVICE_INTEGRATIONS_SECRET_KEY and SERVICE_INTEGRATIONS_WEBHOOK_SECRET.',
  },
  connections_not_configured: {
    status: 503,
    message:
      'Connections cannot be stored on this deployment. Its operator has to set SERVICE_CONNECTION_ENCRYPTION_KEY_B64.',
  },
  integration_provider_failed: {
    status: 502,
    message:
      'The integration provider answered with an error of its own. Try again shortly; if it stays, tell your operator.',
    retryable: true,
  },
  integration_key_refused: {
    status: 502,
    message:
      'The integration provider does not accept the key of this deployment, or the key may not do this. Tell your operator: SERVICE_INTEGRATIONS_SECRET_KEY has to be the secret key of its prod environment, with the scopes that the guide names.',
  },
  integration_not_registered: {
    status: 424,
    message: ({ provider, application }) =>
      application === false
        ? `The integration provider does not have '${provider}' yet. It takes no OAuth application: your operator adds it by running servicectl integrations reconcile --apply.`
        : `The integration provider has no OAuth application for '${provider}'. Its operator has to register one there, under the key '${provider}'.`,
  },
  connector_not_found: {
    status: 404,
    message: 'The catalogue has no such connector. GET /connect/connectors lists those there are.',
  },
  connection_exists: {
    status: 409,
    message: 'A connection of another kind has this name. Remove it first, or choose another name.',
  },
  connection_undecryptable: { status: 424, message: 'The connection can no longer be decrypted. Connect it again.' },
  name_reserved: {
    status: 400,
    message: "The name 'agent-registry' is kept for cloud accounts of the agent registry. Choose another.",
  },
  capability_unusable: {
    status: 409,
    message: ({ capability }) =>
      `The capability '${capability}' cannot be used now. Connect or reconnect it, then try again.`,
  },
  too_many_streams: {
    status: 429,
    message: ({ limit }) =>
      `You have ${limit} live connections of this kind open, which is as many as one person may. Close one, then try again.`,
    retryable: true,
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests in a short time. Wait for the time that retry-after names.',
    retryable: true,
  },
  invalid_credentials: { status: 401, message: 'The e-mail address or the password is wrong.' },
  user_exists: { status: 409, message: 'There already is an account with this e-mail address. Sign in instead.' },
  sign_up_closed: {
    status: 403,
    message:
      'New accounts are not open to everybody here. Open the invitation link that you were given and use the e-mail address it was sent to, or ask the operator of this service.',
  },
  service_debug_disabled: {
    status: 503,
    message: 'Diagnostics are off. Set SERVICE_DEBUG_TOKEN or SERVICE_DEBUG_JWT_SECRET to enable them.',
  },

  workspace_required: {
    status: 400,
    error: 'A workspace is required to manage provider keys.',
    message: 'Name a workspace, or global for the organization-wide scope.',
  },
  provider_key_refused: {
    status: 403,
    error: 'Only workspace or organization owners or admins can manage provider keys.',
    message: 'Ask an owner or admin of the workspace or the organization to make this change.',
  },
  provider_not_found: { status: 404, message: 'No model of the catalogue is declared at this provider.' },
  provider_key_required: {
    status: 422,
    error: 'Provider API key is required.',
    message: 'Paste the key that the provider gave you.',
  },
  provider_key_prefix: {
    status: 422,
    error: ({ provider, prefix }) => `${provider} API keys must start with ${prefix}.`,
    message: 'Check that the key is complete and of this provider.',
  },
  provider_key_exists: { status: 409, message: 'A key is configured here. Remove it first, then save the new one.' },
  provider_key_rejected_on_save: {
    status: 422,
    error: ({ provider }) => `Unable to connect to ${provider}. Verify that your ${provider} API key is valid.`,
    message: 'The provider does not accept this key. Nothing was saved.',
  },
  provider_key_not_validated: {
    status: 422,
    error: ({ provider }) => `${provider} could not validate this API key right now. Try again shortly.`,
    message: 'The provider answered, but not whether the key is valid. Nothing was saved.',
    retryable: true,
  },
  provider_key_not_reached: {
    status: 422,
    error: ({ provider }) =>
      `${provider} could not validate this API key right now. Check your connection and try again.`,
    message: 'The provider could not be reached in time. Nothing was saved.',
    retryable: true,
  },
  provider_keys_not_configured: {
    status: 503,
    message: 'Keys cannot be stored on this deployment. Its operator has to set BYOK_ENCRYPTION_KEY_B64.',
  },
  guardrail_too_slow: {
    status: 422,
    message:
      'A rule of this group takes too long. Write regular expressions without nested repetition, and schemas with fewer alternatives.',
  },

  surface_not_served: {
    status: 404,
    message: ({ name, instead }) =>
      `${name}: not served here. ${instead} The page /docs/api of this service lists what is served.`,
  },
  model_not_found: {
    status: 404,
    message: ({ model }) => `There is no model '${model}' for this. GET /v1/models lists those there are.`,
  },
  policy_denied: {
    status: 403,
    error: ({ denials }) => (denials as string[]).join(','),
    message: 'The selected AI model is not allowed for your organization.',
  },
  study_mode_unavailable: {
    status: 503,
    message: 'The model that Study Mode pins every turn to cannot be executed. No answer was produced.',
  },
  provider_key_denied: {
    status: 403,
    error: ({ denial }) => String(denial),
    message: ({ denial }) =>
      String(denial).includes('missing_provider_api_key')
        ? 'This provider requires an organization API key, but no key is configured.'
        : 'Only models that run on an organization API key are allowed here.',
  },
  provider_key_undecryptable: {
    status: 424,
    message: 'A key is stored for this provider but can no longer be decrypted. Remove it and save it again.',
  },
  model_not_routable: {
    status: 424,
    message: 'No credential can route this model. Choose another one, or configure a Models account that serves it.',
  },
  quota_exceeded: {
    status: 429,
    message: ({ limit }) =>
      limit === 'deployment'
        ? 'The credit that this deployment gives out in a month is used up. Add a provider key, or wait for the next month.'
        : 'The budget of your organization does not cover this request. Add a provider key or ask for a larger plan.',
  },
  provider_key_rejected: {
    status: 502,
    message: ({ provider }) =>
      `Unable to connect to the AI service. Verify that your organization ${provider} API key is valid.`,
  },
  provider_unavailable: {
    status: 502,
    message: 'The AI service answered with an error of its own. Try again shortly.',
    retryable: true,
  },
  provider_unreachable: {
    status: 502,
    message: ({ brokenOff, write }) =>
      brokenOff === true
        ? `The provider broke off in the middle of its answer. ${afterwards(write)}`
        : 'The provider could not be reached. Try again shortly.',
    details: [],
    retryable: true,
  },
  provider_timeout: {
    status: 504,
    message: ({ write }) => `The provider did not answer in time. ${afterwards(write)}`,
    details: [],
    retryable: true,
  },
  provider_overloaded: { status: 503, message: 'The AI service is overloaded. Try again shortly.', retryable: true },
  provider_rate_limited: {
    status: 429,
    message: 'The provider limits how often it may be asked. Wait a moment.',
    retryable: true,
  },
  provider_quota_exceeded: {
    status: 429,
    message: ({ provider }) =>
      `The ${provider} account that pays for this has no credit left. Check its plan and billing.`,
  },
  provider_request_too_large: {
    status: 413,
    message: ({ reason }) => `The provider takes no request of this size: ${reason}`,
  },
  previous_response_not_found: { status: 400, message: ({ id }) => `Previous response with id '${id}' not found.` },
  response_not_found: { status: 404, message: ({ id }) => `Response with id '${id}' not found.` },
  provider_refused: { status: 400, message: ({ reason }) => `The provider refused the request: ${reason}` },
  context_length_exceeded: {
    status: 400,
    message: ({ reason }) => `The conversation is longer than the model takes: ${reason}`,
  },

  run_budget_exhausted: {
    status: 429,
    message: ({ budgetUsd }) =>
      `The run has used the $${budgetUsd} that one run may use. Split the objective, or ask your operator to raise SERVICE_RUN_BUDGET_CENTS.`,
  },
  too_many_runs: {
    status: 429,
    message: ({ limit }) =>
      `You have ${limit} runs waiting, which is as many as one person may have. Wait until some have begun, or abort one.`,
    retryable: true,
  },
  model_not_supported_for_runs: {
    status: 400,
    message: ({ model }) =>
      `Background runs call OpenAI, which does not serve the model '${model}'. Choose one that it serves.`,
  },

  thread_busy: {
    status: 409,
    message: 'An answer is still being written in this thread. Wait for it, or stop it.',
    retryable: true,
  },
  background_runs_unavailable: {
    status: 503,
    message: 'Background runs are not available on this deployment. Ask for a direct answer instead.',
  },
  runtime_unreachable: {
    status: 503,
    message: 'The runtime, which starts background runs, did not answer. Nothing was lost; try again shortly.',
    retryable: true,
  },
  storage_full: {
    status: 413,
    message:
      'The storage of your organization is full. Delete conversations with attachments that are no longer needed, or ask your operator for more room.',
  },
  attachment_type_unsupported: {
    status: 415,
    message: 'Attachments are images (PNG, JPEG, GIF, WebP), PDF documents, and text in UTF-8.',
  },

  tool_not_found: {
    status: 404,
    error: 'integration action not found or disabled',
    message:
      "There is no such connection here, it has no such tool, or its policy does not allow it. An owner or admin enables tools in the connection's policy.",
  },
  write_scope_required: {
    status: 400,
    error: ({ tool }) => `integration action '${tool}' requires connect:write`,
    message: 'Use a token that has the scope connect:write.',
  },
  header_not_allowed: {
    status: 400,
    error: ({ header }) => `header '${header}' is not allowed`,
    message: 'Leave this header out: the service sets what the provider needs.',
  },
  repository_not_selected: {
    status: 403,
    message: 'The connection is limited to selected repositories, and this call names none of them.',
  },
  provider_response_too_large: {
    status: 502,
    message:
      'The provider answered with more than 5 MiB. Ask for less: a smaller page, fewer fields, a narrower filter.',
  },
  provider_response_unreadable: { status: 502, message: 'The provider answered in an encoding that cannot be read.' },
  provider_redirect_refused: {
    status: 502,
    message: 'The provider answered with a redirect, which is not followed. Name the resource it points to.',
  },
  provider_site_not_found: {
    status: 502,
    message: 'The connected account has no site of this product. Reconnect with an account that has one.',
  },
  reconnect_required: {
    status: 502,
    message: 'The provider no longer accepts this connection. Reconnect it, then try again.',
  },

  sandbox_unavailable: {
    status: 503,
    message: ({ reason, fix }) => `Runs cannot be executed here: ${reason}. To fix it: ${fix}.`,
  },
  sandbox_full: {
    status: 503,
    message: 'The sandbox limit of this controller is reached. Try again shortly.',
    retryable: true,
  },
  sandbox_not_found: { status: 404, message: 'There is no such sandbox; its lease may have ended.' },
  idempotency_conflict: { status: 409, message: 'This idempotency key was used with another body. Choose a new key.' },
  sandbox_disk_full: { status: 507, message: 'The disk of the sandbox is full.' },

  receipt_chain_invalid: {
    status: 409,
    error: ({ stream, reason, index }) =>
      `Service runtime refused to replay invalid chain for stream '${stream}': ${reason} at index ${index}`,
    message: 'The stored receipts of this stream no longer verify. Compare them with an export or a checkpoint.',
    details: ['reason', 'index'],
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: Details;

  constructor(code: ErrorCode, details: Details = {}, options?: { cause?: unknown }) {
    super(wireText(code, details), options);
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  /** Whether the same request may succeed later. */
  get retryable(): boolean {
    const row: ErrorRow = ERRORS[this.code];
    return row.retryable === true;
  }
}

export interface ErrorBody {
  ok: false;
  error: string;
  message?: string;
  details?: unknown;
  /** Where the answer depends on it: whether the same request may succeed later. */
  retryable?: boolean;
}

/** The JSON body under which an error leaves the service. An unknown error leaves as `internal`, never its text. */
/** Errors that are nobody's mistake and pass by themselves; they leave as `unavailable`, without their own words. */
const passing = new WeakSet();

/** Said by whoever met the error first and knows what it means. */
export function markPassing(error: unknown): void {
  if (error instanceof Error) passing.add(error);
}

function isPassing(error: unknown): boolean {
  return error instanceof Error && passing.has(error);
}

export function errorBody(error: unknown): { status: number; body: ErrorBody } {
  const known = error instanceof AppError ? error : new AppError(isPassing(error) ? 'unavailable' : 'internal');
  const row: ErrorRow = ERRORS[known.code];
  const details =
    row.details === undefined
      ? known.details
      : Object.fromEntries(row.details.map((name) => [name, known.details[name]]));
  return {
    status: row.status,
    body: {
      ok: false,
      error: wireText(known.code, known.details),
      message: typeof row.message === 'string' ? row.message : row.message(known.details),
      ...(typeof known.details['retryable'] === 'boolean' ? { retryable: known.details['retryable'] } : {}),
      ...(Object.keys(details).length > 0 ? { details } : {}),
    },
  };
}

function wireText(code: ErrorCode, details: Details): string {
  const row: ErrorRow = ERRORS[code];
  if (row.error === undefined) return code;
  return typeof row.error === 'string' ? row.error : row.error(details);
}
