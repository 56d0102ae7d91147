// Every metric of the service in one table: the registries are built from it and docs/operators/monitoring.md prints
// it. Each label has a bounded set of values: route patterns, catalogue models, roles, codes. Where OpenTelemetry has a
// convention for generative AI, the metric uses its name and labels and is exported under it.

/** The kind of process. `worker` is every role of the runtime except the api: driver and workers. */
export type MetricPart = 'gateway' | 'web' | 'api' | 'worker' | 'broker' | 'sandbox';

export interface MetricRow {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  readonly parts: readonly MetricPart[];
  /** Upper bounds of a histogram's buckets. */
  readonly bounds?: readonly number[];
  /** Its name and unit in the convention. */
  readonly convention?: { readonly name: string; readonly unit: string };
}

const SERVERS = ['gateway', 'web', 'api', 'broker', 'sandbox'] as const;
const SURFACES = ['web', 'api'] as const;
/** Processes that call model providers. */
const CALLERS = ['web', 'worker'] as const;
const WITH_DATABASE = ['web', 'api', 'worker', 'broker'] as const;

const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const LAG_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 60, 120, 300, 900, 3600];
const STATEMENT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
/** Required by the convention. */
const OPERATION_SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864];

const OPERATION = ['gen_ai_operation_name', 'gen_ai_provider_name', 'gen_ai_request_model'] as const;

