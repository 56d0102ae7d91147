// What OpenAI keeps of a response unless it is told not to: the conversation up to it, for the key that asked.
import type { Script } from '../../support/model-scripts.ts';
import { readAsked, type Said } from './read-asked.ts';

interface Fields {
  readonly previous_response_id?: string | null;
  readonly store?: boolean | null;
}

export interface KeptResponses {
  /** What came before, or the refusal of an id that this key does not have. */
  recall(key: string, json: unknown): { readonly said: readonly Said[] } | { readonly refusal: Script };
  keep(key: string, json: unknown, said: readonly Said[], answer: string): void;
}

export function createKeptResponses(): KeptResponses {
  const kept = new Map<string, readonly Said[]>();
  return {
    recall(key, json) {
      const { previous_response_id: id } = (json ?? {}) as Fields;
      if (typeof id !== 'string') return { said: [] };
      const said = kept.get(`${key} ${id}`);
      if (said) return { said };
      const body = { error: { message: `Previous response with id '${id}' not found.`, type: 'invalid_request_error', param: 'previous_response_id', code: 'previous_response_not_found' } };
      return { refusal: { status: 400, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } };
    },
    keep(key, json, said, answer) {
      if (((json ?? {}) as Fields).store === false) return;
      const response = readResponse(answer);
      if (response) kept.set(`${key} ${response.id}`, [...said, ...readAsked({ input: response.output }).said]);
    },
  };
}

/** Whole, or as the last event of a stream. */
function readResponse(answer: string): { id: string; output: unknown } | undefined {
  const event = answer.split('\n').findLast((line) => line.startsWith('data: {') && line.includes('"response.completed"'));
  try {
    const json = JSON.parse(event?.slice('data: '.length) ?? answer) as { id?: string; output?: unknown; response?: { id: string; output: unknown } };
    return json.response ?? (json.id === undefined ? undefined : { id: json.id, output: json.output });
  } catch {
    return undefined;
  }
}
