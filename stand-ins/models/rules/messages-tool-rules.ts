// Tools in a request to Anthropic: how they are declared, and that every call is followed directly by its result.
import { badRequest, type Refusal } from '../refusal.ts';
import { asObject, type Entry, entriesOf, firstOf, isGiven, isObject, type Loose } from './loose.ts';
import { KNOWN_TOOLS, TOOL_FIELDS } from './messages-fields.ts';
import { blocksOf, hasBeta, messagesOf, type MessagesRequest } from './messages-request.ts';
import type { Rules } from './rule.ts';

const DEFINE = 'https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools';
const HANDLE = 'https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls';
const REFERENCE = 'https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-reference';

const NAME = '^[a-zA-Z0-9_-]{1,128}$';
const ID = '^[a-zA-Z0-9_-]+$';

export const TOOL_RULES = {
  'tools are of a known type': {
    docs: REFERENCE,
    refuse: (request) =>
      firstOf(entriesOf(request.body['tools']), ({ value, at }) => {
        const type = value['type'];
        if (!isGiven(type) || type === 'custom') return undefined;
        const known = typeof type === 'string' && Object.hasOwn(KNOWN_TOOLS, type) ? KNOWN_TOOLS[type] : undefined;
        if (known && (!known.betas || hasBeta(request, known.betas))) return undefined;
        return badRequest(
          `Input tag '${String(type)}' found using 'type' does not match any of the expected tags: 'custom', ${Object.keys(
            KNOWN_TOOLS,
          )
            .map((name) => `'${name}'`)
            .join(', ')}`,
          `tools.${at}`,
        );
      }),
  },
  'tools have known fields': {
    docs: DEFINE,
    refuse: ({ body }) =>
      firstOf(ownTools(body), ({ value, at }) =>
        firstOf(Object.keys(value), (name) =>
          TOOL_FIELDS.includes(name)
            ? undefined
            : badRequest('Extra inputs are not permitted', `tools.${at}.custom.${name}`),
        ),
      ),
  },
  'tools have a name of the allowed letters': {
    docs: DEFINE,
    refuse: ({ body }) =>
      firstOf(ownTools(body), ({ value, at }) => {
        if (!isGiven(value['name'])) return badRequest('Field required', `tools.${at}.custom.name`);
        return new RegExp(NAME).test(String(value['name']))
          ? undefined
          : badRequest(`String should match pattern '${NAME}'`, `tools.${at}.custom.name`);
      }),
  },
  'tool names are unique': {
    docs: DEFINE,
    refuse: ({ body }) => {
      const names = entriesOf(body['tools']).flatMap(({ value }) => (isGiven(value['name']) ? [value['name']] : []));
      return new Set(names).size < names.length ? badRequest('Tool names must be unique.', 'tools') : undefined;
    },
  },
  'the input of a tool is an object': {
    docs: DEFINE,
    refuse: ({ body }) =>
      firstOf(ownTools(body), ({ value, at }) => {
        const schema = value['input_schema'];
        if (!isObject(schema)) return badRequest('Field required', `tools.${at}.custom.input_schema`);
        if (schema['type'] !== 'object')
          return badRequest(
            schema['type'] === undefined ? 'Field required' : "Input should be 'object'",
            `tools.${at}.custom.input_schema.type`,
          );
        return ['oneOf', 'allOf', 'anyOf'].some((name) => name in schema)
          ? badRequest(
              'input_schema does not support oneOf, allOf, or anyOf at the top level',
              `tools.${at}.custom.input_schema`,
            )
          : undefined;
      }),
  },
  'tool_choice goes with tools': {
    docs: DEFINE,
    refuse: ({ body }) =>
      isGiven(body['tool_choice']) && entriesOf(body['tools']).length === 0
        ? badRequest('tool_choice may only be specified while providing tools.')
        : undefined,
  },
  'tool_choice names a tool that is there': {
    docs: DEFINE,
    refuse: ({ body }) => {
      const { type, name } = asObject(body['tool_choice']);
      return type === 'tool' && !entriesOf(body['tools']).some(({ value }) => value['name'] === name)
        ? badRequest(`Tool '${String(name)}' not found in provided tools`)
        : undefined;
    },
  },
  'calls are the assistant’s and results the user’s': {
    docs: HANDLE,
    refuse: (request) =>
      firstOf(blocksOf(request), ({ type, role, path }) => {
        if (type === 'tool_use' && role !== 'assistant')
          return badRequest('`tool_use` blocks can only be in `assistant` messages', path);
        return type === 'tool_result' && role !== 'user'
          ? badRequest('`tool_result` blocks can only be in `user` messages', path)
          : undefined;
      }),
  },
  'calls have an id of the allowed letters and an object as input': {
    docs: HANDLE,
    refuse: (request) =>
      firstOf(blocksOf(request), ({ type, fields, path }) => {
        if (type !== 'tool_use') return undefined;
        if (!new RegExp(ID).test(String(fields['id'] ?? '')))
          return badRequest(`String should match pattern '${ID}'`, `${path}.tool_use.id`);
        if (!new RegExp(NAME).test(String(fields['name'] ?? '')))
          return badRequest(`String should match pattern '${NAME}'`, `${path}.tool_use.name`);
        return isObject(fields['input'])
          ? undefined
          : badRequest('Input should be a valid dictionary', `${path}.tool_use.input`);
      }),
  },
  'ids of calls are unique': {
    docs: HANDLE,
    refuse: (request) => {
      const ids = blocksOf(request).flatMap(({ type, fields }) => (type === 'tool_use' ? [fields['id']] : []));
      return new Set(ids).size < ids.length ? badRequest('`tool_use` ids must be unique', 'messages') : undefined;
    },
  },
  'results answer the calls of the turn before': {
    docs: HANDLE,
    // In a continued thread, calls before the first message are stored at the provider.
    refuse: (request) => firstOf(turnsOf(request).slice(continuesThread(request) ? 1 : 0), orphan),
  },
  'calls have their results at the start of the next turn': {
    docs: HANDLE,
    refuse: (request) => firstOf(turnsOf(request), unanswered),
  },
} as const satisfies Rules<MessagesRequest>;

