// The OpenID provider as this deployment's client sees it. Its discovery document is read when it is first needed and again
// every hour: a provider that is down when the service starts disables nothing, and one that is down later is used as it
// was last known. The protocol is the library's (code with PKCE, nonce, issuer, audience, times); signatures are checked
// here, with the keys that logout tokens are checked with too.
import { jwtVerify, type JSONWebKeySet, type JWTPayload } from 'jose';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  type Configuration,
  customFetch,
  discovery,
  fetchUserInfo,
} from 'openid-client';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import { createLoadingCache } from '../../timing/bounded-cache.ts';
import { retry } from '../../timing/retry.ts';
import { RETRIES } from '../../timing/retry-policies.ts';
import { createBoundedFetch } from './bounded-fetch.ts';
import type { OpenIdSettings } from './openid-settings.ts';
import { createProviderKeys } from './provider-keys.ts';

export const CLOCK_SKEW_SECONDS = 60;
const KEEP_MS = 60 * 60_000;
/** What a token may be signed with: never with the client's secret, which proves less. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

export interface AuthorizationAsk {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The person has to sign in at the provider again. */
  readonly fresh: boolean;
}

export interface AuthorizationAnswer extends Omit<AuthorizationAsk, 'fresh'> {
  /** The query that the provider sent the browser back with. */
  readonly search: string;
  /** Claims without which the provider is asked for what else it knows about the person. */
  readonly wanted: readonly string[];
}

export interface ProviderTokens {
  readonly issuer: string;
  readonly subject: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly idToken: string;
}

export interface OpenIdProvider {
  readonly settings: OpenIdSettings;
  readonly redirectUri: string;
  authorizationUrl(ask: AuthorizationAsk): Promise<string>;
  /** Throws `openid_refused`, `openid_cancelled` and `openid_unavailable`. */
  redeem(answer: AuthorizationAnswer): Promise<ProviderTokens>;
  /** Of a token by this provider for this client; without a check of what kind of token it is. */
  verify(
    token: string,
  ): Promise<{ readonly payload: JWTPayload; readonly type: string | undefined; readonly issuer: string }>;
  /** Whether the provider, as it is known now, can be asked to end its session. */
  offersSignOut(): boolean;
  /** Where the browser ends the session at the provider; undefined if the provider has no such place. */
  signOutUrl(idToken: string | undefined): Promise<string | undefined>;
  close(): Promise<void>;
}

export interface ProviderDeps {
  readonly settings: OpenIdSettings;
  readonly publicUrl: string;
  readonly log: Log;
  readonly nowMs?: () => number;
}

