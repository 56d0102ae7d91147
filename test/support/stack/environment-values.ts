// A legal value for every documented variable, each in one of two starts of the stack. `outside`: whatever can be
// elsewhere is elsewhere, started by the test. `inside`: the stack runs everything itself, which is where variables are
// that would otherwise go unread; these say why. A variable without a row does not compile.
import { join } from 'node:path';
import type { VariableName } from '../../../src/base/environment.ts';
import { BWRAP } from '../sandbox/sandbox.ts';

/** What the test has started, and where. */
export interface Ground {
  readonly port: number;
  readonly dataDirectory: string;
  readonly postgresUrl: string;
  readonly schema: string;
  readonly brokerUrl: string;
  readonly sandbox: { readonly SERVICE_SANDBOX_URL: string; readonly SERVICE_SANDBOX_TOKEN: string };
  readonly modelsUrl: string;
  readonly appsUrl: string;
  readonly collectorUrl: string;
  /** Absent where no Redis is installed: its variable is then left out. */
  readonly redisUrl: string | undefined;
}

type Value = string | ((ground: Ground) => string | undefined);
export type ValueRow = { readonly outside: Value } | { readonly inside: Value; readonly why: string };

const OWN_SANDBOX = 'a controller elsewhere reads its own environment';
const OWN_PART = 'the part is elsewhere otherwise';
const key32 = (letter: string): string => Buffer.alloc(32, letter).toString('base64');
const at =
  (offset: number): Value =>
  ({ port }) =>
    String(port + offset);
const urlAt =
  (offset: number): Value =>
  ({ port }) =>
    `http://127.0.0.1:${port + offset}`;

