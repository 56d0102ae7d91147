// Model calls of a background run. Each takes every check of a turn except the per-user limit, which counts requests by
// people. Runs use OpenAI only and are paid for at the organization's scope unless they name a funding workspace; a
// Models account of that workspace takes precedence, as in chat. Usage per run is capped.
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Settlement } from '../enforcement/budget.ts';
import { RUN_USER_AGENT } from '../net/run-user-agent.ts';
import { PROTOCOLS } from '../model-providers/codecs/protocols.ts';
import { readEnvelope } from '../model-providers/codecs/read-envelope.ts';
import type { Protocol } from '../model-providers/codecs/neutral.ts';
import type { Loose } from '../model-providers/codecs/read-fields.ts';
import { answerTurn, type TurnDeps } from './answer-turn.ts';
import { nameOf } from './decide-turn.ts';
import type { TurnRequest, TurnCaller } from './open-turn.ts';
import { buildProviderRequest } from './address-request.ts';
import type { ProviderRequest } from './provider-request.ts';
import { createResponseStream } from './response-stream.ts';

export interface RunFunding {
  readonly userId: string;
  readonly organizationId: string;
  readonly fundingWorkspaceId: string | undefined;
  /** What its usage is counted for. */
  readonly workspaceId: string | undefined;
  readonly projectId: string | undefined;
  /** The token that it was started with, by its id. */
  readonly tokenId: string | undefined;
  /** What earlier attempts at the run used: it counts against its budget. */
  readonly spent: Omit<RunUse, 'credential' | 'served'>;
}

/** A run counts for the named token that it was started with, and may use the models that this token may. */
export interface RunTurns extends TurnDeps {
  readonly findRunToken: (
    tokenId: string,
  ) => Promise<{ readonly spendTokenId: string; readonly models: readonly string[] | undefined } | undefined>;
}

interface RunCall {
  readonly path: string;
  readonly body: Loose;
  readonly signal: AbortSignal;
}

interface RunAnswer {
  readonly response: Response;
  readonly refusal?: AppError;
}

interface RunUse {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costMicros: number;
  readonly credential: string | undefined;
  readonly served: string | undefined;
}

const SURFACES: Readonly<Record<string, Protocol>> = { '/v1/responses': 'responses', '/v1/chat/completions': 'chat' };

export interface RunModelCalls {
  call(call: RunCall): Promise<RunAnswer>;
  used(): RunUse;
}

export function openRunModels(turns: RunTurns, budgetMicros: number, funding: RunFunding): RunModelCalls {
  const meter = createMeter(funding.spent);

  async function answer(call: RunCall, surface: Protocol): Promise<Response> {
    if (meter.read().costMicros >= budgetMicros)
      throw new AppError('run_budget_exhausted', { budgetUsd: budgetMicros / 1_000_000 });
    const { caller, scope } = await findPayer(turns, funding);
    const envelope = readEnvelope(surface, call.body);
    const request: TurnRequest<ProviderRequest> = {
      model: envelope.model,
      modality: 'chat',
      surface: 'run',
      inputBytes: Buffer.byteLength(JSON.stringify(call.body)),
      ...(scope === 'organization' ? { scope } : {}),
      forRun: true,
      counted: true,
      prepare: (route) => asRun(buildProviderRequest(route, { surface, body: call.body, betas: [] }, turns.urls)),
    };
    const sink = createResponseStream(call.signal, ({ route: taken, request: { leftOut = [], tools } }) => ({
      surface,
      stream: envelope.stream,
      answer: {
        key: newId('a').slice(2),
        model: nameOf(taken),
        createdSeconds: Math.floor(Date.now() / 1000),
        includeUsage: envelope.includeUsage,
        request: call.body,
        tools,
      },
      headers: {
        'x-service-credential': taken.credential.kind,
        'x-service-provider': taken.provider,
        ...(taken.served === undefined ? {} : { 'x-service-model': taken.served }),
        ...(leftOut.length > 0 ? { 'x-service-left-out': leftOut.join(', ') } : {}),
      },
    }));
    const settle = Object.assign((settlement: Settlement) => (meter.add(settlement), turns.settle(settlement)), {
      flush: () => turns.settle.flush(),
      drain: () => turns.settle.drain(),
    });
    return sink.answerWith(answerTurn({ ...turns, settle }, caller, request, sink));
  }

  return {
    async call(call) {
      const surface = SURFACES[call.path];
      try {
        if (!surface) throw new AppError('not_found');
        return { response: await answer(call, surface) };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return { response: refuse(surface ?? 'chat', error), refusal: error };
      }
    },
    used: () => meter.read(),
  };
}

function asRun(request: ProviderRequest): ProviderRequest {
  return {
    ...request,
    upstream: { ...request.upstream, headers: { ...request.upstream.headers, 'user-agent': RUN_USER_AGENT } },
  };
}

/** Adds up the settlements. A call with no reservation counts at the catalogue price, if there is one. */
function createMeter(spent: RunFunding['spent']): { add(settlement: Settlement): void; read(): RunUse } {
  let use: RunUse = { ...spent, credential: undefined, served: undefined };
  return {
    add({ uses, costMicros, inputTokens, outputTokens, credential, served }) {
      if (!uses) return;
      use = {
        calls: use.calls + 1,
        inputTokens: use.inputTokens + inputTokens,
        outputTokens: use.outputTokens + outputTokens,
        costMicros: use.costMicros + (costMicros ?? 0),
        credential: credential === '' ? undefined : credential,
        served,
      };
    },
    read: () => use,
  };
}

/** Global is another name for the organization's scope. */
async function findPayer(
  turns: RunTurns,
  { userId, organizationId, fundingWorkspaceId, workspaceId, projectId, tokenId }: RunFunding,
): Promise<{ caller: TurnCaller; scope: 'workspace' | 'organization' }> {
  const token = tokenId === undefined ? undefined : await turns.findRunToken(tokenId);
  const caller = { userId, tokenId: undefined, organizationId, spendWorkspaceId: workspaceId, projectId, ...token };
  const context =
    fundingWorkspaceId === undefined
      ? undefined
      : await turns.contexts.find({ userId, organizationId, workspace: undefined });
  if (fundingWorkspaceId === undefined || context?.globalWorkspaceId === fundingWorkspaceId)
    return { caller: { ...caller, workspace: undefined }, scope: 'organization' };
  return { caller: { ...caller, workspace: fundingWorkspaceId }, scope: 'workspace' };
}

function refuse(surface: Protocol, error: AppError): Response {
  const { status, body } = PROTOCOLS[surface].encodeError(error);
  const retryAfter = error.details['retryAfterSeconds'];
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/json',
      'x-should-retry': String(error.retryable),
      ...(typeof retryAfter === 'number' ? { 'retry-after': String(retryAfter) } : {}),
    },
  });
}
