// Answers in the protocol's own type and, where something is refused, in its own shape (RFC 7644, section 3.12).
import { AppError, errorBody } from '../../base/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import { isWriteConflict } from '../../timing/database-fault.ts';
import { SCHEMA, SCIM_TYPE } from '../../scim/protocol/schema-names.ts';
import { ScimError, type ScimType } from '../../scim/scim-error.ts';
import { errorResponse, type RenderedError } from '../shell/write-error.ts';

const HEADERS = { 'content-type': `${SCIM_TYPE}; charset=utf-8`, 'cache-control': 'no-store' } as const;

export function scimResource(resource: Readonly<Record<string, unknown>>, status = 200): Response {
  const { location } = (resource['meta'] ?? {}) as { location?: string };
  return new Response(JSON.stringify(resource), {
    status,
    headers: { ...HEADERS, ...(status === 201 && location !== undefined ? { location } : {}) },
  });
}

export function scimList(
  resources: readonly Readonly<Record<string, unknown>>[],
  { total, startIndex }: { readonly total: number; readonly startIndex: number },
): Response {
  return scimResource({
    schemas: [SCHEMA.list],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  });
}

export function scimNothing(): Response {
  return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } });
}

export function scimFailure(error: unknown, log: Log): Response {
  const challenge = error instanceof AppError && error.status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  return errorResponse(error, log, { ...HEADERS, ...challenge }, render);
}

/** Identity providers take 409 to mean that the person is there already, so a full organization is 403 here. */
const OTHER_STATUS: Readonly<Record<string, number>> = { seat_capacity_reached: 403 };

function render(error: unknown): RenderedError {
  if (error instanceof ScimError) return { ...refusal(error.status, error.message, error.scimType), isRefusal: true };
  if (isWriteConflict(error))
    return {
      ...refusal(409, 'Something else has changed it at the same moment. Try again.', 'uniqueness'),
      isRefusal: true,
    };
  const { status, body } = errorBody(error);
  if (!(error instanceof AppError)) return refusal(status, body.message ?? 'internal');
  return refusal(
    OTHER_STATUS[error.code] ?? status,
    describe(error),
    error.code === 'invalid_request' ? 'invalidSyntax' : undefined,
  );
}

function refusal(status: number, detail: string, scimType?: ScimType): RenderedError {
  return {
    status,
    body: {
      schemas: [SCHEMA.error],
      status: String(status),
      ...(scimType === undefined ? {} : { scimType }),
      detail,
    },
  };
}

/** What is wrong with each part, if the error names any. */
function describe(error: AppError): string {
  const faults = Object.entries(error.details).filter(([, fault]) => typeof fault === 'string');
  return error.code === 'invalid_request' && faults.length > 0
    ? faults.map(([part, fault]) => `${part} ${String(fault)}`).join('; ')
    : (errorBody(error).body.message ?? error.code);
}
