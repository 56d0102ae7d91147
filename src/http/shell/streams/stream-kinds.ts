// Every kind of stream: its routes, the credential it needs, and how many one person may have open in one process. A
// stream is opened by its kind (open-streams.ts), so one without a row cannot be served.
interface StreamKind {
  /** As named in the printed contract. */
  readonly routes: readonly string[];
  readonly allowedBy: 'session' | 'token';
  readonly maxPerPerson: number;
  /** How a stream that is no longer allowed ends: in order, or cut off, so that it cannot be mistaken for complete. */
  readonly ends: 'in-order' | 'cut-off';
}

/** More tabs, terminals and agents than a person has, and far fewer than it takes to slow others down. */
const TABS = 50;

export const STREAM_KINDS = {
  live: { routes: ['GET /runtime/factory/live'], allowedBy: 'token', maxPerPerson: TABS, ends: 'in-order' },
  'job-events': {
    routes: ['GET /runtime/jobs/{id}/events'],
    allowedBy: 'token',
    maxPerPerson: TABS,
    ends: 'in-order',
  },
  receipts: { routes: ['GET /runtime/service/stream'], allowedBy: 'token', maxPerPerson: TABS, ends: 'in-order' },
  'receipts-export': {
    routes: ['GET /runtime/service/export'],
    allowedBy: 'token',
    maxPerPerson: TABS,
    ends: 'cut-off',
  },
  connections: { routes: ['GET /connect/connections'], allowedBy: 'token', maxPerPerson: TABS, ends: 'in-order' },
  // An agent calls many tools at once, each with its progress.
  mcp: { routes: ['POST /connect/mcp'], allowedBy: 'token', maxPerPerson: 100, ends: 'cut-off' },
  changes: { routes: ['GET /api/changes'], allowedBy: 'session', maxPerPerson: TABS, ends: 'in-order' },
  'personal-export': { routes: ['GET /api/me/export'], allowedBy: 'session', maxPerPerson: 1, ends: 'cut-off' },
  'chat-answer': { routes: ['POST /api/chat'], allowedBy: 'session', maxPerPerson: TABS, ends: 'cut-off' },
  'chat-follow': {
    routes: ['GET /api/chat/{thread}/stream'],
    allowedBy: 'session',
    maxPerPerson: TABS,
    ends: 'cut-off',
  },
  // A program with one token; its rate is limited elsewhere.
  v1: {
    routes: ['POST /v1/chat/completions', 'POST /v1/responses', 'POST /v1/messages'],
    allowedBy: 'token',
    maxPerPerson: 500,
    ends: 'cut-off',
  },
} as const satisfies Record<string, StreamKind>;

export type StreamKindName = keyof typeof STREAM_KINDS;

/** Streams of one kind in one process. */
export const MAX_STREAMS = 5_000;
