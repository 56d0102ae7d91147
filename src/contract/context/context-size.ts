// What a conversation weighs and how much of it a model gets. The server cuts by these rules, and the meter of the chat
// page shows them before it does; everything is in bytes of text, because the tokens of a text are only known once a
// provider has counted them.

/** Prose is about four bytes per token; code, JSON and other scripts are denser. */
export const BYTES_PER_TOKEN = 3;
/** Room that is kept for the answer, if the model can write that much. */
const ANSWER_TOKENS = 8_192;
/** Even of a model with hardly any room, a few pages. */
const LEAST_BYTES = 15_000;

export interface ContextSize {
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
}

/** How much input a model gets: its window without the room for an answer. */
export function inputBudget({ contextWindow, maxOutputTokens }: ContextSize): number {
  return Math.max(LEAST_BYTES, (contextWindow - Math.min(maxOutputTokens, ANSWER_TOKENS)) * BYTES_PER_TOKEN);
}

/** Any of several models may answer: what fits the smallest fits all. */
export function smallestContext(models: readonly ContextSize[]): ContextSize {
  return {
    contextWindow: Math.min(...models.map(({ contextWindow }) => contextWindow)),
    maxOutputTokens: Math.min(...models.map(({ maxOutputTokens }) => maxOutputTokens)),
  };
}

/** An attached text up to this length is sent whole, of a longer one the passages nearest to the question. */
export const WHOLE_CHARACTERS = 24_000;
export const PIECES = 12;
export const PIECE_CHARACTERS = 1_600;
/** An image costs a model a few thousand tokens, whatever its file size. */
export const IMAGE_WEIGHT = 12_000;

/** What an attachment is likely to weigh, by all that is known before it is read. */
export function weighAttachment({ type, size }: { readonly type: string; readonly size: number }): number {
  if (type.startsWith('image/')) return IMAGE_WEIGHT;
  if (type === 'application/pdf' || size <= WHOLE_CHARACTERS) return size;
  return PIECES * PIECE_CHARACTERS;
}
