// POST /connect/call: a tool call over REST. The provider's JSON is passed on verbatim.
import type { Context } from 'hono';
import type { z } from 'zod';
import { AppError, errorBody } from '../../base/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import { reportFailure } from '../../telemetry/report-failure.ts';
import { callRequest } from '../../contract/calls.ts';
import type { Queryable } from '../../store/database.ts';
import { type Caller, findCallerMembership } from '../../tenancy/tokens/find-caller.ts';
import { callTool, type ReceiptPointer, type ToolOutcome } from '../../tools/call-tool.ts';
import { isAllowedHeader } from '../../tools/check-headers.ts';
import type { ToolDeps } from '../../tools/tool-deps.ts';
import { invalidRequest } from '../shell/validate.ts';
import { retryAfterOf } from '../shell/write-error.ts';
import { parseJson } from '../../base/parse-json.ts';
import type { PlainRoutes } from '../shell/plain-routes.ts';
import { requireScope } from '../shell/authenticate-token.ts';

export interface CallRouteDeps {
  readonly db: Queryable;
  readonly authenticate: (request: Request) => Promise<Caller>;
  readonly tools: ToolDeps;
  readonly log: Log;
}

export function mountCalls(routes: PlainRoutes, { db, authenticate, tools, log }: CallRouteDeps): void {
  const identify = async (c: Context): Promise<Caller> => {
    const caller = await authenticate(c.req.raw);
    requireScope(caller, 'connect:read');
    return caller;
  };
  const handle = async (c: Context, caller: Caller, body: Buffer): Promise<Response> => {
    if (!tools.provider) throw new AppError('integrations_not_configured');
    const call = readCall(body);
    const membership = await findCallerMembership(db, caller, call.workspace);
    const outcome = await callTool(
      tools,
      { userId: caller.userId, scopes: caller.scopes, capabilities: caller.capabilities, membership },
      {
        connection: call.connection,
        tool: call.tool,
        arguments: call.arguments === undefined ? {} : call.arguments,
        record: true,
        signal: c.req.raw.signal,
      },
    );
    return toResponse(outcome, log);
  };
  routes.on({ method: 'POST', path: '/connect/call', cost: 'provider', body: 'tool', identify, handle });
}

function readCall(bytes: Buffer): z.infer<typeof callRequest> {
  const body = parseJson(bytes);
  refuseHeaders(body);
  const parsed = callRequest.safeParse(body);
  if (parsed.success) return parsed.data;
  throw invalidRequest(parsed.error.issues);
}

/** A call accepts no headers. The refusal of a dangerous one names it. */
function refuseHeaders(body: unknown): void {
  const headers = typeof body === 'object' && body !== null ? (body as { headers?: unknown }).headers : undefined;
  if (typeof headers !== 'object' || headers === null) return;
  const refused = Object.keys(headers).find((name) => !isAllowedHeader(name));
  if (refused !== undefined) throw new AppError('header_not_allowed', { header: refused });
}

const RECONNECT = 'reconnect_required';

function toResponse(outcome: ToolOutcome, log: Log): Response {
  const receipt = outcome.receipt === undefined ? {} : { receipt: outcome.receipt };
  if ('answer' in outcome) {
    const { status, headers, data } = outcome.answer;
    const ok = status >= 200 && status < 300;
    return json(
      200,
      writeAnswer({ ok, status, ...(status === 401 ? { error: RECONNECT } : {}), headers }, data, outcome.receipt),
    );
  }
  const { failure } = outcome;
  if (failure instanceof AppError && failure.code === RECONNECT)
    return json(200, JSON.stringify({ ...errorBody(failure).body, status: 401, ...receipt }));
  reportFailure(log, failure);
  const { status, body } = errorBody(failure);
  return json(status, JSON.stringify({ ...body, ...receipt }), retryAfterOf(body));
}

function writeAnswer(head: Record<string, unknown>, data: string, receipt: ReceiptPointer | undefined): string {
  return `${JSON.stringify(head).slice(0, -1)},"data":${data},"receipt":${JSON.stringify(receipt ?? null)}}`;
}

function json(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(body, {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  });
}
