// The floors of the house: a file may import from its own room and from rooms on lower floors, nothing else.
// ARCHITECTURE.md draws the same table; check-floors.ts holds the code to it.
export const FLOORS = {
  12: ['entry'],
  11: ['http', 'engines'],
  10: ['scim'],
  9: ['threads', 'leaving'],
  8: ['documents', 'mail'],
  7: ['turns', 'tools', 'runs', 'gateway', 'stack'],
  6: ['enforcement', 'connections', 'keys', 'audit', 'stored-responses'],
  5: [
    'receipts',
    'catalog',
    'model-providers',
    'nango',
    'broker',
    'sandbox',
    'tenancy',
    'identity',
    'postgres',
    'runtime-client',
    'clouds',
    'subscriptions',
  ],
  4: ['store'],
  3: ['process'],
  2: ['net', 'telemetry'],
  1: ['base', 'contract', 'timing'],
} as const;

/** Floors inside a room, under the same rule; '.' stands for the files that lie in the room itself. */
export const INNER_FLOORS: Readonly<Record<string, Readonly<Record<number, readonly string[]>>>> = {
  http: {
    4: ['.'],
    3: ['reference'],
    2: ['web', 'v1', 'runtime', 'mcp', 'oauth', 'scim', 'broker', 'sandbox'],
    1: ['shell'],
  },
  broker: {
    5: ['.'],
    4: ['store'],
    3: ['core'],
    2: ['streams', 'client'],
    1: ['protocol'],
  },
};

/** Rooms outside src/ and the only rooms of src/ they may look into. */
export const OUTSIDE = {
  web: ['contract'],
  cli: ['contract'],
  'stand-ins/models': ['base', 'net', 'telemetry', 'catalog'],
  'stand-ins/mail': [],
  'stand-ins/nango': ['base', 'net', 'telemetry', 'catalog', 'store'],
} as const;

/** The only room of src/ that may look into the stand-ins: it starts them as processes of their own. */
export const STARTS_STAND_INS = 'entry';

/** Runs when the pages are built: it writes the routes that they call, without their schemas. */
export const BUILDS_ROUTES = 'web/contract-routes-plugin.ts';

/** The folders of web/, the highest first. What lies in web/ itself, such as the router, stands above them all. */
export const WEB_FLOORS = ['routes', 'shell', 'features', 'installed', 'session', 'kit', 'api', 'language'] as const;

/** Every feature of web/ and which others it may import. Arrows go to features further down, so there is no circle. */
export const FEATURE_ARROWS = {
  access: ['account', 'mcp-gateway'],
  account: ['chat', 'imports'],
  chat: ['imports', 'feedback', 'projects', 'prompts', 'runs', 'mcp-gateway', 'integrations', 'models-and-keys'],
  feedback: ['projects', 'models-and-keys'],
  projects: ['models-and-keys'],
  subscriptions: ['runs'],
  schedules: ['runs', 'integrations', 'models-and-keys'],
  triggers: ['runs', 'integrations', 'models-and-keys'],
  runs: ['integrations', 'receipts', 'models-and-keys'],
  'mcp-gateway': ['integrations', 'receipts', 'workspaces', 'models-and-keys'],
  receipts: ['integrations'],
  integrations: [],
  workspaces: ['people'],
  people: ['policies'],
  guardrails: ['policies'],
  plan: ['models-and-keys'],
  'models-and-keys': ['policies'],
  policies: [],
  imports: [],
  prompts: [],
  settings: [],
  reference: [],
} as const satisfies Record<string, readonly string[]>;

/**
 * The rooms from which the service calls out over HTTP; `entry` sends figures to the collector that the operator names, `net`
 * says only how a connection to an address of a person is made.
 */
export const CALLS_OUT = [
  'net',
  'identity',
  'model-providers',
  'nango',
  'tools',
  'gateway',
  'broker',
  'stack',
  'sandbox',
  'runtime-client',
  'clouds',
  'subscriptions',
  'entry',
] as const;

/** The one file that reads the environment of the process. */
export const READS_ENVIRONMENT = 'src/base/config.ts';

/** The room that the functions of a file in migrations/functions belong to. */
export const FUNCTION_ROOMS: Readonly<Record<string, string>> = {
  broker: 'broker',
  chat: 'enforcement',
  jobs: 'runs',
  notices: 'store',
  receipts: 'receipts',
  spend: 'enforcement',
  storage: 'enforcement',
  subscriptions: 'subscriptions',
  threads: 'threads',
  tenancy: 'tenancy',
};

/**
 * The rooms that may name a table of the database, its owner first. Where another room must write what the owner
 * promises, it calls the owner's function.
 */
