// One error type for refusals and faults, one table for how each leaves the service. The body's `error` field
// is the row's key unless the specification gives an exact sentence, in which case the row carries it.

type Details = Record<string, unknown>;

interface ErrorRow {
  readonly status: number;
  /** The exact `error` string of the specification; a function when it names something. */
  readonly error?: string | ((details: Details) => string);
  /** One sentence for people: what happened and what to do next. */
  readonly message: string;
  readonly retryable?: true;
}

export const ERRORS = {
  internal: { status: 500, message: 'Something failed on our side. Try again; if it stays, tell your operator the request id.', retryable: true },
  invalid_request: { status: 400, message: 'The request is not valid. See details for each field.' },
  unauthenticated: { status: 401, message: 'Sign in, or send a valid token as a bearer token.' },
  not_found: { status: 404, message: 'There is nothing here, or you may not see it.' },
  method_not_allowed: { status: 405, message: 'This address does not take that method.' },
  request_too_large: { status: 413, message: 'The request body is larger than this address takes.' },
  conflict: { status: 409, message: 'The same thing was changed at the same time. Read it again and retry.', retryable: true },
  unavailable: { status: 503, message: 'The service is starting or its database cannot be reached. Try again shortly.', retryable: true },
  cross_origin: { status: 403, message: 'This request came from another origin. Open the app at its own address.' },
  insufficient_scope: { status: 403, message: 'The token lacks the scope that this address needs. Make a token that has it.' },

  service_debug_disabled: { status: 503, message: 'Diagnostics are off. Set SERVICE_DEBUG_TOKEN or SERVICE_DEBUG_JWT_SECRET to enable them.' },

  receipt_chain_invalid: {
    status: 409,
    error: ({ stream, reason, index }) => `Service runtime refused to replay invalid chain for stream '${stream}': ${reason} at index ${index}`,
    message: 'The stored receipts of this stream no longer verify. Compare them with an export or a checkpoint.',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: Details;

  constructor(code: ErrorCode, details: Details = {}, options?: { cause?: unknown }) {
    super(wireText(code, details), options);
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

export interface ErrorBody {
  ok: false;
  error: string;
  message?: string;
  details?: unknown;
}

/** The JSON body under which an error leaves the service. An unknown error leaves as `internal`, never its text. */
export function errorBody(error: unknown): { status: number; body: ErrorBody } {
  const known = error instanceof AppError ? error : new AppError('internal');
  const row: ErrorRow = ERRORS[known.code];
  return {
    status: row.status,
    body: {
      ok: false,
      error: wireText(known.code, known.details),
      message: row.message,
      ...(Object.keys(known.details).length > 0 ? { details: known.details } : {}),
    },
  };
}

function wireText(code: ErrorCode, details: Details): string {
  const row: ErrorRow = ERRORS[code];
  if (row.error === undefined) return code;
  return typeof row.error === 'string' ? row.error : row.error(details);
}
