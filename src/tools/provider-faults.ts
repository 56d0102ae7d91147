// Calls that got no answer from the app. The integration provider's proxy reports its own errors as if the app had
// answered, and their texts contain ids and addresses callers must not see, so each is replaced by one of our errors.
import { AppError, type ErrorCode } from '../base/errors.ts';
import { retryAfter } from '../nango/nango-client.ts';
import { isKeyRefusal, NangoError, type NangoFailure } from '../nango/nango-error.ts';
import type { HttpAnswer } from '../nango/send-request.ts';

type Fault =
  | 'reconnect_required'
  | 'integration_key_refused'
  | 'provider_unreachable'
  | 'provider_timeout'
  | 'provider_rate_limited'
  | 'provider_redirect_refused';

/** A code that is only significant together with its message. */
const SHARED_CODE = 'server_error';

interface ProxyError {
  readonly status: readonly number[];
  /** Matches its message if there is one; null when it never has one. */
  readonly message: RegExp | null;
  readonly fault: Fault;
}

/**
 * By code, as sent by the proxy or the middleware before it. An app may use the same codes: an error is the proxy's
 * only if status and message match as well.
 */
const PROXY_ERRORS: Readonly<Record<string, ProxyError>> = {
  [SHARED_CODE]: { status: [400, 404, 424, 500], message: /^Failed to get connection/, fault: 'reconnect_required' },
  invalid_credentials: { status: [424], message: /./, fault: 'reconnect_required' },
  failed_to_get_connection: { status: [400], message: /^Failed to get connection/, fault: 'reconnect_required' },
  unknown_connection: { status: [400], message: /./, fault: 'reconnect_required' },
  refresh_token_external_error: {
    status: [400],
    message: /^The external API returned an error/,
    fault: 'reconnect_required',
  },
  connection_refresh_backoff: { status: [424], message: /backing off/i, fault: 'reconnect_required' },
  connection_refresh_exhausted: { status: [424], message: /refresh limit/i, fault: 'reconnect_required' },
  unknown_provider_config: {
    status: [400, 404],
    message: /^(?:Provider config not found|There is no Provider Configuration)/,
    fault: 'reconnect_required',
  },
  unknown_provider: { status: [400], message: /provider/i, fault: 'provider_unreachable' },
  unsupported_provider: { status: [400], message: /provider/i, fault: 'provider_unreachable' },
  unsupported_auth: { status: [400], message: /auth/i, fault: 'provider_unreachable' },
  missing_provider: { status: [400], message: /provider/i, fault: 'provider_unreachable' },
  missing_api_url: { status: [400], message: /url/i, fault: 'provider_unreachable' },
  missing_base_api_url: { status: [400], message: /url/i, fault: 'provider_unreachable' },
  base_url_override_disabled: { status: [400, 403], message: /base url|not allowed/i, fault: 'provider_unreachable' },
  base_url_override_not_allowed: {
    status: [400],
    message: /not allowed by server configuration/,
    fault: 'provider_unreachable',
  },
  plan_limit: { status: [402], message: /plan/i, fault: 'provider_unreachable' },
  unknown_account: { status: [401], message: /^Authentication failed/, fault: 'integration_key_refused' },
  unknown_user_account: { status: [401], message: /./, fault: 'integration_key_refused' },
  missing_auth_header: { status: [401], message: /^Authentication failed/, fault: 'integration_key_refused' },
  malformed_auth_header: { status: [401], message: /^Authentication failed/, fault: 'integration_key_refused' },
  invalid_secret_key_format: { status: [401], message: /^Authentication failed/, fault: 'integration_key_refused' },
  too_many_request: { status: [429], message: null, fault: 'provider_rate_limited' },
};

const MAX_ERROR_BYTES = 16_384;
/** Codes of the proxy's HTTP client for a call without an answer. Any other code means the app was not reached. */
const CLIENT_FAULTS: Readonly<Record<string, Fault>> = {
  ETIMEDOUT: 'provider_timeout',
  ECONNABORTED: 'provider_timeout',
  ESOCKETTIMEDOUT: 'provider_timeout',
  ERR_FR_TOO_MANY_REDIRECTS: 'provider_redirect_refused',
  ERR_FR_REDIRECTION_FAILURE: 'provider_redirect_refused',
};

