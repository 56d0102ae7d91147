// What is done with a large body, off the event loop: it is read, expanded by what it refers to, translated and written
// again. A thread gets bytes and a route without its secrets, and gives back bytes and what is small. Everything here is
// what a small body goes through as well.
import { AppError, type ErrorCode } from '../../base/errors.ts';
import { parseMeasured } from '../../base/parse-json.ts';
import type { Failure, NeutralRequest, NeutralTool, Protocol, Usage } from '../../model-providers/codecs/neutral.ts';
import { WRITTEN_FIELDS } from '../../model-providers/codecs/pass-through.ts';
import { type Envelope, readEnvelope } from '../../model-providers/codecs/read-envelope.ts';
import { getBody, type Loose } from '../../model-providers/codecs/read-fields.ts';
import { type Conversion, convertAnswer } from '../convert-answer.ts';
import type { RouteTarget } from '../decide-turn.ts';
import { type BodySource, type PreparedBody, prepareBody } from '../provider-request.ts';
import { expandReferences, inputItems } from '../../stored-responses/expand-references.ts';
import { expandThread, messagesOf, settingsOf } from '../../stored-responses/expand-thread.ts';
import { listInputItems } from '../../stored-responses/list-input-items.ts';
import { findReferences, type References } from '../../stored-responses/find-references.ts';
import { refuseTooLong } from '../../stored-responses/refuse-too-long.ts';
import { resolveReferences, type StoredParts } from '../../stored-responses/resolve-references.ts';
import { parseStored, toResponseBytes } from '../../stored-responses/seal-response.ts';
import type { AddedInput, ResponseBytes } from '../../stored-responses/stored-response.ts';
import { shrinkFields } from './shrink-fields.ts';

/** The body of a surface of `/v1`, or a question of the web app. */
export type BodyKind = Protocol | 'embedding' | 'count' | 'passed' | 'question';

/** A question is one text, whose length is limited where its fields are checked. */
const QUESTION_BYTES = 16 * 1024 * 1024;

/** What is lent to the thread, and comes back with its result. */
export interface LentBody {
  readonly bytes: Uint8Array;
  /** Undefined if the body contains everything itself. */
  readonly stored?: StoredParts | undefined;
}

export type BodyJob =
  | { readonly does: 'read'; readonly lent: LentBody; readonly kind: BodyKind }
  | {
      readonly does: 'prepare';
      readonly lent: LentBody;
      readonly kind: BodyKind;
      readonly route: RouteTarget;
      readonly betas: readonly string[];
      /** Whether what it adds to a conversation is wanted for storing. */
      readonly keeps: boolean;
      /** Where a body is passed on to. */
      readonly path?: string | undefined;
    }
  | { readonly does: 'encode'; readonly request: NeutralRequest; readonly route: RouteTarget }
  | { readonly does: 'convert'; readonly lent: LentBody; readonly conversion: Conversion }
  | {
      readonly does: 'show';
      /** Without bytes of its own. */
      readonly lent: LentBody;
      /** A page of what the last of the rows was made from; absent if the response itself is wanted. */
      readonly query?: string | undefined;
    };

export interface ReadBody {
  /** The body with its large fields emptied. */
  readonly head: Loose;
  readonly envelope: Envelope | undefined;
  readonly references: References | undefined;
}

export interface BodyPrepared {
  readonly body: PreparedBody<Buffer>;
  readonly added?: AddedInput | undefined;
  /** References that were not found, by their position. */
  readonly missing: ReadonlyMap<string, string>;
  /** How much larger the stored parts made it. */
  readonly addedBytes: number;
}

/** A converted answer, as bytes. */
interface LargeConverted {
  /** Undefined if the provider's was not JSON, or a failure. */
  readonly body?: Uint8Array;
  readonly usage?: Usage | undefined;
  readonly failure?: Failure;
  readonly ended?: ResponseBytes | undefined;
}

export interface JobResult {
  readonly lent?: LentBody | undefined;
  /** One of these. */
  readonly refusal?: { readonly code: ErrorCode; readonly details: Record<string, unknown> };
  readonly failure?: string;
  readonly read?: ReadBody;
  readonly prepared?: BodyPrepared;
  readonly converted?: LargeConverted;
  readonly shown?: Uint8Array;
}

export function runBodyJob(job: BodyJob): JobResult {
  const lent = 'lent' in job ? job.lent : undefined;
  try {
    switch (job.does) {
      case 'read':
        return { lent, read: readBody(job.lent.bytes, job.kind) };
      case 'prepare':
        return { lent, prepared: prepare(job) };
      case 'encode':
        return { prepared: written(prepareBody(job.route, { surface: undefined, request: job.request })) };
      case 'convert':
        return { converted: convert(job.lent.bytes, job.conversion) };
      case 'show':
        return { shown: show(job) };
    }
  } catch (error) {
    if (error instanceof AppError) return { lent, refusal: { code: error.code, details: error.details } };
    return { lent, failure: error instanceof Error ? (error.stack ?? error.message) : 'unknown' };
  }
}

