// Which parts get which secret; no other part ever sees it. A secret without a row does not compile.
import type { ENVIRONMENT } from '../base/environment.ts';
import { RUNTIME_ROLES, WORKER_ROLES } from '../process/process-roles.ts';
import type { PartName } from './parts.ts';

type Variables = typeof ENVIRONMENT;
export type SecretName = {
  [Name in keyof Variables]: Variables[Name] extends { secret: true } ? Name : never;
}[keyof Variables];

const ROLES = RUNTIME_ROLES.map((role) => `runtime-${role}` as const);
const WORKERS = WORKER_ROLES.map((role) => `runtime-${role}` as const);

export const SECRET_READERS = {
  SERVICE_UPSTREAM_DB: ['broker', 'local-integrations', 'web', ...ROLES],
  AUTH_SECRET: ['web'],
  SERVICE_SMTP_URL: ['runtime-worker-control'],
  SERVICE_OIDC_CLIENT_SECRET: ['web'],
  SERVICE_CONNECT_JWT_SECRET: ['web', 'runtime-api', ...WORKERS],
  OPENAI_API_KEY: ['web', ...WORKERS],
  ANTHROPIC_API_KEY: ['web', ...WORKERS],
  SERVICE_KV_URL: ['web'],
  BYOK_ENCRYPTION_KEY_B64: ['web', ...WORKERS],
  SERVICE_INTEGRATIONS_SECRET_KEY: ['local-integrations', 'web', 'runtime-api', ...WORKERS],
  // Control runs repair connections, which needs the whole configuration of the provider.
  SERVICE_INTEGRATIONS_WEBHOOK_SECRET: ['local-integrations', 'web', 'runtime-api', 'runtime-worker-control'],
  SERVICE_INTEGRATIONS_DATABASE_URL: ['runtime-api'],
  SERVICE_CONNECTION_ENCRYPTION_KEY_B64: ['web', 'runtime-api', ...WORKERS],
  SERVICE_BROKER_TOKEN: ['broker', ...ROLES],
  SERVICE_SANDBOX_TOKEN: ['sandbox', ...WORKERS],
  SERVICE_DEBUG_TOKEN: ['runtime-api'],
  SERVICE_DEBUG_JWT_SECRET: ['runtime-api'],
} as const satisfies Record<SecretName, readonly PartName[]>;

/** A secret that is used instead of another one, by the readers of that one, while that one is not set. */
export const STANDS_IN_FOR = { AUTH_SECRET: 'SERVICE_CONNECT_JWT_SECRET' } as const satisfies Partial<
  Record<SecretName, SecretName>
>;