export const METRICS = {
  service_build_info: {
    type: 'gauge',
    help: 'The running build.',
    labels: ['version', 'role', 'build'],
    parts: ['gateway', 'web', 'api', 'worker', 'broker', 'sandbox'],
  },

  service_http_requests_total: {
    type: 'counter',
    help: 'HTTP requests answered. At the gateway, the route is the path prefix of a service.',
    labels: ['method', 'route', 'status'],
    parts: SERVERS,
  },
  service_http_request_duration_seconds: {
    type: 'histogram',
    help: 'Time until the response begins.',
    labels: ['method', 'route'],
    parts: SERVERS,
    bounds: REQUEST_SECONDS,
  },
  service_http_requests_open: {
    type: 'gauge',
    help: 'Requests in progress, including streams.',
    labels: [],
    parts: SERVERS,
  },
  service_requests_total: {
    type: 'counter',
    help: 'Requests by surface and outcome: ok, refused (4xx), failed (5xx), left (the client disconnected before the response was complete).',
    labels: ['surface', 'outcome'],
    parts: SURFACES,
  },
  service_refusals_total: {
    type: 'counter',
    help: 'Requests answered with an error, by error code.',
    labels: ['surface', 'code'],
    parts: SURFACES,
  },
  service_admission_wait_seconds: {
    type: 'histogram',
    help: 'Time requests waited for a slot, by the cost of their route. Requests that did not wait are not counted.',
    labels: ['cost'],
    parts: SURFACES,
    bounds: REQUEST_SECONDS,
  },

  service_trigger_deliveries_total: {
    type: 'counter',
    help: 'Deliveries to triggers, by source and outcome: started, filter, duplicate, paused, refused (the run was), challenge, unverified (no valid signature; the source is `unknown` where there is no such trigger).',
    labels: ['source', 'outcome'],
    parts: ['api'],
  },
  service_schedule_firings_total: {
    type: 'counter',
    help: 'Planned times of schedules, by what became of them: started, skipped or refused.',
    labels: ['outcome'],
    parts: ['api'],
  },
  service_schedule_lag_seconds: {
    type: 'histogram',
    help: 'Time from a planned time until its run was recorded. Those planned for the same time are up to 40 s apart.',
    labels: [],
    parts: ['api'],
    bounds: LAG_SECONDS,
  },

  service_mails_total: {
    type: 'counter',
    help: 'Tries to deliver mail, by kind of mail and outcome: sent, retried (not taken yet), given-up (refused, or not taken within a day).',
    labels: ['kind', 'outcome'],
    parts: ['worker'],
  },
  service_mails_waiting: {
    type: 'gauge',
    help: 'Mail that waits to be delivered.',
    labels: [],
    parts: ['api'],
  },
  service_mail_oldest_waiting_seconds: {
    type: 'gauge',
    help: 'Age of the oldest mail that waits to be delivered; 0 if none does.',
    labels: [],
    parts: ['api'],
  },

  service_turns_total: {
    type: 'counter',
    help: 'Chat turns, for a route each model that was called, and model calls of runs: answered, refused (no provider was called), failed (the provider failed), broken (the answer broke off), left (the client disconnected).',
    labels: ['surface', 'outcome'],
    parts: CALLERS,
  },
  service_tokens_total: {
    type: 'counter',
    help: 'Tokens settled, by direction (input, output) and by the credential that paid: platform, own-key, models-account.',
    labels: ['provider', 'model', 'credential', 'direction'],
    parts: CALLERS,
  },
  service_cost_usd_total: {
    type: 'counter',
    help: "What model calls cost, in dollars: on platform credit what was charged, otherwise by the catalogue's prices.",
    labels: ['provider', 'model', 'credential'],
    parts: CALLERS,
  },
  service_provider_errors_total: {
    type: 'counter',
    help: 'Failed calls to model providers, by code.',
    labels: ['provider', 'code'],
    parts: CALLERS,
  },
  gen_ai_client_operation_duration_seconds: {
    type: 'histogram',
    help: 'Duration of a call to a model provider, to its last byte.',
    labels: [...OPERATION, 'error_type'],
    parts: CALLERS,
    bounds: OPERATION_SECONDS,
    convention: { name: 'gen_ai.client.operation.duration', unit: 's' },
  },
  gen_ai_client_operation_time_to_first_chunk_seconds: {
    type: 'histogram',
    help: "Time until the first piece of a model provider's answer.",
    labels: OPERATION,
    parts: CALLERS,
    bounds: OPERATION_SECONDS,
    convention: { name: 'gen_ai.client.operation.time_to_first_chunk', unit: 's' },
  },
  gen_ai_client_token_usage: {
    type: 'histogram',
    help: 'Tokens per call to a model provider.',
    labels: [...OPERATION, 'gen_ai_token_type'],
    parts: CALLERS,
    bounds: TOKENS,
    convention: { name: 'gen_ai.client.token.usage', unit: '{token}' },
  },
  gen_ai_server_request_duration_seconds: {
    type: 'histogram',
    help: 'Duration of a turn as seen by the client, to the last byte: checks and provider.',
    labels: [...OPERATION, 'error_type'],
    parts: CALLERS,
    bounds: OPERATION_SECONDS,
    convention: { name: 'gen_ai.server.request.duration', unit: 's' },
  },
  gen_ai_server_time_to_first_token_seconds: {
    type: 'histogram',
    help: 'Time to the first part of an answer as seen by the client: checks and provider.',
    labels: OPERATION,
    parts: CALLERS,
    bounds: OPERATION_SECONDS,
    convention: { name: 'gen_ai.server.time_to_first_token', unit: 's' },
  },
  service_holds_open: {
    type: 'gauge',
    help: 'Unsettled reservations of platform credit, across all processes.',
    labels: [],
    parts: ['api'],
  },
  service_spend_caps: {
    type: 'gauge',
    labels: ['state'],
    parts: ['api'],
    help: 'Monthly caps of members, workspaces and tokens: below 80 per cent of the limit (`open`), from there on (`near`), and at the limit (`reached`).',
  },
  service_holds_open_usd: {
    type: 'gauge',
    help: 'Total amount of unsettled reservations, in dollars.',
    labels: [],
    parts: ['api'],
  },
  service_platform_month_spent_usd: {
    type: 'gauge',
    help: 'Platform credit used by all organizations in this calendar month (UTC).',
    labels: [],
    parts: ['api'],
  },
  service_platform_month_limit_usd: {
    type: 'gauge',
    help: 'SERVICE_PLATFORM_MONTHLY_LIMIT_USD; NaN when not set.',
    labels: [],
    parts: ['api'],
  },

  service_database_up: { type: 'gauge', help: '1 while the database answers.', labels: [], parts: ['api'] },
  service_database_latency_seconds: {
    type: 'gauge',
    help: 'Round trip of the last health check.',
    labels: [],
    parts: ['api'],
  },
  service_database_pool_connections: {
    type: 'gauge',
    help: 'Connections of this process: the maximum, those in use, and callers waiting for one.',
    labels: ['state'],
    parts: WITH_DATABASE,
  },
  service_database_pool_waits_total: {
    type: 'counter',
    help: 'Callers that had to wait because every connection of the pool was in use.',
    labels: [],
    parts: WITH_DATABASE,
  },
  service_database_statement_duration_seconds: {
    type: 'histogram',
    help: 'Duration of a database statement, including the wait for a connection.',
    labels: ['result'],
    parts: WITH_DATABASE,
    bounds: STATEMENT_SECONDS,
  },

  service_jobs: {
    type: 'gauge',
    help: 'Background runs by status; finished ones from the last 24 hours.',
    labels: ['status'],
    parts: ['api'],
  },
  service_jobs_oldest_queued_seconds: {
    type: 'gauge',
    help: 'How long the oldest queued run has waited; 0 when none is queued.',
    labels: [],
    parts: ['api'],
  },
  service_receipts_appended_total: {
    type: 'counter',
    help: 'Receipts in the log, across all processes.',
    labels: [],
    parts: ['api'],
  },
  service_receipt_streams: { type: 'gauge', help: 'Receipt streams.', labels: [], parts: ['api'] },
  service_receipt_checkpoint_timestamp_seconds: {
    type: 'gauge',
    help: 'Time of the last checkpoint over all streams.',
    labels: [],
    parts: ['api'],
  },
  service_receipt_chains_broken: {
    type: 'gauge',
    help: 'Unfinished runs whose receipt chain does not verify. They are not executed.',
    labels: [],
    parts: ['api'],
  },
  service_processes: {
    type: 'gauge',
    help: 'Processes by role and state, from the process table.',
    labels: ['role', 'state'],
    parts: ['api'],
  },
  service_role_resident_memory_bytes: {
    type: 'gauge',
    help: 'Resident memory of all processes of a role.',
    labels: ['role'],
    parts: ['api'],
  },

  service_broker_leases: {
    type: 'gauge',
    help: 'Tasks held by processes, across all replicas of the broker.',
    labels: [],
    parts: ['broker'],
  },
  service_broker_replicas: {
    type: 'gauge',
    help: 'Live replicas of the broker.',
    labels: [],
    parts: ['broker'],
  },
  service_broker_streams: {
    type: 'gauge',
    help: 'Connected processes, by group.',
    labels: ['group'],
    parts: ['broker'],
  },
  service_broker_tasks_waiting: {
    type: 'gauge',
    help: 'Waiting tasks, by group and by reason.',
    labels: ['group', 'reason'],
    parts: ['broker'],
  },
  service_broker_oldest_waiting_seconds: {
    type: 'gauge',
    help: 'How long the oldest waiting task has waited; 0 when none is waiting.',
    labels: [],
    parts: ['broker'],
  },

  service_sandboxes_open: { type: 'gauge', help: 'Open sandboxes of this controller.', labels: [], parts: ['sandbox'] },
  service_sandboxes_max: { type: 'gauge', help: 'SERVICE_SANDBOX_MAX.', labels: [], parts: ['sandbox'] },

  service_gateway_refusals_total: {
    type: 'counter',
    help: 'Requests that the gateway answered itself, by reason.',
    labels: ['reason'],
    parts: ['gateway'],
  },
  service_gateway_event_streams_open: {
    type: 'gauge',
    help: 'Event streams currently passing through the gateway.',
    labels: [],
    parts: ['gateway'],
  },
} as const satisfies Record<string, MetricRow>;

export type MetricName = keyof typeof METRICS;