export const ENVIRONMENT_VALUES = {
  SERVICE_PROCESS_ROLE: { outside: 'worker-chat' },
  SERVICE_DATA_DIR: { outside: ({ dataDirectory }) => dataDirectory },
  DATA_DIR: { inside: ({ dataDirectory }) => dataDirectory, why: 'SERVICE_DATA_DIR overrides it' },
  SERVICE_LOG_LEVEL: { outside: 'debug' },
  OTEL_EXPORTER_OTLP_ENDPOINT: { outside: ({ collectorUrl }) => collectorUrl },

  SERVICE_PUBLIC_URL: { outside: ({ port }) => `http://localhost:${port}` },
  SERVICE_LISTEN_HOST: { outside: '127.0.0.1' },
  SERVICE_GATEWAY_PORT: { outside: at(0) },
  SERVICE_WEB_PORT: { outside: at(1) },
  SERVICE_RUNTIME_PORT: { outside: at(2) },
  SERVICE_BROKER_PORT: { inside: at(3), why: OWN_PART },
  SERVICE_LOCAL_INTEGRATIONS_PORT: { inside: at(4), why: OWN_PART },
  SERVICE_LOCAL_INTEGRATIONS_CONNECT_PORT: { inside: at(5), why: OWN_PART },
  SERVICE_POSTGRES_PORT: { inside: at(6), why: OWN_PART },
  SERVICE_DEMO_PROVIDERS_PORT: { inside: at(7), why: OWN_PART },
  SERVICE_LOCAL_MAILBOX_PORT: { inside: at(8), why: 'a real mail server takes its place otherwise' },
  SERVICE_LOCAL_MAILBOX_SMTP_PORT: { inside: at(9), why: 'a real mail server takes its place otherwise' },
  SERVICE_METRICS_PORT: { outside: at(8) },
  SERVICE_WEB_URL: { outside: urlAt(1) },
  SERVICE_RUNTIME_URL: { outside: urlAt(2) },
  SERVICE_BROKER_URL: { outside: ({ brokerUrl }) => brokerUrl },
  SERVICE_SANDBOX_URL: { outside: ({ sandbox }) => sandbox.SERVICE_SANDBOX_URL },

  SERVICE_MODEL_SILENCE_SECONDS: { outside: '60' },
  SERVICE_DRAIN_SECONDS: { outside: '2' },

  SERVICE_UPSTREAM_DB: { outside: ({ postgresUrl }) => postgresUrl },
  SERVICE_DB_SCHEMA: { outside: ({ schema }) => schema },
  SERVICE_DB_POOL_MAX: { outside: '3' },
  SERVICE_RECEIPT_CHECKPOINT_SECONDS: { outside: '60' },
  SERVICE_STORAGE_PER_ORGANIZATION_BYTES: { outside: '1000000' },
  SERVICE_IMPORT_MAX_MIB: { outside: '2' },

  AUTH_SECRET: { outside: 'auth-secret-of-the-environment-test-0' },
  SERVICE_CONNECT_JWT_SECRET: { outside: 'connect-secret-of-the-environment-test' },
  SERVICE_SIGN_UP: { outside: 'open' },
  SERVICE_NEW_ORGANIZATIONS: { outside: 'anyone' },
  SERVICE_OIDC_ISSUER: { outside: ({ collectorUrl }) => collectorUrl },
  SERVICE_OIDC_CLIENT_ID: { outside: 'service-of-the-environment-test' },
  SERVICE_OIDC_CLIENT_SECRET: { outside: 'openid-secret-of-the-environment-test' },
  SERVICE_OIDC_NAME: { outside: 'Example' },
  SERVICE_OIDC_ALLOWED_DOMAINS: { outside: 'example.com,example.org' },
  SERVICE_OIDC_ONLY: { outside: 'false' },
  SERVICE_OIDC_BREAK_GLASS: { outside: 'owner@example.com' },
  SERVICE_OIDC_VERIFIED_CLAIM: { outside: 'email_verified' },
  SERVICE_OIDC_GROUPS: { outside: join(import.meta.dirname, '..', 'fixtures', 'openid-groups.json') },
  SERVICE_OAUTH_CLIENT_DOCUMENTS: { outside: 'false' },
  SERVICE_SMTP_URL: { outside: 'smtp://mail:secret-of-the-environment-test@127.0.0.1:9' },
  SERVICE_MAIL_FROM: { outside: 'Service <service@example.test>' },
  SERVICE_FIRST_PLAN: { outside: 'team' },
  SERVICE_ORGANIZATIONS_PER_PERSON: { outside: '2' },

  OPENAI_API_KEY: { outside: 'sk-demo-of-the-environment-test' },
  ANTHROPIC_API_KEY: { outside: 'sk-ant-demo-of-the-environment-test' },
  OPENAI_API_URL: { outside: ({ modelsUrl }) => modelsUrl },
  ANTHROPIC_API_URL: { outside: ({ modelsUrl }) => modelsUrl },
  SERVICE_DEMO_PROVIDERS: { outside: '1' },
  CHAT_REQUIRE_BYOK: { outside: 'false' },
  DISABLE_KV_STORE: { inside: 'true', why: 'nothing would ask Redis' },
  SERVICE_V1_CORS_ORIGINS: { outside: 'https://app.example.com,http://localhost:5173' },
  SERVICE_CHAT_REQUESTS_PER_MINUTE: { outside: '5' },
  SERVICE_RESPONSES_RETENTION_DAYS: { outside: '1' },
  SERVICE_PLATFORM_MONTHLY_LIMIT_USD: { outside: '10.50' },
  SERVICE_KV_URL: { outside: ({ redisUrl }) => redisUrl },
  SERVICE_MODEL_CATALOG: { outside: join(import.meta.dirname, '..', '..', '..', 'src', 'catalog', 'models.json') },
  SERVICE_MODEL_PRICES: { outside: join(import.meta.dirname, '..', 'fixtures', 'model-prices.json') },

  BYOK_ENCRYPTION_KEY_B64: { outside: key32('b') },

  SERVICE_INTEGRATIONS_PROVIDER: { outside: 'nango' },
  SERVICE_INTEGRATIONS_URL: { outside: ({ appsUrl }) => appsUrl },
  SERVICE_INTEGRATIONS_CONNECT_URL: { outside: ({ appsUrl }) => appsUrl },
  SERVICE_INTEGRATIONS_PUBLIC_URL: { outside: ({ port }) => `http://localhost:${port}/integrations` },
  SERVICE_INTEGRATIONS_SECRET_KEY: { outside: '2f9b4d8e-6c1a-4f53-9b7e-0d2a8c4e6f10' },
  SERVICE_INTEGRATIONS_WEBHOOK_SECRET: { outside: 'webhook-secret-of-the-environment-test' },
  SERVICE_INTEGRATIONS_DATABASE_URL: { outside: ({ postgresUrl }) => postgresUrl },
  SERVICE_CONNECTION_ENCRYPTION_KEY_B64: { outside: key32('c') },
  SERVICE_MCP_REQUESTS_PER_MINUTE: { outside: '60' },
  SERVICE_OAUTH_CALLBACK_URL: { outside: 'https://agents.example.com' },
  SERVICE_ALLOW_PRIVATE_URLS: { outside: '1' },

  SERVICE_GATEWAY_HOST: { outside: 'localhost' },
  SERVICE_GATEWAY_EXPOSURE: { outside: 'private' },
  SERVICE_TRUSTED_PROXIES: { outside: '10.0.0.0/8,192.0.2.7' },
  SERVICE_GATEWAY_ALLOW_PRIVATE: { outside: '1' },

  BROKER_GROUP_API: { outside: 'test-api' },
  BROKER_GROUP_DRIVER: { outside: 'test-driver' },
  BROKER_GROUP_CHAT: { outside: 'test-chat' },
  BROKER_GROUP_CONTROL: { outside: 'test-control' },
  BROKER_GROUP_CODEX: { outside: 'test-codex' },
  SERVICE_BROKER_EXECUTE_CONCURRENCY: { outside: '2' },
  SERVICE_RUN_BUDGET_CENTS: { outside: '100' },
  SERVICE_RUN_MAX_STEPS: { outside: '20' },
  SERVICE_RUNS_QUEUED_PER_PERSON: { outside: '5' },
  SERVICE_TRIGGERS_PER_WORKSPACE: { outside: '7' },
  SERVICE_SUBSCRIPTIONS_PER_WORKSPACE: { outside: '7' },
  SERVICE_SCHEDULES_PER_PERSON: { outside: '7' },
  SERVICE_SCHEDULE_MIN_SECONDS: { outside: '90' },
  SERVICE_RUNS_SHARE_PERCENT: { outside: '25' },
  SERVICE_AWS_STS_URL: { outside: 'off' },
  SERVICE_LOCAL_CLOUD_PROFILES: { outside: 'first,second' },
  SERVICE_ARTIFACT_RETENTION_DAYS: { outside: '7' },
  SERVICE_RUN_SNAPSHOT_DAYS: { outside: '3' },
  SERVICE_DELETION_DAYS: { outside: '7' },
  SERVICE_SANDBOX_TOKEN: { outside: ({ sandbox }) => sandbox.SERVICE_SANDBOX_TOKEN },
  SERVICE_SANDBOX_DRIVER: { inside: 'bubblewrap', why: OWN_SANDBOX },
  SERVICE_SANDBOX_ALLOW_WEAK: { inside: '1', why: OWN_SANDBOX },
  SERVICE_SANDBOX_WHEN_UNSAFE: { inside: 'refuse', why: OWN_SANDBOX },
  SERVICE_SANDBOX_MAX: { inside: '5', why: OWN_SANDBOX },
  SERVICE_SANDBOX_CGROUP: { inside: 'service-environment-test', why: OWN_SANDBOX },
  SERVICE_SANDBOX_BWRAP: { inside: BWRAP, why: OWN_SANDBOX },
  SERVICE_SANDBOX_UID_BASE: { inside: '1900000000', why: OWN_SANDBOX },
  SERVICE_SANDBOX_IMAGE: { inside: 'debian:bookworm', why: OWN_SANDBOX },
  SERVICE_BROKER_TOKEN: { outside: 'broker-token-of-the-environment-test' },
  SERVICE_BROKER_ALLOW_OPEN: { inside: '1', why: OWN_PART },
  SERVICE_BROKER_RETENTION_HOURS: { inside: '1', why: OWN_PART },

  SERVICE_DEBUG_TOKEN: { outside: 'debug-token-of-the-environment-test' },
  SERVICE_DEBUG_JWT_SECRET: { outside: 'debug-secret-of-the-environment-test-00' },
} as const satisfies Record<VariableName, ValueRow>;

/** The environment of one start. */
export function environmentOf(start: 'outside' | 'inside', ground: Ground): Record<string, string> {
  const chosen: Record<string, string> = {};
  for (const [name, row] of Object.entries<ValueRow>(ENVIRONMENT_VALUES)) {
    const value =
      start === 'outside' ? ('outside' in row ? row.outside : undefined) : 'inside' in row ? row.inside : undefined;
    const text = typeof value === 'function' ? value(ground) : value;
    if (text !== undefined) chosen[name] = text;
  }
  return chosen;
}
