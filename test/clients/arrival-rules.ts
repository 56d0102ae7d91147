// What must be true of every request that arrives at a provider, whatever the client sent: each rule is one for which
// the real provider refuses the request. A table, so that a failing row names the rule.
import type { BrainRequest } from './brain/start-brain.ts';
import type { Credential } from './open-world.ts';

interface Message {
  readonly role?: string;
  readonly content?: unknown;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id: string }[];
}
interface Block {
  readonly type?: string;
  readonly id?: string;
  readonly tool_use_id?: string;
  readonly signature?: string;
}
interface Body {
  readonly model?: string;
  readonly max_tokens?: number;
  readonly thread?: unknown;
  readonly previous_response_id?: unknown;
  readonly input?: string | readonly { readonly type?: string }[];
  readonly context_management?: unknown;
  readonly messages?: readonly Message[];
  readonly tools?: readonly {
    readonly name?: string;
    readonly type?: string;
    readonly function?: { readonly name: string };
  }[];
}

interface Rule {
  readonly text: string;
  readonly path: RegExp;
  /** Only where the deployment's own key pays. */
  readonly onPlatform?: true;
  /** A Models account is sent what the client wrote in its protocol; what it accepts is not known. */
  readonly notOnAccount?: true;
  readonly isBroken: (body: Body, request: BrainRequest) => boolean;
}

const CHAT = /^\/v1\/chat\/completions/;
const MESSAGES = /^\/v1\/messages/;

const ARRIVAL_RULES: readonly Rule[] = [
  { text: "the model has the provider's own name", path: /^/, isBroken: ({ model = '' }) => model.includes('/') },
  {
    text: 'reasoning models of OpenAI get max_completion_tokens, never max_tokens',
    path: CHAT,
    notOnAccount: true,
    isBroken: ({ model = '', max_tokens: limit }) => /^(gpt-[5-9]|o\d)/.test(model) && limit !== undefined,
  },
  {
    text: 'names of tools have 64 letters, digits, _ and - at most',
    path: CHAT,
    isBroken: ({ tools = [] }) =>
      tools.some((tool) => tool.function !== undefined && !/^[\w-]{1,64}$/.test(tool.function.name)),
  },
  {
    text: 'names of tools have 128 letters, digits, _ and - at most',
    path: MESSAGES,
    isBroken: ({ tools = [] }) => tools.some(({ name }) => name !== undefined && !/^[\w-]{1,128}$/.test(name)),
  },
  {
    text: 'every result of a tool follows its call',
    path: CHAT,
    isBroken: ({ messages = [] }) =>
      messages.some(
        ({ role, tool_call_id: id }, at) =>
          role === 'tool' &&
          !messages.slice(0, at).some(({ tool_calls: calls = [] }) => calls.some((call) => call.id === id)),
      ),
  },
  {
    text: 'every result of a tool follows its call',
    path: MESSAGES,
    isBroken: ({ messages = [], thread }) =>
      !thread &&
      messages.some((message, at) =>
        blocksOf(message).some(
          ({ type, tool_use_id: id }) =>
            type === 'tool_result' &&
            !messages
              .slice(0, at)
              .flatMap(blocksOf)
              .some((block) => block.id === id),
        ),
      ),
  },
  {
    text: 'thinking is signed',
    path: MESSAGES,
    isBroken: ({ messages = [] }) =>
      messages.flatMap(blocksOf).some(({ type, signature }) => type === 'thinking' && !signature),
  },
  {
    text: 'context_management comes with its beta',
    path: MESSAGES,
    isBroken: ({ context_management: management }, { headers }) =>
      management !== undefined && !String(headers['anthropic-beta']).includes('context-management-'),
  },
  {
    text: 'nothing is sent by reference on platform credit',
    path: /^/,
    onPlatform: true,
    isBroken: ({ thread, previous_response_id: previous, input }) =>
      Boolean(thread) ||
      Boolean(previous) ||
      (Array.isArray(input) && (input as { type?: string }[]).some(({ type }) => type === 'item_reference')),
  },
];

function blocksOf({ content }: Message): readonly Block[] {
  return Array.isArray(content) ? (content as Block[]) : [];
}

/** The rules that a request breaks. */
export function findBroken(request: BrainRequest, credential: Credential): string[] {
  const body = (request.json ?? {}) as Body;
  return ARRIVAL_RULES.filter(
    ({ path, onPlatform, notOnAccount, isBroken }) =>
      path.test(request.path) &&
      (!onPlatform || credential === 'platform') &&
      !(notOnAccount && credential === 'models-account') &&
      isBroken(body, request),
  ).map(({ text }) => text);
}
