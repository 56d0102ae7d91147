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

/** After a call whose outcome is unknown. */
function afterwards(write: unknown): string {
  return write === true
    ? 'The action may have been carried out anyway: check before you repeat it.'
    : 'Try again shortly.';
}

/** Stands for a provider's name where a Models account paid. */
export const MODELS_ACCOUNT = 'Models';

export const ERRORS = {
  internal: {
    status: 500,
    message: 'Something went wrong on our side. Try again. If it keeps happening, give your operator the request ID.',
    retryable: true,
  },
  invalid_request: { status: 400, message: 'The request is not valid. See details for each field.' },
  unknown_parameter: {
    status: 400,
    message: 'The request has a field that this model does not support. See details for its name.',
  },
  unauthenticated: { status: 401, message: 'Sign in, or send a valid token as a bearer token.' },
  not_found: { status: 404, message: 'There is nothing here, or you may not see it.' },
  method_not_allowed: { status: 405, message: 'This route does not support that method.' },
  request_timeout: {
    status: 408,
    message: 'The request body did not arrive in time. Send it again, without pauses.',
    retryable: true,
  },
  request_too_large: { status: 413, message: 'The request body is larger than this route allows.' },
  conflict: {
    status: 409,
    message: 'Someone changed this at the same time. Reload it and try again.',
    retryable: true,
  },
  unavailable: {
    status: 503,
    message: ({ stopping }) =>
      stopping === true
        ? 'The service is restarting. Try again shortly.'
        : 'The service is starting or its database cannot be reached. Try again shortly.',
    retryable: true,
  },
  cross_origin: { status: 403, message: 'This request came from another origin. Open the app at its own address.' },
  account_disabled: { status: 403, message: 'This account is disabled. Ask the operator of the service.' },
  insufficient_scope: {
    status: 403,
    message: ({ scope }) => `The token lacks the scope ${String(scope)}. Create a token that has it.`,
  },

  settings_refused: {
    status: 403,
    error: ({ area }) => `Only organization owners or admins can manage ${area}.`,
    message: 'Ask an owner or admin of your organization to make this change.',
  },
  owner_required: { status: 403, message: 'Only an owner of the organization can do this.' },
  last_owner: {
    status: 409,
    message: ({ organizations }) =>
      Array.isArray(organizations)
        ? `You are the only owner of ${(organizations as { name: string }[]).map(({ name }) => name).join(', ')}. Make someone else an owner there, or delete the organization, then delete the account.`
        : 'An organization needs at least one owner. Make someone else an owner first.',
  },
  organization_paused: {
    status: 403,
    message: 'The operator of this service has paused this organization. Ask them when it goes on.',
  },
  export_in_progress: {
    status: 409,
    message: 'Your data is already being downloaded. Wait for it to end, or cancel it, then try again.',
    retryable: true,
  },
  seat_capacity_reached: {
    status: 409,
    message: 'All seats in your plan are taken. Remove a member, or ask your operator for a larger plan.',
  },
  too_many_scim_tokens: {
    status: 409,
    message: 'This organization has two SCIM tokens already. Revoke the one that is no longer used.',
  },
  already_member: { status: 409, message: 'This person is already a member.' },
  user_not_found: { status: 404, message: 'No account has this ID. Invite the person by email address instead.' },
  invitation_expired: { status: 410, message: 'This invitation has expired. Ask for a new one.' },
  organizations_closed: {
    status: 403,
    message:
      'Only the operator of this service can create organizations. Ask them for one, or open the invitation link you were sent.',
  },
  organization_limit_reached: {
    status: 409,
    message: ({ limit }) =>
      `You have created ${limit} organizations, the most one person can create here. Ask the operator of this service to raise the limit.`,
  },
  slug_taken: { status: 409, message: 'This short name is taken. Choose another.' },
  workspace_reserved: {
    status: 409,
    message: 'This workspace belongs to the whole organization. You cannot leave it, delete it or change its members.',
  },
  workspace_authority_required: {
    status: 403,
    message: ({ speaks }) =>
      speaks === true
        ? 'Only the person who started this run can speak to it while it works. Once it has ended, anyone in its workspace can answer it.'
        : 'Only owners and admins of the workspace or the organization can do this.',
    details: [],
  },
  workspace_membership_required: {
    status: 403,
    message: 'Only members of the workspace can do this. Ask its owner to add you.',
  },
  sharing_disabled: {
    status: 403,
    message: 'Your organization does not allow sharing chats. An owner or admin can change this in the policies.',
  },

  integrations_not_configured: {
    status: 503,
    message:
      'Integrations are not configured. Set SERVICE_INTEGRATIONS_URL, SERVICE_INTEGRATIONS_SECRET_KEY and SERVICE_INTEGRATIONS_WEBHOOK_SECRET.',
  },
  connections_not_configured: {
    status: 503,
    message: 'This deployment cannot store connections. Its operator must set SERVICE_CONNECTION_ENCRYPTION_KEY_B64.',
  },
  integration_provider_failed: {
    status: 502,
    message:
      'The integration provider returned an error. Try again shortly. If it keeps happening, tell your operator.',
    retryable: true,
  },
  integration_key_refused: {
    status: 502,
    message:
      "The integration provider rejected this deployment's key, or the key lacks a scope. Tell your operator: SERVICE_INTEGRATIONS_SECRET_KEY must be the secret key of the prod environment, with the scopes that the operators' guide to the integration provider lists.",
  },
  integration_not_registered: {
    status: 424,
    message: ({ provider, application }) =>
      application === false
        ? `The integration provider does not have '${provider}' yet. It needs no OAuth application: your operator can add it with servicectl integrations reconcile --apply.`
        : `The integration provider has no OAuth application for '${provider}'. Your operator must register one there under the key '${provider}'.`,
  },
  connector_not_found: {
    status: 404,
    message: 'The catalogue has no such connector. GET /connect/connectors lists the connectors.',
  },
  connection_exists: {
    status: 409,
    message: 'A connection of another kind already has this name. Remove it first, or choose another name.',
  },
  connection_undecryptable: { status: 424, message: 'The connection can no longer be decrypted. Connect it again.' },
  name_reserved: {
    status: 400,
    message: "The name 'agent-registry' is reserved for cloud accounts of the agent registry. Choose another name.",
  },
  capability_unusable: {
    status: 409,
    message: ({ capability }) =>
      `The capability '${capability}' is not available right now. Connect or reconnect it, then try again.`,
  },
  too_many_streams: {
    status: 429,
    message: ({ limit }) =>
      `You have ${limit} live connections of this kind open, the most one person can have. Close one, then try again.`,
    retryable: true,
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests in a short time. Wait for the number of seconds in the retry-after header.',
    retryable: true,
  },
  invalid_credentials: { status: 401, message: 'The email address or the password is wrong.' },
  proof_required: {
    status: 403,
    message: 'Prove again who you are, then repeat this within ten minutes.',
    details: ['method'],
  },
  password_refused: {
    status: 422,
    message: ({ reason }) =>
      reason === 'personal'
        ? 'This password is easy to guess from your name, your address or the name of the service. Choose another.'
        : 'This password is on lists of leaked passwords, which are tried first. Choose another.',
    details: ['reason'],
  },
  mail_not_configured: {
    status: 503,
    message: 'This service sends no mail. Ask its operator for a link to choose a new password.',
  },
  link_invalid: {
    status: 410,
    message: 'This link has been used, was replaced by a newer one, or has expired. Ask for a new one.',
  },
  openid_not_configured: {
    status: 404,
    message: 'This service has no OpenID provider. Sign in with your email address and password.',
  },
  openid_unavailable: {
    status: 503,
    message: 'The sign-in provider did not answer. Try again shortly. If it keeps happening, tell your operator.',
    retryable: true,
  },
  openid_refused: {
    status: 401,
    message:
      "The sign-in provider's answer could not be verified. Start again. If it keeps happening, tell your operator.",
  },
  openid_state_invalid: {
    status: 400,
    message: 'This sign-in took too long, was already used, or began in another browser. Start again.',
  },
  openid_cancelled: { status: 403, message: 'The sign-in provider did not let you in, or you cancelled. Start again.' },
  openid_address_unverified: {
    status: 403,
    message:
      'The sign-in provider has not verified your email address. Verify it there, or ask your operator, then sign in again.',
  },
  openid_domain_refused: {
    status: 403,
    message: 'Addresses of this domain cannot sign in here. Use the account of your organization.',
  },
  openid_link_gone: {
    status: 410,
    message: 'There is nothing to connect, or it took too long. Continue with the sign-in provider again.',
  },
  openid_link_other_account: {
    status: 403,
    message: 'You are signed in with another account. Sign in with the account that you want to connect.',
  },
  openid_not_fresh: {
    status: 403,
    message: 'The sign-in provider did not confirm that you have just signed in there. Try again.',
  },
  password_sign_in_closed: {
    status: 403,
    message: 'Passwords are not accepted here. Sign in through the sign-in provider of your organization.',
  },
  invalid_code: {
    status: 401,
    message: 'The code is wrong, or was used before. Enter the one that your app shows now, or another recovery code.',
  },
  invalid_passkey: { status: 401, message: 'The passkey was not accepted. Try again, or sign in another way.' },
  challenge_expired: {
    status: 401,
    message: 'Too much time has passed, or too many codes were wrong. Sign in again from the start.',
  },
  second_factor_required: {
    status: 403,
    message:
      'This needs a session with a second factor. Set up a passkey or one-time codes in your account, or sign in with the one you have.',
  },
  last_way_in: {
    status: 409,
    message: 'This is the only way into your account. Add a passkey or a password first.',
  },
  one_time_codes_exist: {
    status: 409,
    message: 'One-time codes are set up already. Remove them first to use another app.',
  },
  one_time_codes_missing: { status: 409, message: 'One-time codes are not set up yet.' },
  password_exists: { status: 409, message: 'Your account has a password. Change it instead.' },
  too_many_passkeys: {
    status: 409,
    message: ({ limit }) => `You have ${limit} passkeys, the most an account can have. Remove one first.`,
  },
  address_managed: {
    status: 409,
    message: ({ by }) =>
      by === 'operator'
        ? 'This service sends no mail, so it cannot prove a new address. Ask its operator to set up mail.'
        : 'The provider that signs you in decides your address. Ask the people who run it to change it.',
  },
  user_exists: { status: 409, message: 'An account with this email address already exists. Sign in instead.' },
  sign_up_closed: {
    status: 403,
    message:
      'Sign-up is by invitation only. Open the invitation link you were sent and use the email address it was sent to, or ask the operator of this service.',
  },
  service_debug_disabled: {
    status: 503,
    message: 'Diagnostics are off. Set SERVICE_DEBUG_TOKEN or SERVICE_DEBUG_JWT_SECRET to enable them.',
  },

  workspace_required: {
    status: 400,
    error: 'A workspace is required to manage provider keys.',
    message: 'Specify a workspace, or global for the organization-wide scope.',
  },
  provider_key_refused: {
    status: 403,
    error: 'Only workspace or organization owners or admins can manage provider keys.',
    message: 'Ask an owner or admin of the workspace or the organization to make this change.',
  },
  provider_not_found: { status: 404, message: 'The catalogue has no model from this provider.' },
  provider_key_required: {
    status: 422,
    error: 'Provider API key is required.',
    message: 'Paste the key that the provider gave you.',
  },
  provider_key_prefix: {
    status: 422,
    error: ({ provider, prefix }) => `${provider} API keys must start with ${prefix}.`,
    message: 'Check that the key is complete and belongs to this provider.',
  },
  provider_key_exists: {
    status: 409,
    message: 'A key is already configured here. Remove it first, then save the new one.',
  },
  provider_key_rejected_on_save: {
    status: 422,
    error: ({ provider }) => `Unable to connect to ${provider}. Verify that your ${provider} API key is valid.`,
    message: 'The provider does not accept this key. Nothing was saved.',
  },
  provider_key_not_validated: {
    status: 422,
    error: ({ provider }) => `${provider} could not validate this API key right now. Try again shortly.`,
    message: 'The provider answered, but did not say whether the key is valid. Nothing was saved.',
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
    message: 'This deployment cannot store keys. Its operator must set BYOK_ENCRYPTION_KEY_B64.',
  },
  guardrail_too_slow: {
    status: 422,
    message:
      'A rule in this group takes too long to evaluate. Avoid nested repetition in regular expressions, and use fewer alternatives in schemas.',
  },

  not_on_platform_credit: {
    status: 400,
    message:
      "This is passed on to the provider as it is, which platform credit cannot pay for. Save your organization's own key for the provider, or a Models account that serves the model.",
  },
  surface_not_served: {
    status: 404,
    message: ({ name, instead }) =>
      `${name}: not served here. ${instead} The page /docs/api of this service lists what is served.`,
  },
  model_not_found: {
    status: 404,
    message: ({ model }) =>
      `The model '${model}' does not exist or cannot be used here. GET /v1/models lists the available models.`,
  },
  policy_denied: {
    status: 403,
    error: ({ denials }) => (denials as string[]).join(','),
    message: 'The selected AI model is not allowed for your organization.',
  },
  study_mode_unavailable: {
    status: 503,
    message: 'Study Mode requires a model that is not available. No answer was produced.',
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
    message:
      'No key or credit is available for this model. Choose another model, or configure a Models account that serves it.',
  },
  quota_exceeded: {
    status: 429,
    message: ({ limit }) =>
      limit === 'deployment'
        ? "This deployment's monthly credit is used up. Add a provider key, or wait until next month."
        : "Your organization's budget does not cover this request. Add a provider key, or ask for a larger plan.",
  },
  cap_reached: {
    status: 429,
    message: ({ subject, ownKey, limit }) => {
      const { kind } = (subject ?? {}) as { kind?: string };
      const whose = kind === 'token' ? 'this token' : kind === 'workspace' ? 'this workspace' : 'you';
      return ownKey === true
        ? `The monthly cap of $${String(limit)} for ${whose} is reached, and it covers requests on your own keys too. Ask an owner or admin of your organization to raise it, or wait until it resets.`
        : `The monthly cap of $${String(limit)} for ${whose} does not cover this request. Ask an owner or admin of your organization to raise it, or wait until it resets.`;
    },
    details: ['subject', 'limit', 'resetsAt'],
  },
  token_not_active: {
    status: 409,
    message: 'This token is revoked, expired or already replaced. Create a new one.',
  },
  token_model_denied: {
    status: 403,
    message: 'This token may not be used for this model. Choose one that it allows, or use another token.',
  },
  provider_key_rejected: {
    status: 502,
    message: ({ provider }) =>
      provider === MODELS_ACCOUNT
        ? 'Unable to connect to the AI service. Verify that the key of your Models account is valid.'
        : `Unable to connect to the AI service. Verify that your organization ${provider} API key is valid.`,
  },
  provider_unavailable: {
    status: 502,
    message: 'The AI service returned an error. Try again shortly.',
    retryable: true,
  },
  provider_unreachable: {
    status: 502,
    message: ({ brokenOff, write }) =>
      brokenOff === true
        ? `The provider's answer was cut off. ${afterwards(write)}`
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
    message: "The provider's rate limit was reached. Wait a moment, then try again.",
    retryable: true,
  },
  provider_quota_exceeded: {
    status: 429,
    message: ({ provider }) =>
      `The ${provider} account that pays for this has no credit left. Check its plan and billing.`,
  },
  provider_request_too_large: {
    status: 413,
    message: ({ reason }) => `The request is too large for the provider: ${reason}`,
  },
  previous_response_not_found: { status: 400, message: ({ id }) => `Previous response with id '${id}' not found.` },
  response_not_found: { status: 404, message: ({ id }) => `Response with id '${id}' not found.` },
  provider_refused: { status: 400, message: ({ reason }) => `The provider refused the request: ${reason}` },
  context_length_exceeded: {
    status: 400,
    message: ({ reason }) => `The conversation is too long for this model: ${reason}`,
  },

  run_budget_exhausted: {
    status: 429,
    message: ({ budgetUsd }) =>
      `The run has used its budget of $${budgetUsd}. Split the objective, or ask your operator to raise SERVICE_RUN_BUDGET_CENTS.`,
  },
  run_takes_no_messages: {
    status: 409,
    message: ({ kind }) =>
      `A run of kind ${String(kind)} takes no messages while it works. Wait until it has ended, or abort it.`,
  },
  snapshot_gone: {
    status: 409,
    message:
      'The files of this run are no longer kept. Send the message without files to go on with its conversation alone.',
  },
  too_many_messages: {
    status: 429,
    message: ({ limit }) =>
      `This run was sent ${limit} messages, the most one run can have. Wait until it has ended, then answer it.`,
  },
  too_many_runs: {
    status: 429,
    message: ({ limit }) =>
      `You have ${limit} runs waiting, the most one person can have. Wait until some have started, or abort one.`,
    retryable: true,
  },
  invalid_schedule: {
    status: 400,
    message: ({ reason, minSeconds, timezone }) => {
      switch (reason) {
        case 'one_of':
          return 'A schedule has either cron with timezone, or every, or at. Send one of the three.';
        case 'fields':
          return 'A cron line has five fields: minute, hour, day of the month, month, day of the week. There are no seconds.';
        case 'not_cron':
          return 'The cron line cannot be read. Check each field: minute 0-59, hour 0-23, day 1-31, month 1-12, day of the week 0-7.';
        case 'never':
          return 'No day fits this cron line, such as 31 February. Change the day or the month.';
        case 'zone_missing':
          return 'A cron line needs the time zone that it is meant in, such as Europe/Berlin.';
        case 'zone_without_cron':
          return 'A time zone belongs to a cron line. Leave it out, or send cron.';
        case 'zone_unknown':
          return `There is no time zone ${String(timezone)}. Use a name such as Europe/Berlin or UTC.`;
        case 'too_short':
          return `The shortest interval here is ${String(minSeconds)} seconds.`;
        default:
          return 'The time has passed. Choose one that is still to come.';
      }
    },
  },
  too_many_schedules: {
    status: 429,
    message: ({ limit }) => `You have ${limit} schedules, the most one person can have. Delete one, then try again.`,
  },
  maker_required: {
    status: 403,
    message: 'Only the person who made this can do that. Owners and admins can pause and delete it.',
  },
  authority_lost: {
    status: 409,
    message:
      'What this was allowed to do has ended: its token or app was revoked, its account was closed, or the membership was removed. Turn it on again as a member, with a valid token.',
  },
  delivery_unverified: {
    status: 401,
    message:
      'Nothing was started: the signature does not fit. Check the address, the secret, and that the clock of the sender is right.',
  },
  delivery_refused: {
    status: 409,
    message: ({ code }) =>
      `The run of this delivery was refused (${code}). Once the reason is gone, deliver it again or replay it.`,
    retryable: true,
  },
  delivery_not_kept: {
    status: 409,
    message: 'What was delivered is no longer kept. Ask its sender to deliver it again.',
  },
  too_many_triggers: {
    status: 429,
    message: ({ limit }) => `This workspace has ${limit} triggers, the most it can have. Delete one first.`,
  },
  model_not_supported_for_runs: {
    status: 400,
    message: ({ model }) =>
      `Background runs use OpenAI, which does not offer the model '${model}'. Choose an OpenAI model.`,
  },

  thread_busy: {
    status: 409,
    message: 'An answer is still being generated in this thread. Wait for it to finish, or stop it.',
    retryable: true,
  },
  thread_changed: {
    status: 409,
    message: 'This thread has changed since you last read it. Read it again, then send your message.',
  },
  prompt_name_taken: {
    status: 409,
    message: ({ name }) => `A prompt named “${name}” already exists. Choose another name.`,
  },
  prompt_authority_required: {
    status: 403,
    message:
      'Only the person who made this prompt, and owners and admins of the workspace or the organization, can change it.',
  },
  too_many_prompts: {
    status: 409,
    message: ({ limit }) => `This workspace already has ${limit} prompts. Delete one, then try again.`,
  },
  recipe_name_taken: {
    status: 409,
    message: ({ name }) => `This workspace already has a recipe named “${name}”. Choose another name.`,
  },
  recipe_authority_required: {
    status: 403,
    message:
      'Only the person who made this recipe, and owners and admins of the workspace or the organization, can change it.',
  },
  too_many_recipes: {
    status: 409,
    message: ({ limit }) => `This workspace already has ${limit} recipes. Delete one, then try again.`,
  },
  environment_not_found: {
    status: 404,
    message: ({ environment }) =>
      `This workspace has no environment named “${environment}”, or you may not see it. GET /runtime/environments lists those that you see.`,
  },
  too_many_environments: {
    status: 409,
    message: ({ limit }) => `This workspace already has ${limit} environments. Delete one, then try again.`,
  },
  environment_secrets_not_configured: {
    status: 503,
    message:
      'This deployment cannot keep secrets of environments. Its operator must set SERVICE_CONNECTION_ENCRYPTION_KEY_B64, which encrypts them.',
  },
  environment_secret_lost: {
    status: 503,
    message: ({ environment, secret }) =>
      `The secret ${secret} of the environment “${environment}” can no longer be opened. Set it again, then start the run again.`,
  },
  too_many_models_accounts: {
    status: 409,
    message: ({ limit }) =>
      `There are ${limit} Models accounts already, the most there can be. Remove one, then try again.`,
  },
  setting_not_supported: {
    status: 400,
    message: 'This model does not take the effort or temperature that was set. Change it, or choose another model.',
  },
  too_many_versions: {
    status: 409,
    message: ({ limit }) => `This message has ${limit} versions, the most it can have. Delete one, then try again.`,
  },
  background_runs_unavailable: {
    status: 503,
    message: 'Background runs are not available on this deployment. Request a direct answer instead.',
  },
  runtime_unreachable: {
    status: 503,
    message: 'The runtime that starts background runs did not respond. Nothing was lost. Try again shortly.',
    retryable: true,
  },
  storage_full: {
    status: 413,
    message:
      "Your organization's storage is full. Delete conversations and project files that you no longer need, or ask your operator for more space.",
  },
  too_many_routes: {
    status: 409,
    message: ({ limit }) => `This organization has ${limit} routes, the most it can have. Delete one, then try again.`,
  },
  project_role_required: {
    status: 403,
    message: ({ needs }) =>
      needs === 'manage'
        ? 'Only the person who manages this project, and owners and admins of its workspace or the organization, can do that.'
        : 'This project is shared for use only. Ask the person who manages it to let you change it.',
  },
  project_still_managed: {
    status: 409,
    message: 'The person who manages this project is still in its workspace. It can be taken over once they have left.',
  },
  too_many_projects: {
    status: 409,
    message: ({ limit }) =>
      `There are ${limit} such projects in this workspace already, the most there can be. Delete one, then try again.`,
  },
  too_many_project_files: {
    status: 409,
    message: ({ limit }) => `This project has ${limit} files, the most it can have. Delete one, then try again.`,
  },
  import_too_large: {
    status: 413,
    message: ({ limitMib }) =>
      `The file is larger than ${limitMib} MiB, the most that can be imported at once. Unpack it and import its conversations.json, or ask your operator for a higher limit.`,
  },
  import_in_progress: {
    status: 409,
    message: 'Another import of yours has not ended yet. Wait for it to end, or cancel it.',
  },
  import_incomplete: { status: 409, message: 'Parts of the file are missing. Send them, then start the import.' },
  import_closed: { status: 409, message: 'This import no longer takes parts of a file. Begin a new one.' },
  import_format_unknown: {
    status: 422,
    message:
      'There are no conversations of ChatGPT, Claude or LibreChat in this file. Choose the ZIP file or the JSON file that the export gave you.',
  },
  file_type_unsupported: {
    status: 415,
    message:
      'The text of this file type cannot be read. Add a PDF, an Office document (DOCX, XLSX, PPTX, ODT, ODS, ODP) or UTF-8 text.',
  },
  attachment_type_unsupported: {
    status: 415,
    message:
      'This file type is not supported. Attach images (PNG, JPEG, GIF, WebP), PDF documents, Office documents (DOCX, XLSX, PPTX, ODT, ODS, ODP) or UTF-8 text.',
  },
  file_damaged: {
    status: 422,
    message:
      'This file is damaged and cannot be read. Open it in the app that created it, save a copy and upload that.',
  },
  file_encrypted: {
    status: 422,
    message: 'This file is protected by a password. Save a copy without the password and try that.',
  },
  file_without_text: {
    status: 422,
    message:
      'This file has no text; it may be a scan or have only pictures. Run text recognition (OCR) on it first, or attach its pages as images.',
  },
  file_too_complex: {
    status: 413,
    message:
      'This file is too large to read once it is unpacked. Save the part you need as a smaller file and try that.',
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
  push_not_allowed: {
    status: 403,
    message: ({ connection }) =>
      `Runs may not push through the connection ${String(connection)}. An owner or admin allows it in the connection's settings.`,
  },
  header_not_allowed: {
    status: 400,
    error: ({ header }) => `header '${header}' is not allowed`,
    message: 'Remove this header: the service sets the headers that the provider needs.',
  },
  repository_not_selected: {
    status: 403,
    message: 'This connection is limited to selected repositories, and this call targets none of them.',
  },
  provider_response_too_large: {
    status: 502,
    message:
      "The provider's response is larger than 5 MiB. Request less: a smaller page, fewer fields or a narrower filter.",
  },
  provider_response_unreadable: {
    status: 502,
    message: "The provider's response uses an encoding that is not supported.",
  },
  provider_redirect_refused: {
    status: 502,
    message: 'The provider responded with a redirect, which is not followed. Request the resource it points to.',
  },
  provider_site_not_found: {
    status: 502,
    message: 'The connected account has no site for this product. Reconnect with an account that has one.',
  },
  reconnect_required: {
    status: 502,
    message: 'The provider no longer accepts this connection. Reconnect it, then try again.',
  },

  subscriptions_not_configured: {
    status: 503,
    message:
      'Nothing can be subscribed to here. Ask your operator to set SERVICE_CONNECTION_ENCRYPTION_KEY_B64, which encrypts the secrets.',
  },
  subscription_disabled: {
    status: 409,
    message: 'This subscription is turned off. Turn it on, then send the message again.',
  },
  too_many_subscriptions: {
    status: 429,
    message: ({ limit }) => `There are ${limit} subscriptions here, the most there can be. Delete one, then try again.`,
  },

  sandbox_unavailable: {
    status: 503,
    message: ({ reason, fix }) => `Runs are not possible here: ${reason}. To fix it: ${fix}.`,
  },
  sandbox_full: {
    status: 503,
    message: 'The sandbox limit is reached. Try again shortly.',
    retryable: true,
  },
  sandbox_not_found: { status: 404, message: 'The sandbox does not exist. Its lease may have ended.' },
  idempotency_conflict: {
    status: 409,
    message: 'This idempotency key was already used with a different body. Use a new key.',
  },
  sandbox_disk_full: { status: 507, message: "The sandbox's disk is full." },

  receipt_chain_invalid: {
    status: 409,
    error: ({ stream, reason, index }) =>
      `Service runtime refused to replay invalid chain for stream '${stream}': ${reason} at index ${index}`,
    message: 'The receipts stored for this stream no longer verify. Compare them with an export or a checkpoint.',
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
/** Temporary errors that are no one's mistake; they are answered with `unavailable`, without their own text. */
const passing = new WeakSet();

/** Set by the code that caught the error first and knows what it means. */
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
