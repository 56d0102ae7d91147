// POST /v1/embeddings
import { z } from 'zod';
import { countText } from './count-tokens.ts';
import { embedText } from './embed-text.ts';
import { parseFields } from './parse-fields.ts';

const USUAL_DIMENSIONS = 1536;
const LARGE_DIMENSIONS = 3072;

const text = z.string().min(1, "'input' cannot be an empty string.");
const tokens = z.array(z.number().int()).min(1);

const embeddingsRequest = z.looseObject({
  model: z.string().min(1),
  input: z.union([text, tokens, z.array(text).min(1).max(2048), z.array(tokens).min(1).max(2048)]),
  dimensions: z.number().int().min(1).max(LARGE_DIMENSIONS).nullish(),
  encoding_format: z.enum(['float', 'base64']).nullish(),
});

export type EmbeddingsRequest = z.output<typeof embeddingsRequest>;

export function readEmbeddingsRequest(body: unknown): EmbeddingsRequest {
  return parseFields(embeddingsRequest, body);
}

export function answerEmbeddings({ model, input, dimensions, encoding_format: format }: EmbeddingsRequest): object {
  const inputs = inputsOf(input);
  const size = dimensions ?? (model.endsWith('-large') ? LARGE_DIMENSIONS : USUAL_DIMENSIONS);
  const promptTokens = inputs.reduce((sum, one) => sum + (typeof one === 'string' ? countText(one) : one.length), 0);
  return {
    object: 'list',
    data: inputs.map((one, index) => ({
      object: 'embedding',
      index,
      embedding: encode(embedText(typeof one === 'string' ? one : one.join(' '), size), format),
    })),
    model,
    usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
  };
}

/** A text, a list of tokens, or a list of either. */
function inputsOf(input: EmbeddingsRequest['input']): (string | number[])[] {
  if (typeof input === 'string') return [input];
  return input.every((one) => typeof one === 'number') ? [input] : input;
}

function encode(vector: readonly number[], format: 'float' | 'base64' | null | undefined): readonly number[] | string {
  return format === 'base64' ? Buffer.from(Float32Array.from(vector).buffer).toString('base64') : vector;
}
