// The identity library, configured for what is left to it: new accounts, reading a session, and the device flow. It is
// never asked to sign someone in, because it knows of no second factor (sign-in/sign-in-by-password.ts). Organizations,
// workspaces and connect tokens are ours, and so is everything that ends access (end-access.ts). Its origin check and
// rate limit are off because the service's routes (src/http/web/identity-routes.ts) apply their own first; its mail
// features are off because a self-hosted service may have no mail server.
import { kyselyAdapter } from '@better-auth/kysely-adapter';
import { betterAuth, type BetterAuthOptions } from 'better-auth';
import { deviceAuthorization } from 'better-auth/plugins/device-authorization';
import { Kysely } from 'kysely';
import { newId } from '../base/ids.ts';
import { PASSWORD_LENGTH } from '../contract/account/account.ts';
import type { Log } from '../telemetry/log.ts';
import type { Database } from '../store/database.ts';
import { databaseDialect } from './database-dialect.ts';
import { hashLibrarySecrets } from './hash-library-secrets.ts';
import type { IdentitySettings } from './identity-settings.ts';
import { createPasswords, type Passwords } from './passwords/passwords.ts';
import { SESSION_DAYS } from './sessions/begin-session.ts';
import { COOKIE_PREFIX } from './sessions/session-cookie.ts';

export const AUTH_PATH = '/api/auth';
/** The only client of the device flow. Its session token is a bearer token for the web server's API. */
const DEVICE_CLIENT = 'servicectl';
/** Passes the caller's address from our routes to the library; a header of that name sent by a client is dropped. */
export const ADDRESS_HEADER = 'x-service-client-address';

const DAY_SECONDS = 86_400;

const STAMPS = { createdAt: 'created_at', updatedAt: 'updated_at' } as const;
const ID_PREFIXES: Readonly<Record<string, string>> = {
  user: 'usr',
  session: 'ses',
  account: 'acc',
  verification: 'ver',
  deviceCode: 'dev',
};

export interface Auth {
  handler(request: Request): Promise<Response>;
}

export interface AuthDeps {
  readonly db: Database;
  readonly log: Log;
  readonly settings: IdentitySettings;
  /** Shared with the routes, which hash a new person's password before the library needs it. */
  readonly passwords?: Passwords;
}

export function createAuth({ db, log, settings, passwords = createPasswords() }: AuthDeps): Auth {
  const tables = kyselyAdapter(new Kysely<unknown>({ dialect: databaseDialect(db) }).withSchema(db.schema), {
    type: 'postgres',
    transaction: true,
  });
  return betterAuth({
    appName: 'service',
    baseURL: new URL(settings.publicUrl).origin,
    basePath: AUTH_PATH,
    secret: settings.authSecret,
    database: (options: BetterAuthOptions) =>
      hashLibrarySecrets(tables(options), { authSecret: settings.authSecret, within: passwords.withinTransaction }),
    emailAndPassword: {
      enabled: true,
      minPasswordLength: PASSWORD_LENGTH.min,
      maxPasswordLength: PASSWORD_LENGTH.max,
      autoSignIn: true,
      password: passwords.hashing,
    },
    user: { modelName: 'identity_user', fields: { emailVerified: 'email_verified', ...STAMPS } },
    session: {
      modelName: 'identity_session',
      fields: {
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        ...STAMPS,
      },
      expiresIn: SESSION_DAYS * DAY_SECONDS,
      updateAge: DAY_SECONDS,
    },
    account: {
      modelName: 'identity_account',
      fields: {
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        ...STAMPS,
      },
    },
    verification: {
      modelName: 'identity_verification',
      storeIdentifier: 'hashed',
      fields: { expiresAt: 'expires_at', ...STAMPS },
    },
    plugins: [deviceFlow(settings)],
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      useSecureCookies: settings.publicUrl.startsWith('https://'),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { generateId: ({ model }) => newId(ID_PREFIXES[model] ?? 'idn') },
      disableCSRFCheck: true,
      disableOriginCheck: true,
    },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // Its lower log levels contain email addresses.
    logger: {
      level: 'error',
      log: (_level, message, ...details) =>
        log.error({ err: details.find((detail) => detail instanceof Error) }, `identity: ${message}`),
    },
  });
}

function deviceFlow(settings: IdentitySettings): ReturnType<typeof deviceAuthorization> {
  return deviceAuthorization({
    verificationUri: `${settings.publicUrl}/device`,
    expiresIn: '15m',
    interval: '2s',
    validateClient: (clientId) => clientId === DEVICE_CLIENT,
    schema: {
      deviceCode: {
        modelName: 'identity_device_code',
        fields: {
          deviceCode: 'device_code',
          userCode: 'user_code',
          userId: 'user_id',
          expiresAt: 'expires_at',
          lastPolledAt: 'last_polled_at',
          pollingInterval: 'polling_interval',
          clientId: 'client_id',
        },
      },
    },
  });
}
