// A client's body that is too large for the event loop. Here it is only bytes; a thread reads and prepares it.
import { AppError } from '../../base/errors.ts';
import type { NeutralRequest } from '../../model-providers/codecs/neutral.ts';
import type { ProviderUrls } from '../../model-providers/providers.ts';
import type { Conversion, Converted } from '../convert-answer.ts';
import type { Route, RouteTarget } from '../decide-turn.ts';
import { addressRequest, buildProviderRequest } from '../address-request.ts';
import type { ProviderRequest } from '../provider-request.ts';
import type { StoredBytes } from '../../stored-responses/seal-response.ts';
import type { ResponseBytes } from '../../stored-responses/stored-response.ts';
import { LARGE } from '../../base/parse-json.ts';
import type { StoredParts } from '../../stored-responses/resolve-references.ts';
import {
  type BodyJob,
  type BodyKind,
  type BodyPrepared,
  type JobResult,
  type LentBody,
  type ReadBody,
} from './body-job.ts';
import { runOnThread } from './body-threads.ts';

export type LargeAnswer = Converted<ResponseBytes>;

export interface PrepareOptions {
  readonly betas: readonly string[];
  readonly stored?: StoredParts | undefined;
  readonly keeps?: boolean;
  readonly path?: string;
  /** Throws if what was found is refused. */
  readonly check?: (prepared: Pick<BodyPrepared, 'missing' | 'addedBytes'>) => void;
}

export interface LargeBody {
  /** Of a body that nobody has read yet. */
  read(): Promise<ReadBody>;
  prepare(route: Route, options: PrepareOptions, urls: ProviderUrls): Promise<ProviderRequest>;
}

export function createLargeBody(content: Buffer, kind: BodyKind, signal: AbortSignal | undefined): LargeBody {
  let held: LentBody | undefined = { bytes: ownBytes(content) };
  let last: { readonly key: string; readonly prepared: Promise<BodyPrepared> } | undefined;

  /** What a thread that was ended had is lost: the request is over then. */
  function lend(stored?: StoredParts): LentBody {
    if (held === undefined) throw new Error('the body is on a thread that has ended');
    const lent = { bytes: held.bytes, stored: held.stored ?? stored };
    held = undefined;
    return lent;
  }

  async function run(job: BodyJob): Promise<JobResult> {
    const result = await runOnThread(job, signal);
    held = result.lent;
    return result;
  }

  async function prepare(
    route: RouteTarget,
    { betas, stored, keeps = false, path }: PrepareOptions,
  ): Promise<BodyPrepared> {
    const result = await run({ does: 'prepare', lent: lend(stored), kind, route, betas, keeps, path });
    return getDone(result, 'prepared');
  }

  return {
    read: async () => getDone(await run({ does: 'read', lent: lend(), kind }), 'read'),
    async prepare(route, options, urls) {
      const target = targetOf(route);
      // A turn that has to be decided again mostly takes the same route.
      const key = JSON.stringify([target, options.betas]);
      last = last?.key === key ? last : { key, prepared: prepare(target, options) };
      const { body, added, missing, addedBytes } = await last.prepared;
      options.check?.({ missing, addedBytes });
      return { ...addressRequest(route, { ...body, json: asBuffer(body.json) }, urls), added };
    },
  };
}

/** A conversation of the web app. A large one is a few strings, which are copied to the thread as they are. */
export function prepareConversation(
  route: Route,
  request: NeutralRequest,
  urls: ProviderUrls,
  signal: AbortSignal,
): ProviderRequest | Promise<ProviderRequest> {
  return lengthOf(request) > LARGE.bytes
    ? prepareLarge(route, request, urls, signal)
    : buildProviderRequest(route, { surface: undefined, request }, urls);
}

/** The texts and files of what users said and were answered. */
function lengthOf({ system, messages }: NeutralRequest): number {
  let length = 0;
  for (const text of system) length += text.length;
  for (const message of messages)
    for (const part of 'parts' in message ? message.parts : []) {
      if ('text' in part) length += part.text.length;
      else if ('source' in part && 'data' in part.source) length += part.source.data.length;
      else if ('source' in part && 'text' in part.source) length += part.source.text.length;
    }
  return length;
}

async function prepareLarge(
  route: Route,
  request: NeutralRequest,
  urls: ProviderUrls,
  signal: AbortSignal,
): Promise<ProviderRequest> {
  const result = await runOnThread({ does: 'encode', request, route: targetOf(route) }, signal);
  const { body } = getDone(result, 'prepared');
  return addressRequest(route, { ...body, json: asBuffer(body.json) }, urls);
}

/** Never rejects: what a thread cannot convert is refused like what is not JSON. */
export async function convertLargeAnswer(conversion: Conversion, bytes: Buffer): Promise<LargeAnswer | undefined> {
  try {
    const lent = { bytes: ownBytes(bytes) };
    const { body, failure, usage, ended } = getDone(
      await runOnThread({ does: 'convert', lent, conversion }, undefined),
      'converted',
    );
    if (failure) return { failure };
    return body && { body: asBuffer(body), usage, ended };
  } catch {
    return undefined;
  }
}

/** A stored response, or a page of what it was made from, as JSON. */
export async function showStored(rows: readonly StoredBytes[], query?: URLSearchParams): Promise<Buffer> {
  const lent = { bytes: new Uint8Array(), stored: { rows } };
  const result = await runOnThread({ does: 'show', lent, query: query?.toString() }, undefined);
  return asBuffer(getDone(result, 'shown'));
}

/** Without its secrets. */
function targetOf({ credential, ...route }: Route): RouteTarget {
  if (credential.kind !== 'models-account') return { ...route, credential: { kind: credential.kind } };
  const { kind, protocol, auth, takesEffort } = credential;
  return { ...route, credential: { kind, protocol, auth, takesEffort } };
}

/** Only a whole buffer can be handed over: one that others look into would be gone for them too. */
function ownBytes(content: Buffer): Uint8Array {
  return content.byteLength === content.buffer.byteLength ? content : new Uint8Array(content);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function getDone<Part extends 'read' | 'prepared' | 'converted' | 'shown'>(
  result: JobResult,
  part: Part,
): NonNullable<JobResult[Part]> {
  const { [part]: done, refusal, failure = 'nothing was done' } = result;
  if (refusal) throw new AppError(refusal.code, refusal.details);
  if (!done) throw new Error(`thread for large bodies: ${failure}`);
  return done;
}
