// Errors that are the integration provider's own and not the app's. Its proxy answers with them in the app's place, and
// its texts name ids and addresses that callers must not see: each leaves as a refusal of ours.
import { AppError } from '../base/errors.ts';
import { retryAfter } from '../nango/nango-client.ts';
import type { HttpAnswer } from '../nango/send-request.ts';

type Fault = 'reconnect_required' | 'provider_unreachable' | 'provider_timeout' | 'provider_rate_limited' | 'provider_redirect_refused';

const FAULTS: Readonly<Record<string, Fault>> = {
  invalid_credentials: 'reconnect_required',
  unknown_connection: 'reconnect_required',
  refresh_token_external_error: 'reconnect_required',
  connection_refresh_backoff: 'reconnect_required',
  connection_refresh_exhausted: 'reconnect_required',
  failed_to_get_connection: 'reconnect_required',
  unknown_provider_config: 'provider_unreachable',
  unknown_provider: 'provider_unreachable',
  unsupported_provider: 'provider_unreachable',
  unsupported_auth: 'provider_unreachable',
  missing_provider: 'provider_unreachable',
  missing_api_url: 'provider_unreachable',
  missing_base_api_url: 'provider_unreachable',
  base_url_override_disabled: 'provider_unreachable',
  base_url_override_not_allowed: 'provider_unreachable',
  plan_limit: 'provider_unreachable',
  unknown_account: 'provider_unreachable',
  unknown_user_account: 'provider_unreachable',
  missing_auth_header: 'provider_unreachable',
  malformed_auth_header: 'provider_unreachable',
  invalid_secret_key_format: 'provider_unreachable',
  too_many_request: 'provider_rate_limited',
};

/** A code that apps use too: only with this text is it the provider's, for a connection that is gone or cannot be renewed. */
const SHARED_CODE = 'server_error';
const NO_CONNECTION = 'Failed to get connection';

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
  const fault = findOwnFault(answer);
  if (fault === undefined) return;
  const wait = fault === 'provider_rate_limited' ? retryAfter(answer.headers['retry-after']) : undefined;
  throw new AppError(fault, wait === undefined ? {} : { retryAfterSeconds: wait });
}

function findOwnFault({ status, body }: HttpAnswer): Fault | undefined {
  if (status < 400 || body.length === 0 || body.length > LARGEST) return undefined;
  const parsed = parseObject(body);
  const { error } = parsed;
  if (typeof error === 'object' && error !== null) return findCoded(error as Coded);
  return status === 500 ? findUnanswered(parsed) : undefined;
}

/** No answer at all: the provider shows what its own HTTP client said of it, in these three fields and no others. */
function findUnanswered({ message, code, method, ...more }: Readonly<Record<string, unknown>>): Fault | undefined {
  if (typeof message !== 'string' || typeof code !== 'string' || typeof method !== 'string' || Object.keys(more).length > 0) return undefined;
  if (!/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/.test(code) || !/^[a-z]+$/i.test(method)) return undefined;
  return Object.hasOwn(CLIENT_FAULTS, code) ? CLIENT_FAULTS[code] : 'provider_unreachable';
}

interface Coded {
  readonly code?: unknown;
  readonly message?: unknown;
}

function findCoded({ code, message }: Coded): Fault | undefined {
  if (typeof code !== 'string') return undefined;
  if (code === SHARED_CODE) return typeof message === 'string' && message.startsWith(NO_CONNECTION) ? 'reconnect_required' : undefined;
  return Object.hasOwn(FAULTS, code) ? FAULTS[code] : undefined;
}

function parseObject(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
