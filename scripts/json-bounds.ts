// Where the event loop of the web server reads or writes JSON, and what keeps it small there. It costs some ten
// milliseconds per megabyte, for which everybody waits; what may be larger is left to a thread (`src/turns/bodies`).
// check-json-bounds.ts holds the code to this table.

export interface JsonBound {
  /** A file, or a directory all of whose files see only this. */
  readonly path: string;
  /** The largest text, in bytes. */
  readonly mostBytes: number;
  /** What bounds it. */
  readonly why: string;
}

const KB = 1024;
const MB = 1024 * KB;

/** The rooms that a request of the web server passes with its body in hand. */
export const JSON_ROOMS = [
  'src/http/shell',
  'src/http/v1',
  'src/http/web',
  'src/http/oauth',
  'src/http/scim',
  'src/scim',
  'src/stored-responses',
  'src/turns',
  'src/documents',
  'src/threads',
  'src/model-providers',
];

export const JSON_BOUNDS: readonly JsonBound[] = [
  { path: 'src/http/shell/write-error.ts', mostBytes: 64 * KB, why: 'an error and at most 20 faults' },
  {
    path: 'src/http/scim/scim-answer.ts',
    mostBytes: 4 * MB,
    why: 'a page of 200 users, or the members of groups: people have seats',
  },
  { path: 'src/scim/protocol', mostBytes: KB, why: 'a string of a filter or a path' },
  { path: 'src/scim/groups/change-members.ts', mostBytes: KB, why: 'the ids of an error' },
  { path: 'src/http/v1/list-models.ts', mostBytes: MB, why: 'the catalogue and the models of accounts' },
  { path: 'src/http/v1/pass-on.ts', mostBytes: MB, why: 'an answer of at most this, for the tokens that it reports' },
  { path: 'src/http/v1/v1-route.ts', mostBytes: KB, why: 'a number of tokens' },
  { path: 'src/http/web/call-identity-library.ts', mostBytes: 64 * KB, why: 'fields of a form, limited by its route' },
  { path: 'src/http/web/change-routes.ts', mostBytes: 64 * KB, why: 'names of what has changed' },

  {
    path: 'src/turns/bodies',
    mostBytes: MB,
    why: 'on the thread; here only the route, which is a row of the catalogue',
  },
  { path: 'src/turns/convert-answer.ts', mostBytes: MB, why: 'larger answers are converted on the thread' },
  { path: 'src/turns/provider-request.ts', mostBytes: MB, why: 'larger bodies are prepared on the thread' },
  {
    path: 'src/turns/collect-turn.ts',
    mostBytes: 16 * MB,
    why: 'titles and embeddings, 512 numbers for each of 96 texts',
  },
  { path: 'src/turns/count-tokens.ts', mostBytes: 64 * KB, why: 'a number, in an answer of at most this' },
  { path: 'src/turns/call-model-for-run.ts', mostBytes: MB, why: 'in the workers, not in the web server' },
  { path: 'src/threads/live-answer.ts', mostBytes: MB, why: 'an event of a stream' },
  { path: 'src/documents/attachments/embed-attachment.ts', mostBytes: 16 * KB, why: 'one vector at a time' },
  { path: 'src/documents/projects/embed-pieces.ts', mostBytes: 16 * KB, why: 'one vector at a time' },
  {
    path: 'src/threads/imports/read-element.ts',
    mostBytes: 32 * MB,
    why: 'on the thread; rows leave it as text',
  },
  { path: 'src/threads/imports/take-chat.ts', mostBytes: MB, why: 'a batch of rows, only if it has files' },
  { path: 'src/threads', mostBytes: 12 * MB, why: 'one message or a page: a text has 2,000,000 characters' },
  {
    path: 'src/stored-responses/read-ended-answer.ts',
    mostBytes: 32 * MB,
    why: 'the last event of a stream, if it is stored',
  },
  {
    path: 'src/stored-responses/list-input-items.ts',
    mostBytes: 32 * MB,
    why: 'one item at a time, to measure a page',
  },
  { path: 'src/stored-responses/resolve-references.ts', mostBytes: MB, why: 'more is resolved on the thread' },
  {
    path: 'src/stored-responses/seal-response.ts',
    mostBytes: MB,
    why: 'more is sealed as the bytes that a thread wrote',
  },
  { path: 'src/stored-responses/keep-response.ts', mostBytes: MB, why: 'the input of a body that is not large' },

  { path: 'src/model-providers/bounds', mostBytes: MB, why: 'larger bodies are prepared on the thread' },
  {
    path: 'src/model-providers/codecs',
    mostBytes: MB,
    why: 'an event of a stream (`MAX_EVENT_BYTES`), or part of a body or answer that is large only on the thread',
  },
];
