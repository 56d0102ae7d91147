// Which parts are given which secret; no other part ever sees it. A secret without a row does not compile.
import type { ENVIRONMENT } from '../base/environment.ts';
import type { PartName } from './parts.ts';

type Variables = typeof ENVIRONMENT;
export type SecretName = { [Name in keyof Variables]: Variables[Name] extends { secret: true } ? Name : never }[keyof Variables];

const ROLES = ['runtime-api', 'runtime-driver', 'runtime-worker-chat', 'runtime-worker-control', 'runtime-worker-codex'] as const;
const WORKERS = ['runtime-worker-chat', 'runtime-worker-control', 'runtime-worker-codex'] as const;

export const SECRET_READERS = {
  SERVICE_UPSTREAM_DB: ['broker', 'local-integrations', 'web', ...ROLES],
  AUTH_SECRET: ['web', 'runtime-api', ...WORKERS],
  SERVICE_CONNECT_JWT_SECRET: ['web', 'runtime-api', ...WORKERS],
  OPENAI_API_KEY: ['web', 'runtime-api', ...WORKERS],
  ANTHROPIC_API_KEY: ['web', 'runtime-api', ...WORKERS],
  SERVICE_KV_URL: ['web', 'runtime-api'],
  BYOK_ENCRYPTION_KEY_B64: ['web', 'runtime-api', ...WORKERS],
  SERVICE_INTEGRATIONS_SECRET_KEY: ['local-integrations', 'web', 'runtime-api', ...WORKERS],
  SERVICE_INTEGRATIONS_WEBHOOK_SECRET: ['local-integrations', 'web', 'runtime-api', ...WORKERS],
  SERVICE_INTEGRATIONS_DATABASE_URL: ['runtime-api'],
  SERVICE_CONNECTION_ENCRYPTION_KEY_B64: ['web', 'runtime-api', ...WORKERS],
  SERVICE_BROKER_TOKEN: ['broker', ...ROLES],
  SERVICE_SANDBOX_TOKEN: ['sandbox', ...WORKERS],
  SERVICE_DEBUG_TOKEN: ['web', 'runtime-api'],
  SERVICE_DEBUG_JWT_SECRET: ['web', 'runtime-api'],
} as const satisfies Record<SecretName, readonly PartName[]>;
