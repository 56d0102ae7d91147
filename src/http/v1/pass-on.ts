// Surfaces that are passed on to the provider as they are: speech, images, moderations, and the compaction of a
// conversation. An own key or a Models account pays; policy, token and limits apply as to every request. A form is
// written again, so that the model that was checked is the one that the provider reads.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../../base/errors.ts';
import { observeResponse } from '../../model-providers/codecs/observe-response.ts';
import type { Usage } from '../../model-providers/codecs/neutral.ts';
import type { Route } from '../../turns/decide-turn.ts';
import { answerTurn, type TurnSink } from '../../turns/answer-turn.ts';
import { addressRequest, buildProviderRequest } from '../../turns/address-request.ts';
import { pathAt, type ProviderRequest } from '../../turns/provider-request.ts';
import type { Received } from '../shell/admission/admission.ts';
import { readSentBody } from '../shell/sent-body.ts';
import type { OpenDeps, OpenRequest } from './open-response.ts';
import { headersOf, signalOf } from './response-sink.ts';
import type { ChatSurface } from './surfaces.ts';

/** The provider's own choice, if the request names no model. */
const DEFAULT_MODELS: Readonly<Record<string, string>> = { '/v1/moderations': 'omni-moderation-latest' };

export interface PassRequest extends OpenRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly surface: ChatSurface;
}

export async function passOn(deps: OpenDeps, asked: PassRequest, received: Received): Promise<void> {
  const { request, response, path, caller, limit } = asked;
  const { model = DEFAULT_MODELS[path], prepare } = isForm(request)
    ? await readForm(deps, path, received.content, request.headers['content-type'] ?? '')
    : await readJson(deps, asked, received);
  if (typeof model !== 'string' || model === '')
    throw new AppError('invalid_request', { model: 'must be the name of a model' });
  await answerTurn(
    deps,
    caller,
    {
      model,
      modality: 'chat',
      surface: asked.surface.name,
      inputBytes: received.content.length,
      passes: true,
      counted: limit.counted,
      prepare,
    },
    createSink(response),
  );
}

interface Passed {
  readonly model?: unknown;
  readonly prepare: (route: Route) => ProviderRequest | Promise<ProviderRequest>;
}

async function readJson(deps: OpenDeps, { response, path }: PassRequest, received: Received): Promise<Passed> {
  const sent = await readSentBody(received, response, 'passed');
  const large = sent.read && sent.asLarge();
  return {
    model: sent.body['model'],
    prepare: (route) =>
      large?.prepare(route, { betas: [], path }, deps.urls) ??
      buildProviderRequest(route, { surface: 'passed', body: sent.body, path }, deps.urls),
  };
}

export function isForm({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return /^multipart\/form-data\b/i.test(headers['content-type'] ?? '');
}

async function readForm(deps: OpenDeps, path: string, content: Buffer, contentType: string): Promise<Passed> {
  const form = await parseForm(content, contentType);
  const named = form.getAll('model');
  if (named.length > 1) throw new AppError('invalid_request', { model: 'is given more than once' });
  return {
    model: named[0],
    async prepare(route) {
      if (named.length > 0) form.set('model', route.upstreamModel);
      const written = new Response(form);
      return addressRequest(
        route,
        {
          protocol: 'chat',
          passThrough: true,
          path: pathAt(route, path),
          json: Buffer.from(await written.arrayBuffer()),
          contentType: written.headers.get('content-type') ?? '',
        },
        deps.urls,
      );
    },
  };
}

async function parseForm(content: Buffer, contentType: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(content), { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw new AppError('invalid_request', { body: 'must be a form as multipart/form-data' });
  }
}

/** A page that a browser would run is no answer of these surfaces. */
const PASSED_TYPE = /^(?:application\/json|text\/(?:event-stream|plain|vtt)|audio\/[\w.+-]+|image\/(?!svg)[\w.+-]+)\b/i;
const OTHER_TYPE = 'application/octet-stream';
const NOTHING: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};
/** A longer answer is not read for the tokens that it reports. */
const READ_BYTES = 1024 * 1024;

function createSink(response: ServerResponse): TurnSink {
  return {
    kind: 'whole',
    gone: signalOf(response),
    onDrain: (resume) => void response.on('drain', resume),
    begin(head) {
      const { contentType = '' } = head;
      response.writeHead(200, {
        'content-type': PASSED_TYPE.test(contentType) ? contentType : OTHER_TYPE,
        'x-content-type-options': 'nosniff',
        ...headersOf(head),
      });
      const read: Buffer[] = [];
      let size = 0;
      return {
        take(chunk) {
          size += chunk.length;
          if (size <= READ_BYTES && contentType.startsWith('application/json')) read.push(chunk);
          return response.write(chunk);
        },
        end() {
          response.end();
          return { usage: size <= READ_BYTES ? usageOf(Buffer.concat(read)) : NOTHING, outputBytes: 0 };
        },
        breakOff() {
          response.destroy();
          return { usage: NOTHING, outputBytes: 0 };
        },
      };
    },
  };
}

function usageOf(bytes: Buffer): Usage {
  try {
    return observeResponse('responses', JSON.parse(bytes.toString('utf8'))).usage ?? NOTHING;
  } catch {
    return NOTHING;
  }
}
