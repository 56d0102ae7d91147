// How a request for an answer is put to the server of an account: its path and its body. Pure, because the body of a
// large request is prepared on a thread.
import type { AccountAuth } from '../../contract/accounts/account-kinds.ts';
import type { Protocol } from '../../model-providers/codecs/neutral.ts';
import { PROTOCOLS } from '../../model-providers/codecs/protocols.ts';
import type { Loose } from '../../model-providers/codecs/read-fields.ts';

/** As the model's own provider would take it. */
export interface AccountCall {
  readonly protocol: Protocol;
  readonly model: string;
  readonly body: Loose;
  readonly betas: readonly string[];
}

/** The same as the server takes it. The path is appended to the base URL. */
export interface FittedCall {
  readonly path: string;
  readonly body: Loose;
  /** Those that are sent as a header. */
  readonly betas: readonly string[];
}

export const FIT_CALL: Readonly<Record<AccountAuth, (call: AccountCall) => FittedCall>> = {
  bearer: fitPlain,
  azure: fitPlain,
  /** Of Messages, the path says which model answers and whether it streams. */
  aws({ protocol, model, body, betas }) {
    if (protocol !== 'messages') return { path: '/openai/v1/chat/completions', body, betas };
    const { model: _model, stream, ...rest } = body;
    return {
      path: `/model/${encodeURIComponent(model)}/invoke${stream === true ? '-with-response-stream' : ''}`,
      body: {
        anthropic_version: 'bedrock-2023-05-31',
        ...rest,
        ...(betas.length === 0 ? {} : { anthropic_beta: betas }),
      },
      betas: [],
    };
  },
  google({ protocol, model, body, betas }) {
    if (protocol !== 'messages') return { path: '/endpoints/openapi/chat/completions', body, betas };
    const { model: _model, ...rest } = body;
    const verb = body['stream'] === true ? 'streamRawPredict' : 'rawPredict';
    return {
      path: `/publishers/anthropic/models/${encodeURIComponent(model)}:${verb}`,
      body: { anthropic_version: 'vertex-2023-10-16', ...rest },
      betas,
    };
  },
};

/** The path below a base URL that includes /v1. */
export const belowV1 = (path: string): string => path.slice('/v1'.length);

function fitPlain({ protocol, body, betas }: AccountCall): FittedCall {
  return { path: belowV1(PROTOCOLS[protocol].path), body, betas };
}
