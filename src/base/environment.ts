// Every environment variable the service reads, in one table. `servicectl env`, the documentation and the parser in
// config.ts are all derived from it; a variable that is not listed here has no effect.

interface Common {
  readonly help: string;
  readonly group: Group;
  /** Never printed, logged, or passed to a process that does not need it. */
  readonly secret?: true;
  /** Not trimmed: surrounding blanks are part of the value. */
  readonly exact?: true;
}

export type Group =
  | 'Process'
  | 'Addresses'
  | 'Storage'
  | 'Identity'
  | 'Chat'
  | 'Provider keys'
  | 'Integrations'
  | 'Gateway'
  | 'Runtime'
  | 'Diagnostics';

/**
 * `shown`: its value may be in a support bundle. Only kinds whose values cannot be a secret, a name or an address have
 * the column; of every other variable a bundle says only whether it is set.
 */
export type Variable = Common &
  (
    | { readonly kind: 'text'; readonly default?: string }
    | { readonly kind: 'path'; readonly default?: string }
    /** A final slash is dropped, unless it is part of a name. */
    | {
        readonly kind: 'url';
        readonly default?: string;
        readonly off?: true;
        readonly unix?: true;
        readonly keepSlash?: true;
      }
    /** With `hosts`, several separated by commas. */
    | { readonly kind: 'postgres-url'; readonly hosts?: true }
    | { readonly kind: 'redis-url' }
    | { readonly kind: 'smtp-url'; readonly off: true }
    | { readonly kind: 'mail-address' }
    | { readonly kind: 'key32' }
    | { readonly kind: 'networks' }
    | { readonly kind: 'origins' }
    | { readonly kind: 'domains' }
    | { readonly kind: 'email' }
    | { readonly kind: 'identifier' }
    | { readonly kind: 'segment'; readonly default: string }
    | { readonly kind: 'switch'; readonly default: boolean; readonly shown?: true }
    /** On only when the value is the single character 1. For switches that weaken security. */
    | { readonly kind: 'exactly-1'; readonly default: false; readonly exact: true; readonly shown?: true }
    | { readonly kind: 'port'; readonly default: number; readonly shown?: true }
    | {
        readonly kind: 'integer';
        readonly default?: number;
        readonly min: number;
        readonly max: number;
        readonly shown?: true;
      }
    /** To the cent. */
    | { readonly kind: 'dollars'; readonly max: number }
    | { readonly kind: 'choice'; readonly oneOf: readonly string[]; readonly default: string; readonly shown?: true }
  );

