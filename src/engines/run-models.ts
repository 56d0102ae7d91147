// How an engine calls models: over the wire of OpenAI, but through the service, which checks the policy, finds out who
// pays, reserves and settles. No engine ever holds a provider's key. Chat implements it; the entry hands it in.
import type { AppError } from '../base/errors.ts';

/** Who pays for a run. */
export interface RunPayer {
  readonly userId: string;
  readonly organizationId: string;
  /** Absent: the organization's scope. */
  readonly fundingWorkspaceId: string | undefined;
  /** The workspace, the project and the token that its usage is counted for. */
  readonly workspaceId: string | undefined;
  readonly projectId: string | undefined;
  readonly tokenId: string | undefined;
  /** What earlier attempts used: it counts against the run's budget, and into its result. */
  readonly spent: Pick<ModelUse, 'calls' | 'inputTokens' | 'outputTokens' | 'costMicros'>;
}

interface ModelCall {
  /** `/v1/responses` or `/v1/chat/completions`. */
  readonly path: string;
  /** The body as a client of that path sends it; `model` is a name of the catalogue. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

interface ModelAnswer {
  /** Status, headers and body as `/v1` gives them, a refusal included; streamed when the body asked for that. */
  readonly response: Response;
  readonly refusal?: AppError;
}

export interface ModelUse {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** At the catalogue's prices, no matter who pays. */
  readonly costMicros: number;
  /** Of the last call: `own-key`, `models-account` or `platform`. */
  readonly credential: string | undefined;
  /** The model that answered the last call, if the run named an automatic one. */
  readonly served?: string | undefined;
}

export interface RunModels {
  call(call: ModelCall): Promise<ModelAnswer>;
  /** The usage of the run so far; complete for answers that have been read to the end. */
  used(): ModelUse;
}

export type OpenRunModels = (payer: RunPayer) => RunModels;