/** Throws if the answer is the proxy's own error and not the app's. */
export function throwProxyFault(answer: HttpAnswer): void {
  if (isCutOff(answer)) throw new AppError('provider_unreachable', { brokenOff: true });
  const fault = findFault(answer);
  if (fault === undefined) return;
  const wait = fault === 'provider_rate_limited' ? retryAfter(answer.headers['retry-after']) : undefined;
  throw new AppError(fault, wait === undefined ? {} : { retryAfterSeconds: wait });
}

function findFault(answer: HttpAnswer): Fault | undefined {
  const { status, body } = answer;
  if (status < 400 || body.length === 0 || body.length > MAX_ERROR_BYTES || isFromApp(answer)) return undefined;
  const parsed = parseObject(body);
  const { error, ...more } = parsed;
  if (typeof error === 'object' && error !== null)
    return Object.keys(more).length === 0 ? findCoded(status, error as Readonly<Record<string, unknown>>) : undefined;
  return status === 500 ? findUnanswered(parsed) : undefined;
}

/**
 * The proxy forwards an app's headers in lower case, `date` among them, while its own errors carry its server's `Date`.
 * If every header is lower case, something in between may have rewritten them, so spelling proves nothing.
 */
function isFromApp({ spelled = [] }: HttpAnswer): boolean {
  return spelled.includes('date') && spelled.some((name) => name !== name.toLowerCase());
}

/** When an app's answer breaks off midway, the proxy sends its own 500 with an empty body. */
function isCutOff({ status, body, spelled = [] }: HttpAnswer): boolean {
  return status === 500 && body.length === 0 && spelled.includes('Date') && !spelled.includes('date');
}

/** Without any answer the proxy returns its HTTP client's error, in exactly these three fields. */
function findUnanswered({ message, code, method, ...more }: Readonly<Record<string, unknown>>): Fault | undefined {
  if (
    typeof message !== 'string' ||
    typeof code !== 'string' ||
    typeof method !== 'string' ||
    Object.keys(more).length > 0
  )
    return undefined;
  if (!/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/.test(code) || !/^[a-z]+$/i.test(method)) return undefined;
  return Object.hasOwn(CLIENT_FAULTS, code) ? CLIENT_FAULTS[code] : 'provider_unreachable';
}

function findCoded(status: number, { code, message }: Readonly<Record<string, unknown>>): Fault | undefined {
  const known = typeof code === 'string' && Object.hasOwn(PROXY_ERRORS, code) ? PROXY_ERRORS[code] : undefined;
  if (!known?.status.includes(status)) return undefined;
  const matches =
    message === undefined ? code !== SHARED_CODE : typeof message === 'string' && known.message?.test(message) === true;
  return matches ? known.fault : undefined;
}

function parseObject(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const FAILURE_CODES = {
  timeout: 'provider_timeout',
  unreachable: 'provider_unreachable',
  broken_off: 'provider_unreachable',
  aborted: 'provider_unreachable',
  too_large: 'provider_response_too_large',
  malformed: 'provider_response_unreadable',
  refused: 'provider_unreachable',
} as const satisfies Record<NangoFailure, ErrorCode>;

/** Codes for a connection that is lost, on its own or together with its integration. */
const LOST_CODES: ReadonlySet<string | undefined> = new Set([
  'invalid_credentials',
  'unknown_provider_config',
  'unknown_connection',
]);

/** Maps a failed request to the error a caller gets. Credentials that can no longer be renewed require a reconnect. */
export function toToolFailure(error: unknown): unknown {
  if (!(error instanceof NangoError)) return error;
  if (isKeyRefusal(error)) return new AppError('integration_key_refused');
  const lost =
    error.failure === 'refused' && (LOST_CODES.has(error.code) || error.status === 424 || error.status === 404);
  return new AppError(
    lost ? 'reconnect_required' : FAILURE_CODES[error.failure],
    error.failure === 'broken_off' ? { brokenOff: true } : {},
  );
}

/** Adds that a write may have taken effect: the provider does not cancel it when we stop waiting. */
export function asUncertainWrite(failure: unknown): unknown {
  return failure instanceof AppError && (failure.code === 'provider_timeout' || failure.details['brokenOff'] === true)
    ? new AppError(failure.code, { ...failure.details, write: true }, { cause: failure })
    : failure;
}
