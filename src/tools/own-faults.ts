// Errors that are the integration provider's own and not the app's. Its proxy answers with them in the app's place, and
// its texts name ids and addresses that callers must not see: each leaves as a refusal of ours.
import { AppError } from '../base/errors.ts';
import { retryAfter } from '../nango/nango-client.ts';
import type { HttpAnswer } from '../nango/send-request.ts';

type Fault =
  | 'reconnect_required'
  | 'integration_key_refused'
  | 'provider_unreachable'
  | 'provider_timeout'
  | 'provider_rate_limited'
  | 'provider_redirect_refused';

/** A code that says nothing without its text. */
const SHARED_CODE = 'server_error';

interface OwnError {
  readonly status: readonly number[];
  /** What its message says, where it has one; null when it never has. */
  readonly says: RegExp | null;
  readonly fault: Fault;
}

/**
 * By code, as the provider's proxy and what stands before it send them. An app may use any of these codes as well: only
 * with the provider's status and text is it the provider's error.
 */
const OWN_ERRORS: Readonly<Record<string, OwnError>> = {
  [SHARED_CODE]: { status: [400, 404, 424, 500], says: /^Failed to get connection/, fault: 'reconnect_required' },
  invalid_credentials: { status: [424], says: /./, fault: 'reconnect_required' },
  failed_to_get_connection: { status: [400], says: /^Failed to get connection/, fault: 'reconnect_required' },
  unknown_connection: { status: [400], says: /./, fault: 'reconnect_required' },
  refresh_token_external_error: {
    status: [400],
    says: /^The external API returned an error/,
    fault: 'reconnect_required',
  },
  connection_refresh_backoff: { status: [424], says: /backing off/i, fault: 'reconnect_required' },
  connection_refresh_exhausted: { status: [424], says: /refresh limit/i, fault: 'reconnect_required' },
  unknown_provider_config: {
    status: [400, 404],
    says: /^(?:Provider config not found|There is no Provider Configuration)/,
    fault: 'reconnect_required',
  },
  unknown_provider: { status: [400], says: /provider/i, fault: 'provider_unreachable' },
  unsupported_provider: { status: [400], says: /provider/i, fault: 'provider_unreachable' },
  unsupported_auth: { status: [400], says: /auth/i, fault: 'provider_unreachable' },
  missing_provider: { status: [400], says: /provider/i, fault: 'provider_unreachable' },
  missing_api_url: { status: [400], says: /url/i, fault: 'provider_unreachable' },
  missing_base_api_url: { status: [400], says: /url/i, fault: 'provider_unreachable' },
  base_url_override_disabled: { status: [400, 403], says: /base url|not allowed/i, fault: 'provider_unreachable' },
  base_url_override_not_allowed: {
    status: [400],
    says: /not allowed by server configuration/,
    fault: 'provider_unreachable',
  },
  plan_limit: { status: [402], says: /plan/i, fault: 'provider_unreachable' },
  unknown_account: { status: [401], says: /^Authentication failed/, fault: 'integration_key_refused' },
  unknown_user_account: { status: [401], says: /./, fault: 'integration_key_refused' },
  missing_auth_header: { status: [401], says: /^Authentication failed/, fault: 'integration_key_refused' },
  malformed_auth_header: { status: [401], says: /^Authentication failed/, fault: 'integration_key_refused' },
  invalid_secret_key_format: { status: [401], says: /^Authentication failed/, fault: 'integration_key_refused' },
  too_many_request: { status: [429], says: null, fault: 'provider_rate_limited' },
};

const LARGEST = 16_384;
/** What the provider's HTTP client says of a call that got no answer; every other code of it is one that could not be made. */
const CLIENT_FAULTS: Readonly<Record<string, Fault>> = {
  ETIMEDOUT: 'provider_timeout',
  ECONNABORTED: 'provider_timeout',
  ESOCKETTIMEDOUT: 'provider_timeout',
  ERR_FR_TOO_MANY_REDIRECTS: 'provider_redirect_refused',
  ERR_FR_REDIRECTION_FAILURE: 'provider_redirect_refused',
};

/** Throws for an answer that no app has given. */
export function refuseOwnFaults(answer: HttpAnswer): void {
  if (isBrokenOff(answer)) throw new AppError('provider_unreachable', { brokenOff: true });
  const fault = findOwnFault(answer);
  if (fault === undefined) return;
  const wait = fault === 'provider_rate_limited' ? retryAfter(answer.headers['retry-after']) : undefined;
  throw new AppError(fault, wait === undefined ? {} : { retryAfterSeconds: wait });
}

function findOwnFault(answer: HttpAnswer): Fault | undefined {
  const { status, body } = answer;
  if (status < 400 || body.length === 0 || body.length > LARGEST || isHandedOn(answer)) return undefined;
  const parsed = parseObject(body);
  const { error, ...more } = parsed;
  if (typeof error === 'object' && error !== null)
    return Object.keys(more).length === 0 ? findCoded(status, error as Readonly<Record<string, unknown>>) : undefined;
  return status === 500 ? findUnanswered(parsed) : undefined;
}

/**
 * The provider sends an app's error with the app's headers, in lower case, its date among them; what it says itself is
 * dated by its own server, which writes `Date`. Something in between may have written all of them small: then they say
 * nothing.
 */
function isHandedOn({ spelled = [] }: HttpAnswer): boolean {
  return spelled.includes('date') && spelled.some((name) => name !== name.toLowerCase());
}

/** An app that breaks off inside its answer leaves nothing but the provider's own 500, without a word. */
function isBrokenOff({ status, body, spelled = [] }: HttpAnswer): boolean {
  return status === 500 && body.length === 0 && spelled.includes('Date') && !spelled.includes('date');
}

/** No answer at all: the provider shows what its own HTTP client said of it, in these three fields and no others. */
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
  const own = typeof code === 'string' && Object.hasOwn(OWN_ERRORS, code) ? OWN_ERRORS[code] : undefined;
  if (!own?.status.includes(status)) return undefined;
  const fits =
    message === undefined ? code !== SHARED_CODE : typeof message === 'string' && own.says?.test(message) === true;
  return fits ? own.fault : undefined;
}

function parseObject(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