/** The memory that is handed over. A buffer that others share, as small ones do, is copied instead. */
export function buffersOf({ lent, prepared, converted, shown }: Omit<JobResult, 'refusal' | 'failure'>): ArrayBuffer[] {
  const parts = [
    lent?.bytes,
    ...(lent?.stored?.rows.flatMap(({ turn, output }) => [turn, output]) ?? []),
    prepared?.body.json,
    prepared?.added?.input,
    prepared?.added?.settings,
    converted?.body,
    converted?.ended?.response,
    converted?.ended?.output,
    shown,
  ];
  return parts.flatMap((part) =>
    part?.buffer instanceof ArrayBuffer && part.length > 0 && part.length === part.buffer.byteLength
      ? [part.buffer]
      : [],
  );
}

function readBody(bytes: Uint8Array, kind: BodyKind): ReadBody {
  const body = getBody(parseMeasured(bytes));
  if (kind === 'question')
    return { head: shrinkFields(body, QUESTION_BYTES), envelope: undefined, references: undefined };
  return {
    head: shrinkFields(body),
    envelope:
      kind === 'embedding' || kind === 'passed' ? undefined : readEnvelope(kind === 'count' ? 'messages' : kind, body),
    references: kind === 'responses' ? findReferences(body) : undefined,
  };
}

function prepare({ lent, kind, route, betas, keeps, path = '' }: Extract<BodyJob, { does: 'prepare' }>): BodyPrepared {
  const given = getBody(parseMeasured(lent.bytes, WRITTEN_FIELDS));
  const expanded = lent.stored === undefined ? undefined : expand(given, lent.stored, lent.bytes.length);
  const body = expanded?.body ?? given;
  if (kind === 'question') throw new Error('a question is prepared with its conversation');
  const source: BodySource =
    kind === 'embedding'
      ? { surface: kind, body }
      : kind === 'passed'
        ? { surface: kind, body, path }
        : { surface: kind, body, betas };
  return {
    ...written(prepareBody(route, source)),
    ...(keeps ? { added: addedBy(kind, given, expanded?.added) } : {}),
    missing: expanded?.missing ?? NOTHING_MISSING,
    addedBytes: expanded?.addedBytes ?? 0,
  };
}

const NOTHING_MISSING: ReadonlyMap<string, string> = new Map();

interface Expanded {
  readonly body: Loose;
  readonly added?: readonly Loose[];
  readonly missing: ReadonlyMap<string, string>;
  readonly addedBytes: number;
}

function expand(body: Loose, { rows, plan }: StoredParts, sent: number): Expanded {
  const addedBytes = rows.reduce((sum, { turn, output }) => sum + turn.length + output.length, 0);
  if (plan === undefined) {
    const turns = rows.flatMap((row) => parseStored(row) ?? []);
    const missing = turns.length === rows.length ? NOTHING_MISSING : new Map([['thread', '']]);
    return { body: expandThread(body, turns), missing, addedBytes };
  }
  const found = resolveReferences(plan, rows);
  // Before it is built: one item may be referred to many times.
  refuseTooLong({ tooLong: false, bytes: found.bytes }, sent);
  return { ...expandReferences(body, plan.references, found), addedBytes: found.bytes };
}

function show({ lent: { stored }, query }: Extract<BodyJob, { does: 'show' }>): Uint8Array {
  const turns = (stored?.rows ?? []).flatMap((row) => parseStored(row) ?? []);
  const last = turns.at(-1);
  if (!last) throw new AppError('not_found');
  return toJson(query === undefined ? last.response : listInputItems(turns, new URLSearchParams(query)));
}

function addedBy(kind: BodyKind, body: Loose, resolved: readonly Loose[] | undefined): AddedInput {
  if (kind === 'responses') return { input: toJson(resolved ?? inputItems(body)) };
  return { input: toJson(messagesOf(body)), settings: toJson(settingsOf(body)) };
}

function written({ json, tools, ...rest }: PreparedBody): BodyPrepared {
  return {
    body: { ...rest, json: Buffer.from(json), ...(tools ? { tools: tools.map(nameOnly) } : {}) },
    missing: NOTHING_MISSING,
    addedBytes: 0,
  };
}

/** Calls are mapped back by name; the schemas stay here. */
const nameOnly = ({ name, origin }: NeutralTool): NeutralTool => ({ name, origin, schema: {} });

function convert(bytes: Uint8Array, conversion: Conversion): LargeConverted {
  const converted = convertAnswer(conversion, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (!converted) return {};
  if (converted.failure) return { failure: converted.failure };
  const { body, usage, ended } = converted;
  return {
    body: typeof body === 'string' ? Buffer.from(body) : body,
    usage,
    ended: ended && toResponseBytes(ended),
  };
}

function toJson(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}