export const ENVIRONMENT = {
  SERVICE_PROCESS_ROLE: {
    group: 'Process',
    kind: 'text',
    exact: true,
    help: 'Runtime role of the process: api, driver, worker-chat, worker-control or worker-codex. Absent or empty means api; any other value, including one of these with blanks around it, resolves to the role all, which binds no port and registers no functions.',
  },
  SERVICE_DATA_DIR: {
    group: 'Process',
    kind: 'path',
    help: 'Tenant key and working directory: its resolved path names the database schema; worker packets (packets/: which runs a worker is busy with), artifacts, checkpoints and, under npm start, logs live in it. Overrides DATA_DIR.',
  },
  DATA_DIR: {
    group: 'Process',
    kind: 'path',
    default: '.data',
    help: 'Data directory when SERVICE_DATA_DIR is not set.',
  },
  SERVICE_LOG_LEVEL: {
    group: 'Process',
    kind: 'choice',
    shown: true,
    oneOf: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    default: 'info',
    help: 'Minimum severity of log lines.',
  },
  SERVICE_MODEL_SILENCE_SECONDS: {
    group: 'Process',
    kind: 'integer',
    shown: true,
    default: 600,
    min: 1,
    max: 1_800,
    help: 'Seconds that a model may be silent before a request to it is refused with provider_timeout: before its answer begins, or between two pieces of it. An answer that is not streamed counts as silence until it is complete. The gateway waits a minute longer.',
  },
  SERVICE_DRAIN_SECONDS: {
    group: 'Process',
    kind: 'integer',
    shown: true,
    default: 25,
    min: 0,
    max: 3_600,
    help: 'Seconds for which answers in progress may finish once a process is asked to stop. Whatever ends processes (systemd, Compose, Kubernetes) has to wait 15 seconds longer. With npm start: 3.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    group: 'Process',
    kind: 'url',
    help: 'OpenTelemetry collector (OTLP over HTTP) that receives traces. Unset: no traces.',
  },

  SERVICE_PUBLIC_URL: {
    group: 'Addresses',
    kind: 'url',
    help: 'Public base URL of the gateway origin. Passkeys belong to its host name: with another one they are lost. Default: http://localhost:<gateway port>.',
  },
  SERVICE_LISTEN_HOST: {
    group: 'Addresses',
    kind: 'text',
    help: 'Address that each part binds, for example 0.0.0.0 in a container. Default: the loopback addresses only.',
  },
  SERVICE_GATEWAY_PORT: {
    group: 'Addresses',
    kind: 'port',
    shown: true,
    default: 4000,
    help: 'Port of the gateway, the one public origin.',
  },
  SERVICE_WEB_PORT: { group: 'Addresses', kind: 'port', shown: true, default: 4001, help: 'Port of the web server.' },
  SERVICE_RUNTIME_PORT: {
    group: 'Addresses',
    kind: 'port',
    shown: true,
    default: 4002,
    help: 'Port of the runtime in the api role.',
  },
  SERVICE_BROKER_PORT: { group: 'Addresses', kind: 'port', shown: true, default: 4003, help: 'Port of the broker.' },
  SERVICE_METRICS_PORT: {
    group: 'Addresses',
    kind: 'integer',
    shown: true,
    min: 1024,
    max: 65_500,
    help: 'First metrics port of the processes without a private port of their own: the gateway uses this port, the sandbox controller the next, then driver, worker-chat, worker-control and worker-codex. Unset: they serve no metrics. The web server, the api role and the broker serve /metrics on their own ports.',
  },
  SERVICE_LOCAL_INTEGRATIONS_PORT: {
    group: 'Addresses',
    kind: 'port',
    shown: true,
    default: 3003,
    help: 'Port of the local integration provider. With npm start: 3003 and 3009 when both are free, else the gateway port plus 4 and 5.',
  },
  SERVICE_LOCAL_INTEGRATIONS_CONNECT_PORT: {
    group: 'Addresses',
    kind: 'port',
    shown: true,
    default: 3009,
    help: "Port of the local integration provider's Connect UI.",
  },
  SERVICE_POSTGRES_PORT: {
    group: 'Addresses',
    kind: 'port',
    shown: true,
    default: 4006,
    help: 'Port of the embedded PostgreSQL. With npm start: the gateway port plus 6 when free, else any free port.',
  },
  SERVICE_DEMO_PROVIDERS_PORT: {
    group: 'Addresses',
    kind: 'port',
    shown: true,
    default: 4007,
    help: 'Port of the demo model providers. With npm start: the gateway port plus 7 when free, else any free port.',
  },
  SERVICE_LOCAL_MAILBOX_PORT: {
    group: 'Addresses',
    kind: 'port',
    shown: true,
    default: 4008,
    help: 'Port of the page of the local mailbox. With npm start: the gateway port plus 8 when free, else any free port.',
  },
  SERVICE_LOCAL_MAILBOX_SMTP_PORT: {
    group: 'Addresses',
    kind: 'port',
    shown: true,
    default: 4009,
    help: 'Port on which the local mailbox takes mail. With npm start: the gateway port plus 9 when free, else any free port.',
  },
  SERVICE_WEB_URL: {
    group: 'Addresses',
    kind: 'url',
    help: 'Where the other parts reach the web server. Default: http://127.0.0.1:<web port>.',
  },
  SERVICE_RUNTIME_URL: {
    group: 'Addresses',
    kind: 'url',
    help: 'Where the other parts reach the runtime. Default: http://127.0.0.1:<runtime port>.',
  },
  SERVICE_BROKER_URL: {
    group: 'Addresses',
    kind: 'url',
    help: 'Where the roles reach the broker. When set, npm start runs no broker of its own. Default: http://127.0.0.1:<broker port>.',
  },
  SERVICE_SANDBOX_URL: {
    group: 'Addresses',
    kind: 'url',
    unix: true,
    help: 'Where workers reach the sandbox controller, as an http URL or unix:<socket path>. Default: the socket sandbox.sock in the data directory.',
  },

  SERVICE_UPSTREAM_DB: {
    group: 'Storage',
    kind: 'postgres-url',
    hosts: true,
    secret: true,
    help: 'PostgreSQL connection string; the only place it is read from. With several hosts (host:port,host:port), connections go to the one that is the primary. When set, npm start runs no PostgreSQL of its own.',
  },
  SERVICE_DB_SCHEMA: {
    group: 'Storage',
    kind: 'identifier',
    help: 'Database schema. Default: service_data_ and the first 24 hexadecimal characters of the SHA-256 of the resolved data directory.',
  },
  SERVICE_DB_POOL_MAX: {
    group: 'Storage',
    kind: 'integer',
    shown: true,
    min: 1,
    max: 200,
    default: 2,
    help: 'Database connections per process, not counting one that listens for changes.',
  },
  SERVICE_RECEIPT_CHECKPOINT_SECONDS: {
    group: 'Storage',
    kind: 'integer',
    shown: true,
    min: 1,
    max: 86_400,
    default: 300,
    help: 'Seconds between checkpoints over all receipt streams.',
  },

  AUTH_SECRET: {
    group: 'Identity',
    kind: 'text',
    secret: true,
    help: 'Signs sessions; also signs connect tokens when SERVICE_CONNECT_JWT_SECRET is not set.',
  },
  SERVICE_CONNECT_JWT_SECRET: {
    group: 'Identity',
    kind: 'text',
    secret: true,
    help: 'HS256 secret of connect tokens. Falls back to AUTH_SECRET.',
  },
  SERVICE_SIGN_UP: {
    group: 'Identity',
    kind: 'choice',
    shown: true,
    oneOf: ['open', 'invited', 'closed'],
    default: 'open',
    help: 'Who may create an account. open: anyone who can reach the public address. invited: anyone with the link of an open invitation to their email address. closed: no one.',
  },
  SERVICE_NEW_ORGANIZATIONS: {
    group: 'Identity',
    kind: 'choice',
    shown: true,
    oneOf: ['anyone', 'operator'],
    default: 'anyone',
    help: 'Who may create an organization: anyone with an account, or only an operator using servicectl admin organization.',
  },
  SERVICE_OIDC_ISSUER: {
    group: 'Identity',
    kind: 'url',
    keepSlash: true,
    help: 'Issuer of the OpenID provider that people sign in with, exactly as its discovery document names it. Needs SERVICE_OIDC_CLIENT_ID and SERVICE_OIDC_CLIENT_SECRET. http only for a loopback address or with SERVICE_ALLOW_PRIVATE_URLS.',
  },
  SERVICE_OIDC_CLIENT_ID: {
    group: 'Identity',
    kind: 'text',
    help: 'Client id of this deployment at the OpenID provider.',
  },
  SERVICE_OIDC_CLIENT_SECRET: {
    group: 'Identity',
    kind: 'text',
    secret: true,
    help: 'Client secret of this deployment at the OpenID provider.',
  },
  SERVICE_OIDC_NAME: {
    group: 'Identity',
    kind: 'text',
    help: 'What people call the OpenID provider: the sign-in page says “Continue with” and this name. Default: the host of the issuer.',
  },
  SERVICE_OIDC_ALLOWED_DOMAINS: {
    group: 'Identity',
    kind: 'domains',
    help: 'Domains of the email addresses that may sign in through the OpenID provider, such as example.com,example.org. Unset: everyone whom the provider knows. Required for a provider with which anyone can have an account, such as Google.',
  },
  SERVICE_OIDC_ONLY: {
    group: 'Identity',
    kind: 'switch',
    shown: true,
    default: false,
    help: 'Whether people sign in through the OpenID provider only. Passwords then work for SERVICE_OIDC_BREAK_GLASS alone, at /sign-in?password.',
  },
  SERVICE_OIDC_BREAK_GLASS: {
    group: 'Identity',
    kind: 'email',
    help: 'Email address of the account that may sign in by password even with SERVICE_OIDC_ONLY, for when the OpenID provider is down.',
  },
  SERVICE_OIDC_VERIFIED_CLAIM: {
    group: 'Identity',
    kind: 'text',
    default: 'email_verified',
    help: 'Claim by which the OpenID provider says that it has verified the email address. For Entra ID: xms_edov.',
  },
  SERVICE_OIDC_GROUPS: {
    group: 'Identity',
    kind: 'path',
    help: 'JSON file that says which groups of the OpenID provider give which organization, role and workspaces. Applied at each sign-in.',
  },
  SERVICE_OAUTH_CLIENT_DOCUMENTS: {
    group: 'Identity',
    kind: 'switch',
    shown: true,
    default: true,
    help: 'Whether an MCP client may identify itself by the URL of a client-id metadata document, which the web server then fetches. Turn it off if the web server cannot reach the internet: clients then register themselves instead.',
  },
  SERVICE_SMTP_URL: {
    group: 'Identity',
    kind: 'smtp-url',
    off: true,
    secret: true,
    help: 'Mail server, as smtp://user:password@host:587 or smtps://user:password@host:465; only the worker-control role gets it. With smtp:// the connection must become encrypted (STARTTLS), except to this machine. Requires SERVICE_MAIL_FROM. With npm start, unset starts a local mailbox, and off sends no mail.',
  },
  SERVICE_MAIL_FROM: {
    group: 'Identity',
    kind: 'mail-address',
    help: 'Sender of mail, as service@example.com or Service <service@example.com>. Requires SERVICE_SMTP_URL in the worker-control role, and SERVICE_CONNECTION_ENCRYPTION_KEY_B64, which encrypts mail that waits. Unset: no mail is sent, and links are shown to be handed over.',
  },
  SERVICE_FIRST_PLAN: {
    group: 'Identity',
    kind: 'choice',
    shown: true,
    oneOf: ['free', 'team', 'business'],
    default: 'free',
    help: 'Plan of a new organization.',
  },
  SERVICE_ORGANIZATIONS_PER_PERSON: {
    group: 'Identity',
    kind: 'integer',
    shown: true,
    min: 1,
    max: 1_000_000,
    default: 10,
    help: 'Organizations that one person may create. Those that a person was added or invited to do not count.',
  },

  OPENAI_API_KEY: {
    group: 'Chat',
    kind: 'text',
    secret: true,
    help: "The deployment's own OpenAI key: pays for platform credit.",
  },
  ANTHROPIC_API_KEY: {
    group: 'Chat',
    kind: 'text',
    secret: true,
    help: "The deployment's own Anthropic key: pays for platform credit.",
  },
  OPENAI_API_URL: {
    group: 'Chat',
    kind: 'url',
    default: 'https://api.openai.com',
    help: 'Origin of the OpenAI API, without /v1.',
  },
  ANTHROPIC_API_URL: {
    group: 'Chat',
    kind: 'url',
    default: 'https://api.anthropic.com',
    help: 'Origin of the Anthropic API, without /v1.',
  },
  SERVICE_DEMO_PROVIDERS: {
    group: 'Chat',
    kind: 'switch',
    shown: true,
    default: false,
    help: 'Whether both model providers are the demo ones; the web app then labels them as demo. npm start turns it on when it starts them.',
  },
  CHAT_REQUIRE_BYOK: {
    group: 'Chat',
    kind: 'switch',
    shown: true,
    default: false,
    help: 'Strict mode: every chat request must use a provider key of its organization or workspace.',
  },
  DISABLE_KV_STORE: {
    group: 'Chat',
    kind: 'switch',
    shown: true,
    default: false,
    help: 'Turns the per-user request limit off.',
  },
  SERVICE_V1_CORS_ORIGINS: {
    group: 'Chat',
    kind: 'origins',
    help: 'Origins whose pages may call /v1 from a browser, such as https://app.example.com,http://localhost:5173. Unset: none.',
  },
  SERVICE_CHAT_REQUESTS_PER_MINUTE: {
    group: 'Chat',
    kind: 'integer',
    shown: true,
    min: 1,
    max: 1_000_000,
    default: 30,
    help: 'Chat requests that one user may send in any 60 seconds.',
  },
  SERVICE_RESPONSES_RETENTION_DAYS: {
    group: 'Chat',
    kind: 'integer',
    shown: true,
    min: 0,
    max: 3_650,
    default: 30,
    help: 'Days for which responses of /v1/responses are stored, so that clients can refer to them; 0 stores none and deletes those already stored. They are encrypted with SERVICE_CONNECTION_ENCRYPTION_KEY_B64, and none are stored without it.',
  },
  SERVICE_PLATFORM_MONTHLY_LIMIT_USD: {
    group: 'Chat',
    kind: 'dollars',
    max: 1_000_000_000,
    help: 'US dollars of platform credit that all organizations together may use in a calendar month (UTC). Beyond it, requests on platform credit are refused with 429 quota_exceeded. Unset: only the budgets of the organizations apply.',
  },
  SERVICE_KV_URL: {
    group: 'Chat',
    kind: 'redis-url',
    secret: true,
    help: 'Redis or Valkey for the request limit. Unset: PostgreSQL is used.',
  },
  SERVICE_STORAGE_PER_ORGANIZATION_BYTES: {
    group: 'Storage',
    kind: 'integer',
    shown: true,
    min: 0,
    max: 1_000_000_000_000_000,
    default: 10 * 1024 * 1024 * 1024,
    help: 'Bytes of attachments, project files, artifacts and kept workspaces of runs that an organization may store. Beyond it, uploads are refused with 413 storage_full, and artifacts of runs are discarded.',
  },
  SERVICE_IMPORT_MAX_MIB: {
    group: 'Storage',
    kind: 'integer',
    shown: true,
    min: 1,
    max: 16_384,
    default: 512,
    help: 'The largest file of chats from another service that a person may import, in MiB. It counts as stored until the import has ended.',
  },
  SERVICE_MODEL_CATALOG: {
    group: 'Chat',
    kind: 'path',
    help: 'JSON file of models that are added to the built-in catalogue, or replace it. Read again when it changes.',
  },
  SERVICE_MODEL_PRICES: {
    group: 'Chat',
    kind: 'path',
    help: 'JSON file with prices of models that override those of the catalogue. Read again when it changes. What is recorded keeps the price of its time.',
  },

  BYOK_ENCRYPTION_KEY_B64: {
    group: 'Provider keys',
    kind: 'key32',
    secret: true,
    help: 'Wraps stored provider keys (AES-256-GCM). servicectl keys rewrap changes it.',
  },

  SERVICE_INTEGRATIONS_PROVIDER: {
    group: 'Integrations',
    kind: 'choice',
    shown: true,
    oneOf: ['nango'],
    default: 'nango',
    help: 'The integration provider.',
  },
  SERVICE_INTEGRATIONS_URL: {
    group: 'Integrations',
    kind: 'url',
    off: true,
    help: 'Base URL at which the service reaches the integration provider. With npm start, off means that no local one is started.',
  },
  SERVICE_INTEGRATIONS_CONNECT_URL: {
    group: 'Integrations',
    kind: 'url',
    help: "Where the gateway reaches the provider's Connect UI. Default: port 3009 of the provider's host.",
  },
  SERVICE_INTEGRATIONS_PUBLIC_URL: {
    group: 'Integrations',
    kind: 'url',
    help: "The provider's public URL as browsers reach it; part of the Connect link.",
  },
  SERVICE_INTEGRATIONS_SECRET_KEY: {
    group: 'Integrations',
    kind: 'text',
    secret: true,
    help: "The provider's prod environment secret key, in UUID form (not its public key).",
  },
  SERVICE_INTEGRATIONS_WEBHOOK_SECRET: {
    group: 'Integrations',
    kind: 'text',
    secret: true,
    help: 'HMAC secret shared with the provider for its webhook.',
  },
  SERVICE_INTEGRATIONS_DATABASE_URL: {
    group: 'Integrations',
    kind: 'postgres-url',
    secret: true,
    help: "Database that owns the provider's private schema; used only for read repair, only in the api role.",
  },
  SERVICE_CONNECTION_ENCRYPTION_KEY_B64: {
    group: 'Integrations',
    kind: 'key32',
    secret: true,
    help: 'Encrypts stored connection references, stored responses, secrets of subscriptions and mail that waits (AES-256-GCM). servicectl keys rewrap --connections changes it.',
  },
  SERVICE_MCP_REQUESTS_PER_MINUTE: {
    group: 'Integrations',
    kind: 'integer',
    shown: true,
    min: 0,
    max: 1_000_000,
    default: 0,
    help: 'Requests that one person may send to /connect/mcp per minute, counted in each process of the api role; 0 means no limit.',
  },
  SERVICE_OAUTH_CALLBACK_URL: {
    group: 'Integrations',
    kind: 'url',
    help: 'Public base of the OAuth callback that reconciliation expects.',
  },
  SERVICE_ALLOW_PRIVATE_URLS: {
    group: 'Integrations',
    kind: 'switch',
    shown: true,
    default: false,
    help: 'Whether a user-supplied URL may point to a loopback, private or link-local address. npm start turns it on while the gateway listens on the loopback.',
  },

  SERVICE_GATEWAY_HOST: {
    group: 'Gateway',
    kind: 'text',
    help: 'Address that the gateway listens on; localhost means both loopback addresses, as npm start sets it. Default: every address of the machine.',
  },
  SERVICE_GATEWAY_EXPOSURE: {
    group: 'Gateway',
    kind: 'choice',
    shown: true,
    exact: true,
    oneOf: ['public', 'private'],
    default: 'public',
    help: 'private: only operators can reach the gateway, and it serves private services to every host.',
  },
  SERVICE_TRUSTED_PROXIES: {
    group: 'Gateway',
    kind: 'networks',
    help: 'Addresses and networks of the proxies in front of the gateway, such as 10.0.0.0/8,192.0.2.7. x-forwarded-for is trusted only from them. Unset: the connecting address is the client.',
  },
  SERVICE_GATEWAY_ALLOW_PRIVATE: {
    group: 'Gateway',
    kind: 'exactly-1',
    shown: true,
    exact: true,
    default: false,
    help: 'Serves private services to every host. Only 1 opens them.',
  },

  BROKER_GROUP_API: {
    group: 'Runtime',
    kind: 'segment',
    default: 'service-api',
    help: 'Broker task group of the api role.',
  },
  BROKER_GROUP_DRIVER: {
    group: 'Runtime',
    kind: 'segment',
    default: 'service-driver',
    help: 'Broker task group of the driver role.',
  },
  BROKER_GROUP_CHAT: {
    group: 'Runtime',
    kind: 'segment',
    default: 'service-chat',
    help: 'Broker task group of the worker-chat role.',
  },
  BROKER_GROUP_CONTROL: {
    group: 'Runtime',
    kind: 'segment',
    default: 'service-control',
    help: 'Broker task group of the worker-control role.',
  },
  BROKER_GROUP_CODEX: {
    group: 'Runtime',
    kind: 'segment',
    default: 'service-codex',
    help: 'Broker task group of the worker-codex role.',
  },
  SERVICE_BROKER_EXECUTE_CONCURRENCY: {
    group: 'Runtime',
    kind: 'integer',
    shown: true,
    min: 1,
    max: 1000,
    help: 'Runs that one worker process executes concurrently. Default: depends on the role.',
  },
  SERVICE_RUN_BUDGET_CENTS: {
    group: 'Runtime',
    kind: 'integer',
    shown: true,
    min: 1,
    max: 1_000_000,
    default: 500,
    help: 'US cents of model usage, at catalogue prices, after which a run is ended, regardless of who pays.',
  },
  SERVICE_RUN_MAX_STEPS: {
    group: 'Runtime',
    kind: 'integer',
    shown: true,
    min: 1,
    max: 400,
    default: 100,
    help: 'Model calls after which a chat or control run is ended.',
  },
  SERVICE_RUNS_QUEUED_PER_PERSON: {
    group: 'Runtime',
    kind: 'integer',
    shown: true,
    min: 1,
    max: 1_000_000,
    default: 100,
    help: 'Runs that one person may have queued across all organizations; more are refused with too_many_runs. Runs that have started do not count.',
  },
  SERVICE_TRIGGERS_PER_WORKSPACE: {
    group: 'Runtime',
    kind: 'integer',
    shown: true,
    min: 1,
    max: 10_000,
    default: 50,
    help: 'Triggers that one workspace may have; more are refused with too_many_triggers.',
  },
  SERVICE_SUBSCRIPTIONS_PER_WORKSPACE: {
    group: 'Runtime',
    kind: 'integer',
    shown: true,
    min: 0,
    max: 1_000,
    default: 20,
    help: 'Subscriptions that one workspace may have, and as many for the organization as a whole; more are refused with too_many_subscriptions.',
  },
  SERVICE_SCHEDULES_PER_PERSON: {
    group: 'Runtime',
    kind: 'integer',
    min: 0,
    max: 10_000,
    default: 50,
    help: 'Schedules that one person may have across all organizations; more are refused with too_many_schedules.',
  },
  SERVICE_SCHEDULE_MIN_SECONDS: {
    group: 'Runtime',
    kind: 'integer',
    min: 1,
    max: 86_400,
    default: 60,
    help: 'The shortest interval of a schedule.',
  },
  SERVICE_RUNS_SHARE_PERCENT: {
    group: 'Runtime',
    kind: 'integer',
    shown: true,
    min: 1,
    max: 100,
    default: 50,
    help: 'Percent of the places of a worker group, at least one, that one organization holds while a run of another one waits; read by the broker. 100: organizations only take turns.',
  },
  SERVICE_AWS_STS_URL: {
    group: 'Runtime',
    kind: 'url',
    off: true,
    default: 'https://sts.amazonaws.com',
    help: 'Where workers exchange a stored long-lived AWS key for a one-hour session, the only credential a run gets. off gives runs the stored key itself.',
  },
  SERVICE_LOCAL_CLOUD_PROFILES: {
    group: 'Runtime',
    kind: 'text',
    help: 'Cloud CLI profiles on the worker machine that runs may use when a connection names them, separated by commas; * means all. Default: none. Every organization of the deployment can name them.',
  },
  SERVICE_ARTIFACT_RETENTION_DAYS: {
    group: 'Runtime',
    kind: 'integer',
    shown: true,
    min: 1,
    max: 3_650,
    default: 90,
    help: 'Days after which the artifacts of a finished run are removed. Receipts and the record of the run stay.',
  },
  SERVICE_RUN_SNAPSHOT_DAYS: {
    group: 'Runtime',
    kind: 'integer',
    shown: true,
    min: 0,
    max: 3_650,
    default: 7,
    help: 'Days for which the workspace of an ended run is kept, so that another run can go on with its files; 0 keeps none. Never longer than its artifacts.',
  },
  SERVICE_DELETION_DAYS: {
    group: 'Runtime',
    kind: 'integer',
    shown: true,
    min: 0,
    max: 365,
    default: 7,
    help: 'Days for which a deleted organization can be brought back; then it is erased.',
  },
  SERVICE_SANDBOX_TOKEN: {
    group: 'Runtime',
    kind: 'text',
    secret: true,
    help: 'Bearer token of the sandbox controller. Required when SERVICE_SANDBOX_URL is an http URL; if set, it is required on a socket too.',
  },
  SERVICE_SANDBOX_DRIVER: {
    group: 'Runtime',
    kind: 'choice',
    shown: true,
    oneOf: ['auto', 'bubblewrap', 'gvisor', 'docker'],
    default: 'auto',
    help: 'What runs are executed in. auto picks the first that is safe on the machine, in the order bubblewrap, gvisor, docker.',
  },
  SERVICE_SANDBOX_ALLOW_WEAK: {
    group: 'Runtime',
    kind: 'switch',
    shown: true,
    default: false,
    help: 'Execute runs even if memory, processes or disk are only monitored and not limited by the kernel, as without root. For development only; npm start sets it while the gateway listens on the loopback.',
  },
  SERVICE_SANDBOX_WHEN_UNSAFE: {
    group: 'Runtime',
    kind: 'choice',
    shown: true,
    oneOf: ['exit', 'refuse'],
    default: 'exit',
    help: 'What the sandbox controller does when no driver is safe: exit with code 78, or keep running and refuse every run with the reason. npm start sets refuse, so that everything else starts.',
  },
  SERVICE_SANDBOX_MAX: {
    group: 'Runtime',
    kind: 'integer',
    shown: true,
    min: 1,
    max: 1000,
    default: 100,
    help: 'Sandboxes that one controller may have open at a time.',
  },
  SERVICE_SANDBOX_CGROUP: {
    group: 'Runtime',
    kind: 'text',
    default: 'service-sandbox',
    help: 'Place of the sandboxes in the cgroup tree, relative to its root. self: the group that the controller was started in, which must be delegated to it.',
  },
  SERVICE_SANDBOX_BWRAP: {
    group: 'Runtime',
    kind: 'text',
    help: 'Path of a bubblewrap that is not installed system-wide; npm start sets it when it unpacked one itself.',
  },
  SERVICE_SANDBOX_UID_BASE: {
    group: 'Runtime',
    kind: 'integer',
    shown: true,
    min: 1000,
    max: 2_000_000_000,
    help: 'First of the 1,024 user ids for runs, one each. Default: 1900000000, or 60100 if the machine supports only small ids.',
  },
  SERVICE_SANDBOX_IMAGE: {
    group: 'Runtime',
    kind: 'text',
    default: 'debian:bookworm',
    help: 'Image of the drivers docker and gvisor; needs bash, coreutils and the libraries that Node links to.',
  },
  SERVICE_BROKER_TOKEN: {
    group: 'Runtime',
    kind: 'text',
    secret: true,
    help: 'Bearer token that the broker requires for every request and poll stream, and that the roles send. The broker does not start without one; npm start generates one.',
  },
  SERVICE_BROKER_ALLOW_OPEN: {
    group: 'Runtime',
    kind: 'exactly-1',
    shown: true,
    exact: true,
    default: false,
    help: 'Lets the broker start without SERVICE_BROKER_TOKEN and accept everyone: anyone who can connect to it, including every user of the machine, can then take and change the runs of others. Only the value 1 turns it on; for tests on your own machine.',
  },
  SERVICE_BROKER_RETENTION_HOURS: {
    group: 'Runtime',
    kind: 'integer',
    shown: true,
    min: 1,
    max: 8_760,
    default: 24,
    help: 'Hours for which the broker keeps finished work.',
  },

  SERVICE_DEBUG_TOKEN: {
    group: 'Diagnostics',
    kind: 'text',
    secret: true,
    help: 'Bearer token of /service-debug. Either this or SERVICE_DEBUG_JWT_SECRET enables the routes.',
  },
  SERVICE_DEBUG_JWT_SECRET: {
    group: 'Diagnostics',
    kind: 'text',
    secret: true,
    help: 'HS256 secret of tokens for /service-debug.',
  },
} as const satisfies Record<string, Variable>;

