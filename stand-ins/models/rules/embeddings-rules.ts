// What OpenAI refuses on Embeddings.
import { badRequest, Refusal } from '../refusal.ts';
import { firstOf, isGiven, listOf, type Loose } from './loose.ts';
import { EMBEDDINGS_FIELDS } from './openai-fields.ts';
import { missingParameter, unknownParameter } from './openai-refusals.ts';
import type { Rules } from './rule.ts';

const CREATE = 'https://developers.openai.com/api/reference/resources/embeddings/methods/create';
const MOST_INPUTS = 2048;

export interface EmbeddingsRequest {
  readonly body: Loose;
}

export const EMBEDDINGS_RULES = {
  'top-level fields are known': {
    docs: CREATE,
    refuse: ({ body }) =>
      firstOf(Object.keys(body), (name) => (EMBEDDINGS_FIELDS.includes(name) ? undefined : unknownParameter(name))),
  },
  'the required fields are there': {
    docs: CREATE,
    refuse: ({ body }) =>
      firstOf(['model', 'input'], (name) => (isGiven(body[name]) ? undefined : missingParameter(name))),
  },
  'no input is empty': {
    docs: CREATE,
    refuse: ({ body: { input } }) =>
      input === '' || (Array.isArray(input) && (input.length === 0 || listOf(input).includes('')))
        ? badRequest("'input' cannot be an empty string.", 'input')
        : undefined,
  },
  'there are at most 2048 inputs': {
    docs: CREATE,
    refuse: ({ body }) => {
      const inputs = listOf(body['input']);
      return typeof inputs[0] !== 'number' && inputs.length > MOST_INPUTS
        ? new Refusal(
            'invalid_value',
            `Invalid 'input': array too long. Expected an array with maximum length ${MOST_INPUTS}, but got an array with length ${inputs.length} instead.`,
            'input',
          )
        : undefined;
    },
  },
} as const satisfies Rules<EmbeddingsRequest>;
