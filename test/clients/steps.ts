// What every client is put through, and when a step is held. One table: the driver runs it, the page prints it.
import type { BrainRequest } from './brain/start-brain.ts';

export interface Seen {
  readonly step: string;
  readonly value?: unknown;
  /** How often the client ran the tool. */
  readonly calls?: number;
  readonly error?: { readonly name?: string; readonly status?: number; readonly code?: string; readonly text: string };
}

export interface StepCase {
  readonly word: string;
  readonly isDemo: boolean;
  /** Whose errors the client reads. */
  readonly surface: 'openai' | 'anthropic';
  /** The requests of this step that arrived at the stand-in. */
  readonly arrived: readonly BrainRequest[];
}

/** What people want to know of a client, in the words of the table. */
export const COLUMNS = {
  chat: 'chat',
  stream: 'stream',
  tools: 'tools',
  thinking: 'thinking',
  files: 'write a file',
  compact: 'compact',
  stop: 'stop',
  errors: 'errors',
  MCP: 'MCP',
} as const;
export type Column = keyof typeof COLUMNS;

interface Step {
  readonly shows: readonly Column[];
  readonly text: string;
  /** The demo models stand behind a stack of their own, where nothing can be told to fail. */
  readonly onDemo: boolean;
  /** Undefined when it is held, else what is wrong. */
  readonly check: (seen: Seen, at: StepCase) => string | undefined | Promise<string | undefined>;
}

interface Answers {
  readonly first?: string;
  readonly second?: string;
}

export const STEPS = {
  lines: { shows: ['chat'], text: 'the lines that the page shows, word by word', onDemo: true, check: () => undefined },
  tools: {
    shows: ['chat', 'tools'],
    text: 'a tool is called, its result answered, and the next turn still knows it',
    onDemo: true,
    check: checkTools,
  },
  streamedTools: { shows: ['stream', 'tools'], text: 'the same while streaming', onDemo: true, check: checkTools },
  runner: { shows: ['tools'], text: "the library's own loop", onDemo: true, check: checkTools },
  stored: {
    shows: ['chat', 'tools'],
    text: 'the same with the conversation kept on this side',
    onDemo: true,
    check: checkTools,
  },
  thinking: {
    shows: ['thinking', 'tools'],
    text: 'the same while the model thinks; its provider gets back what it thought',
    onDemo: false,
    check: (seen, at) =>
      checkTools(seen, at) ?? (isSentBack(at) ? undefined : 'what the model thought was not sent back'),
  },
  write: { shows: ['files'], text: 'a file is written', onDemo: true, check: () => undefined },
  compact: {
    shows: ['compact'],
    text: 'a conversation is made shorter and still knows what was in it',
    onDemo: false,
    check: () => undefined,
  },
  stream: {
    shows: ['chat', 'stream'],
    text: 'an answer arrives in pieces',
    onDemo: true,
    check: failedOr((seen, { word }) => {
      const { text, pieces } = seen.value as { text: string; pieces: number };
      return pieces > 1 && text.includes(word) ? undefined : `${pieces} pieces: ${text.slice(0, 200)}`;
    }),
  },
  limited: {
    shows: ['chat'],
    text: 'an answer with a limit of tokens',
    onDemo: true,
    check: failedOr((seen, { word }) =>
      String(seen.value).includes(word) ? undefined : `answered ${String(seen.value)}`,
    ),
  },
  object: {
    shows: ['chat'],
    text: 'an answer of a given shape',
    onDemo: true,
    check: failedOr((seen, { word, isDemo }) =>
      isDemo || (seen.value as { word?: string } | undefined)?.word === word
        ? undefined
        : `answered ${JSON.stringify(seen.value)}`,
    ),
  },
  refused: {
    shows: ['errors'],
    text: 'a model that does not exist is refused as such',
    onDemo: true,
    check: ({ error, value }) =>
      error?.status === 404 ? undefined : error ? describe(error) : `answered ${JSON.stringify(value)}`,
  },
  tooLong: {
    shows: ['errors'],
    text: 'a conversation that is too long is refused in the words that clients look for',
    onDemo: false,
    check: ({ error, value }, { surface }) => {
      if (error === undefined) return `answered ${JSON.stringify(value)}`;
      const sign = surface === 'anthropic' ? 'prompt is too long' : 'context_length_exceeded';
      return error.status === 400 && `${error.code ?? ''} ${error.text}`.includes(sign)
        ? undefined
        : `without "${sign}": ${describe(error)}`;
    },
  },
  abort: {
    shows: ['stop'],
    text: 'an answer that is stopped is stopped at the provider',
    onDemo: false,
    check: failedOr(async (seen, { arrived }) => {
      const { pieces } = seen.value as { pieces: number };
      if (pieces === 0) return `no piece arrived${'ended' in seen ? `: ${JSON.stringify(seen.ended)}` : ''}`;
      const last = arrived.at(-1);
      if (!last) return 'nothing arrived at the provider';
      return (await last.aborted) ? undefined : 'the provider finished its answer';
    }),
  },
  mcp: { shows: ['MCP'], text: 'the tools of the workspace are found', onDemo: false, check: () => undefined },
} as const satisfies Record<string, Step>;

export type StepName = keyof typeof STEPS;
export const STEP_NAMES = Object.keys(STEPS) as StepName[];

/**
 * On Messages nothing is kept of what a model of another provider thought, and an account that speaks chat completions
 * has no place for it.
 */
function isSentBack({ surface, arrived }: StepCase): boolean {
  return arrived
    .slice(1)
    .every(({ path, body }) =>
      (surface === 'anthropic' && path !== '/v1/messages') || path.endsWith('/chat/completions')
        ? true
        : /"type":"(thinking|reasoning)"/.test(body),
    );
}

function checkTools(seen: Seen, { word, isDemo }: StepCase): string | undefined {
  if (seen.error) return describe(seen.error);
  const { first = '', second } = (seen.value ?? {}) as Answers;
  if (seen.calls !== 1) return `the tool was called ${seen.calls} times; answered ${first.slice(0, 200)}`;
  if (!first.includes(word)) return `first turn answered ${first.slice(0, 200)}`;
  // The demo models do not remember; they have to answer.
  if (second === undefined || (isDemo ? second.startsWith('Demo answer') : second.includes(word))) return undefined;
  return `second turn answered ${second.slice(0, 200)}`;
}

function failedOr(
  check: (seen: Seen, at: StepCase) => string | undefined | Promise<string | undefined>,
): Step['check'] {
  return (seen, at) => (seen.error ? describe(seen.error) : check(seen, at));
}

function describe({ name, status, code, text }: NonNullable<Seen['error']>): string {
  return `${name ?? 'error'} ${status ?? ''} ${code ?? ''}: ${text.slice(0, 400)}`;
}