/**
 * Read by integrations reconcile only: families of variables whose middle part is a connector's prefix, and some of the
 * provider's own.
 */
export const ENVIRONMENT_PATTERNS = [
  { name: 'SERVICE_OAUTH_<PREFIX>_CLIENT_ID', group: 'Integrations', help: 'OAuth client id of a connector.' },
  {
    name: 'SERVICE_OAUTH_<PREFIX>_CLIENT_SECRET',
    group: 'Integrations',
    secret: true,
    help: 'OAuth client secret of a connector.',
  },
  {
    name: 'SERVICE_OAUTH_<PREFIX>_SCOPES',
    group: 'Integrations',
    help: 'OAuth scopes of a connector, when its defaults do not fit.',
  },
  {
    name: 'NANGO_SERVER_URL',
    group: 'Integrations',
    help: "The provider's own variable for its server URL; the callback follows from it when SERVICE_OAUTH_CALLBACK_URL is not set.",
  },
  {
    name: 'NANGO_DASHBOARD_USERNAME',
    group: 'Integrations',
    help: "The provider's own variable for the sign-in of its dashboard, where the clients of linear-mcp and notion-mcp are registered.",
  },
  { name: 'NANGO_DASHBOARD_PASSWORD', group: 'Integrations', secret: true, help: 'Its password.' },
] as const;

export type VariableName = keyof typeof ENVIRONMENT;
