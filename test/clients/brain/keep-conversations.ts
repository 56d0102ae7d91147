// What the providers keep for the key that asked: OpenAI a response unless it is told not to, Anthropic a thread when it
// is told to. The id of the answer then stands for the conversation up to it.
import type { Script } from '../../support/models/model-scripts.ts';
import type { Said } from './read-asked.ts';

interface Fields {
  readonly previous_response_id?: string | null;
  readonly store?: boolean | null;
  readonly thread?: { readonly type?: string; readonly previous_message_id?: string } | null;
}

export interface KeptConversations {
  /** What came before, or the refusal of an id that this key does not have. */
  recall(key: string, json: unknown): { readonly said: readonly Said[] } | { readonly refusal: Script };
  keep(key: string, json: unknown, said: readonly Said[], answer: string): void;
}

const ID = /"id":\s*"((?:resp|msg)_[^"]+)"/;

export function createKeptConversations(): KeptConversations {
  const kept = new Map<string, readonly Said[]>();
  return {
    recall(key, json) {
      const { previous_response_id: response, thread } = (json ?? {}) as Fields;
      const id = response ?? thread?.previous_message_id;
      if (typeof id !== 'string') return { said: [] };
      const said = kept.get(`${key} ${id}`);
      return said ? { said } : { refusal: refuse(id, thread !== undefined) };
    },
    keep(key, json, said, answer) {
      const { store, thread } = (json ?? {}) as Fields;
      const [, id] = ID.exec(answer) ?? [];
      if (id !== undefined && (id.startsWith('resp_') ? store !== false : thread)) kept.set(`${key} ${id}`, said);
    },
  };
}

function refuse(id: string, isThread: boolean): Script {
  const body = isThread
    ? { type: 'error', error: { type: 'not_found_error', message: `thread.previous_message_id: ${id} was not found` } }
    : {
        error: {
          message: `Previous response with id '${id}' not found.`,
          type: 'invalid_request_error',
          param: 'previous_response_id',
          code: 'previous_response_not_found',
        },
      };
  return { status: isThread ? 404 : 400, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}
