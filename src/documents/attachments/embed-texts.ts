// Computes embeddings. Attachments and project files are embedded at the organization's scope, whatever workspace the question is in.
import { AppError } from '../../base/errors.ts';
import { isObject, type Loose } from '../../model-providers/codecs/read-fields.ts';
import type { TurnDeps } from '../../turns/answer-turn.ts';
import { collectTurn } from '../../turns/collect-turn.ts';
import type { TurnCaller } from '../../turns/open-turn.ts';
import { buildProviderRequest } from '../../turns/address-request.ts';

export const EMBEDDING_MODEL = 'text-embedding-3-small';
/** Enough to tell pieces of one file apart, in a third of the space. */
const DIMENSIONS = 512;
const TIMEOUT_MS = 60_000;

/** A unit vector for each text. */
export async function embedTexts(
  deps: TurnDeps,
  caller: TurnCaller,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<number[][]> {
  const body: Loose = { model: EMBEDDING_MODEL, input: texts, dimensions: DIMENSIONS, encoding_format: 'base64' };
  const { body: answer } = await collectTurn(
    deps,
    caller,
    {
      model: EMBEDDING_MODEL,
      modality: 'embedding',
      surface: 'attachments',
      scope: 'organization',
      inputBytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
      prepare: (route) => buildProviderRequest(route, { surface: 'embedding', body }, deps.urls),
    },
    AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  );
  const vectors = readVectors(answer);
  if (vectors.length !== texts.length || vectors.some((vector) => vector.length === 0))
    throw new AppError('provider_unavailable');
  return vectors.map(toUnit);
}

/** The most texts of one call. */
const BATCH = 96;

export interface TextBatch {
  readonly texts: readonly string[];
  readonly vectors: readonly (readonly number[])[];
  /** The position of its first text. */
  readonly at: number;
}

/** Embeds texts from a position on. Each batch is stored before the next one is asked for, so a failure loses none. */
export async function embedInBatches(
  deps: TurnDeps,
  caller: TurnCaller,
  { texts, from }: { readonly texts: readonly string[]; readonly from: number },
  { store, signal }: { readonly store: (batch: TextBatch) => Promise<unknown>; readonly signal: AbortSignal },
): Promise<void> {
  for (let at = from; at < texts.length; at += BATCH) {
    const batch = texts.slice(at, at + BATCH);
    await store({ texts: batch, vectors: await embedTexts(deps, caller, batch, signal), at });
  }
}

function readVectors(answer: unknown): number[][] {
  const rows: unknown = isObject(answer) ? answer['data'] : undefined;
  if (!Array.isArray(rows)) return [];
  const inOrder = (rows as unknown[]).filter(isObject).toSorted((a, b) => Number(a['index']) - Number(b['index']));
  return inOrder.map(({ embedding }) =>
    typeof embedding === 'string' ? fromBase64(embedding) : Array.isArray(embedding) ? embedding.map(Number) : [],
  );
}

/** OpenAI's base64 encodes little-endian 32-bit floats. */
function fromBase64(text: string): number[] {
  const bytes = Buffer.from(text, 'base64');
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readFloatLE(index * 4));
}

function toUnit(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return length > 0 ? vector.map((value) => value / length) : [...vector];
}