export function createOpenIdProvider({ settings, publicUrl, log, nowMs = Date.now }: ProviderDeps): OpenIdProvider {
  const redirectUri = `${publicUrl}/api/auth/openid/callback`;
  const calls = createBoundedFetch();
  const kept = createLoadingCache<'provider', Configuration>({ most: 1, ttlMs: KEEP_MS, nowMs });
  let last: Configuration | undefined;

  const discover = async (): Promise<Configuration> => {
    try {
      return (last = await retry(RETRIES.openIdDiscovery, () => readProvider(settings, calls.fetch)));
    } catch (error) {
      log.warn({ reason: reasonOf(error) }, 'the discovery document of the OpenID provider could not be read');
      if (last) return last;
      throw new AppError('openid_unavailable', {}, { cause: error });
    }
  };
  const provider = (): Promise<Configuration> => kept.get('provider', discover);
  const keys = createProviderKeys(async () => {
    const { jwks_uri: uri } = (await provider()).serverMetadata();
    if (uri === undefined || !isAllowed(uri, settings)) throw new Error('the provider names no keys');
    return (await (await calls.fetch(uri, { headers: { accept: 'application/json' } })).json()) as JSONWebKeySet;
  }, nowMs);

  async function verify(token: string): ReturnType<OpenIdProvider['verify']> {
    const { issuer } = (await provider()).serverMetadata();
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer,
      audience: settings.clientId,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_SKEW_SECONDS,
      currentDate: new Date(nowMs()),
    });
    return { payload, type: protectedHeader.typ, issuer };
  }

  return {
    settings,
    redirectUri,
    async authorizationUrl({ state, nonce, verifier, fresh }) {
      const url = buildAuthorizationUrl(await provider(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(fresh ? { prompt: 'login', max_age: '0' } : {}),
      });
      return url.href;
    },
    async redeem({ search, state, nonce, verifier, wanted }) {
      const config = await provider();
      try {
        const tokens = await authorizationCodeGrant(config, new URL(redirectUri + search), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const idToken = tokens.id_token ?? '';
        const { payload, issuer } = await verify(idToken);
        const subject = String(payload.sub);
        const more = await readMore(config, tokens.access_token, { payload, wanted, subject });
        return { issuer, subject, claims: { ...more, ...payload }, idToken };
      } catch (error) {
        throw toRefusal(error, log);
      }
    },
    verify,
    offersSignOut: () => last?.serverMetadata().end_session_endpoint !== undefined,
    async signOutUrl(idToken) {
      const config = await provider();
      if (config.serverMetadata().end_session_endpoint === undefined) return undefined;
      return buildEndSessionUrl(config, {
        post_logout_redirect_uri: `${publicUrl}/sign-in`,
        ...(idToken === undefined ? {} : { id_token_hint: idToken }),
      }).href;
    },
    close: () => calls.close(),
  };
}

/** Throws whatever goes wrong. */
export async function readProvider(
  settings: OpenIdSettings,
  fetch: ReturnType<typeof createBoundedFetch>['fetch'],
): Promise<Configuration> {
  const { issuer, clientId, clientSecret, insecure } = settings;
  const [post, basic] = [ClientSecretPost(clientSecret), ClientSecretBasic(clientSecret)];
  const authenticate: ClientAuth = (server, ...rest) =>
    server.token_endpoint_auth_methods_supported?.includes('client_secret_post')
      ? post(server, ...rest)
      : basic(server, ...rest);
  return discovery(new URL(issuer), clientId, { [clockTolerance]: CLOCK_SKEW_SECONDS }, authenticate, {
    execute: insecure ? [allowInsecureRequests] : [],
    [customFetch]: (url, options) => fetch(url, options),
  });
}

/** Some providers put little into the token, and the rest where it is to be asked for. */
async function readMore(
  config: Configuration,
  accessToken: string,
  { payload, wanted, subject }: { payload: JWTPayload; wanted: readonly string[]; subject: string },
): Promise<Record<string, unknown>> {
  const complete = wanted.every((claim) => payload[claim] !== undefined);
  if (complete || config.serverMetadata().userinfo_endpoint === undefined) return {};
  return { ...(await fetchUserInfo(config, accessToken, subject)) };
}

function isAllowed(uri: string, { insecure }: OpenIdSettings): boolean {
  return URL.canParse(uri) && ['https:', ...(insecure ? ['http:'] : [])].includes(new URL(uri).protocol);
}

/** The reason is logged by its code: the text of a provider may hold anything. */
function toRefusal(error: unknown, log: Log): AppError {
  const known = findAppError(error);
  if (known) return known;
  const { error: code } = error as { error?: unknown };
  log.warn({ reason: reasonOf(error) }, 'a sign-in at the OpenID provider was refused');
  return new AppError(code === 'access_denied' ? 'openid_cancelled' : 'openid_refused', {}, { cause: error });
}

/** The library wraps what its calls throw. */
export function findAppError(error: unknown): AppError | undefined {
  for (let each = error; each instanceof Error; each = each.cause) if (each instanceof AppError) return each;
  return undefined;
}

function reasonOf(error: unknown): string {
  const { code, error: named } = (error ?? {}) as { code?: unknown; error?: unknown };
  for (const each of [named, code]) if (typeof each === 'string' && /^\w{1,80}$/.test(each)) return each;
  return error instanceof Error ? error.name : 'unknown';
}
