// What becomes of a provider's whole answer: passed on under the client's name of the model, or translated. A large one
// is converted on a thread.
import { collectResponse } from '../model-providers/codecs/collect-response.ts';
import { type Answer, encodeResponse } from '../model-providers/codecs/encode-answer.ts';
import type { Failure, Protocol, Usage } from '../model-providers/codecs/neutral.ts';
import { observeResponse } from '../model-providers/codecs/observe-response.ts';
import { PROTOCOLS } from '../model-providers/codecs/protocols.ts';
import { failureForClient } from '../model-providers/codecs/provider-failures.ts';
import { isObject, type Loose } from '../model-providers/codecs/read-fields.ts';
import { correctAnswer, findCorrections, renameModel } from '../model-providers/codecs/rewrite-stream.ts';

export interface Conversion {
  readonly surface: Protocol;
  readonly protocol: Protocol;
  readonly answer: Answer;
  readonly passThrough: boolean;
  /** Whether the account at the provider is the caller's. */
  readonly own: boolean;
  /** Whether the response is to be stored. */
  readonly keeps: boolean;
}

export type Converted<Ended = Loose> =
  | {
      readonly body: Buffer | string;
      readonly usage: Usage | undefined;
      /** The response as the client knows it, to be stored. */
      readonly ended?: Ended | undefined;
      readonly failure?: undefined;
    }
  | { readonly body?: undefined; readonly failure: Failure };

/** Undefined if it is not JSON. */
export function convertAnswer(
  { surface, protocol, answer, passThrough, own, keeps }: Conversion,
  bytes: Buffer,
): Converted | undefined {
  const body = parseJson(bytes);
  if (body === undefined) return undefined;
  if (passThrough)
    return {
      body: correctAnswer(
        renameModel(bytes, isObject(body) ? body['model'] : undefined, answer.model),
        findCorrections(surface, answer),
      ),
      usage: observeResponse(protocol, body).usage,
      ended: keeps && isObject(body) ? { ...body, model: answer.model } : undefined,
    };
  const response = collectResponse(PROTOCOLS[protocol].decodeResponse(body));
  if ('kind' in response) return { failure: failureForClient(response, own) };
  const text = encodeResponse(surface, response, answer);
  return { body: text, usage: response.usage, ended: keeps ? (JSON.parse(text) as Loose) : undefined };
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