function continuesThread({ body }: MessagesRequest): boolean {
  return isObject(body['thread']) && body['thread']['type'] === 'continue';
}

interface Turn {
  readonly role: unknown;
  readonly blocks: { readonly fields: Loose; readonly path: string }[];
  /** Index of its first message. */
  readonly at: number;
  readonly before: Turn | undefined;
  after: Turn | undefined;
}

/** Consecutive messages of one role form a turn; a system message does not. */
function turnsOf(request: MessagesRequest): Turn[] {
  const turns: Turn[] = [];
  for (const { role, content, at } of messagesOf(request)) {
    if (role === 'system') continue;
    const blocks =
      typeof content === 'string'
        ? [{ fields: { type: 'text', text: content }, path: `messages.${at}.content` }]
        : entriesOf(content).map((entry) => ({ fields: entry.value, path: `messages.${at}.content.${entry.at}` }));
    const last = turns.at(-1);
    if (last && last.role === role) last.blocks.push(...blocks);
    else {
      const turn: Turn = { role, blocks, at, before: last, after: undefined };
      if (last) last.after = turn;
      turns.push(turn);
    }
  }
  return turns;
}

function orphan({ blocks, before }: Turn): Refusal | undefined {
  const called = new Set(callsOf(before));
  const seen = new Set<unknown>();
  return firstOf(blocks, ({ fields, path }) => {
    const id = fields['tool_use_id'];
    if (fields['type'] !== 'tool_result') return undefined;
    if (!called.has(id))
      return badRequest(
        `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${String(id)}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
        path,
      );
    if (seen.has(id))
      return badRequest(
        `each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${String(id)}`,
        path,
      );
    seen.add(id);
    return undefined;
  });
}

/** Text may follow the results, but not precede them. */
function unanswered(turn: Turn): Refusal | undefined {
  const calls = callsOf(turn);
  if (calls.length === 0) return undefined;
  const blocks = turn.after?.blocks ?? [];
  const firstOther = blocks.findIndex(({ fields }) => fields['type'] !== 'tool_result');
  const answered = new Set(
    blocks.slice(0, firstOther < 0 ? blocks.length : firstOther).map(({ fields }) => fields['tool_use_id']),
  );
  const open = calls.filter((id) => !answered.has(id));
  return open.length === 0
    ? undefined
    : badRequest(
        `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
        `messages.${turn.at}`,
      );
}

function callsOf(turn: Turn | undefined): unknown[] {
  return turn?.role === 'assistant'
    ? turn.blocks.flatMap(({ fields }) => (fields['type'] === 'tool_use' ? [fields['id']] : []))
    : [];
}

function ownTools(body: Loose): Entry[] {
  return entriesOf(body['tools']).filter(({ value }) => !isGiven(value['type']) || value['type'] === 'custom');
}