export const TABLES: Readonly<Record<string, readonly string[]>> = {
  identity_user: ['identity', 'tenancy', 'leaving', 'mail', 'scim', 'runs'],
  identity_session: ['identity', 'tenancy', 'leaving'],
  identity_account: ['identity'],
  identity_verification: ['identity'],
  identity_device_code: ['identity'],
  identity_link: ['identity'],
  openid_used: ['identity'],
  identity_passkey: ['identity'],
  identity_one_time_code: ['identity'],
  identity_recovery_code: ['identity'],
  identity_challenge: ['identity'],
  // Which organizations ask a session for a second factor, and whose the thing of an id is: views.
  second_factor_demand: ['identity', 'tenancy'],
  place_of_id: ['identity'],
  oauth_client: ['identity'],
  oauth_request: ['identity'],
  oauth_grant: ['identity', 'runs'],
  oauth_code: ['identity'],
  oauth_refresh_token: ['identity'],
  oauth_access_token: ['identity', 'runs'],
  organization: ['tenancy', 'turns', 'connections', 'enforcement', 'leaving', 'scim', 'runs'],
  organization_member: ['tenancy', 'turns', 'threads', 'runs', 'leaving', 'scim'],
  // Who may act as a member: everything that decides access reads this view.
  acting_member: ['tenancy', 'turns', 'threads', 'runs', 'subscriptions', 'leaving'],
  workspace: ['tenancy', 'turns', 'documents', 'threads', 'connections', 'keys', 'engines', 'runs', 'scim'],
  workspace_member: ['tenancy', 'scim'],
  // Who is in which workspace: other rooms ask this view.
  member_workspace: [
    'tenancy',
    'audit',
    'stored-responses',
    'turns',
    'documents',
    'threads',
    'runs',
    'subscriptions',
    'leaving',
  ],
  signup_credit_grant: ['tenancy'],
  invitation: ['tenancy', 'scim'],
  scim_token: ['scim'],
  scim_user: ['scim'],
  scim_group: ['scim'],
  erasure: ['leaving', 'scim'],
  operator_act: ['leaving', 'http'],
  mail: ['mail'],
  connect_token: ['tenancy', 'enforcement', 'runs', 'leaving'],
  connect_token_short: ['tenancy'],
  connect_token_use: ['tenancy', 'leaving'],
  removed_name: ['tenancy'],
  migration: ['store'],
  migration_function: ['store'],
  process: ['store', 'broker', 'enforcement'],
  receipt: ['receipts'],
  // Where each receipt is found; searches by people ask it.
  receipt_entry: ['receipts', 'audit'],
  receipt_head: ['receipts'],
  receipt_checkpoint: ['receipts', 'entry'],
  receipt_checkpoint_head: ['receipts'],
  org_policy: ['enforcement', 'keys', 'stored-responses', 'turns', 'threads'],
  org_budget: ['enforcement', 'turns'],
  org_storage: ['enforcement'],
  job_storage: ['enforcement'],
  chat_version: ['enforcement', 'turns'],
  chat_rate: ['enforcement'],
  chat_rate_slot: ['enforcement'],
  chat_hold: ['enforcement'],
  usage_day: ['enforcement'],
  spend_day: ['enforcement'],
  spend_month: ['enforcement'],
  spend_trend: ['enforcement'],
  spend_rolled: ['enforcement'],
  spend_cap: ['enforcement', 'leaving'],
  request_log: ['enforcement'],
  request_log_rest: ['enforcement'],
  platform_month: ['enforcement'],
  guardrail_group: ['enforcement'],
  guardrail_version: ['enforcement'],
  org_provider_api_key: ['keys', 'turns'],
  models_account: ['keys', 'turns'],
  model_route: ['turns'],
  // The doctor opens a few of them to see whether the key is the right one.
  org_connection_secret: ['connections', 'entry', 'engines', 'runs'],
  connection_policy: ['connections'],
  connection_removed: ['connections'],
  connection_digest_key: ['connections'],
  chat_thread: ['threads', 'leaving'],
  chat_message: ['threads'],
  chat_message_version: ['threads'],
  chat_message_search: ['threads'],
  chat_feedback: ['threads'],
  chat_share: ['threads'],
  chat_share_message: ['threads'],
  chat_import: ['threads', 'leaving'],
  chat_import_piece: ['threads', 'enforcement'],
  chat_import_item: ['threads'],
  chat_imported: ['threads'],
  chat_stream: ['threads'],
  chat_stream_chunk: ['threads'],
  chat_attachment: ['documents', 'threads', 'leaving'],
  chat_attachment_piece: ['documents', 'threads'],
  project: ['documents', 'threads', 'tenancy', 'leaving'],
  project_file: ['documents'],
  project_file_content: ['documents', 'leaving'],
  project_piece: ['documents', 'threads'],
  prompt: ['threads'],
  custom_instructions: ['threads'],
  stored_response: ['stored-responses', 'entry'],
  job: ['runs', 'engines', 'audit', 'leaving'],
  standing_run: ['runs', 'leaving'],
  run_mail: ['runs'],
  run_message: ['runs'],
  subscription: ['subscriptions'],
  subscription_delivery: ['subscriptions'],
  run_trigger: ['runs', 'entry'],
  trigger_secret: ['runs'],
  trigger_delivery: ['runs'],
  schedule: ['runs', 'leaving'],
  schedule_firing: ['runs'],
  recipe: ['runs', 'leaving'],
  environment: ['runs'],
  environment_secret: ['runs'],
  environment_setup: ['runs'],
  broker_origin: ['broker'],
  broker_promise: ['broker'],
  broker_task: ['broker'],
  broker_awaiter: ['broker'],
  broker_listener: ['broker'],
  broker_unblock: ['broker'],
  broker_replica: ['broker'],
  broker_stream: ['broker'],
};
