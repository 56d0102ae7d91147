// Headers and fields of a request to Anthropic: what is required, and what is not allowed.
import { badRequest, type Refusal } from '../refusal.ts';
import { asObject, entriesOf, firstOf, isGiven, isObject, type Loose } from './loose.ts';
import { BETA_PARTS, BLOCK_FIELDS, CONTEXT_EDITS, SERVER_BLOCKS, TOP_FIELDS } from './messages-fields.ts';
import { type Block, blocksOf, hasBeta, messagesOf, type MessagesRequest, thinks } from './messages-request.ts';
import type { Rules } from './rule.ts';

const VERSIONS = 'https://platform.claude.com/docs/en/api/versioning';
const BETAS = 'https://platform.claude.com/docs/en/api/beta-headers';
const CREATE = 'https://platform.claude.com/docs/en/api/messages/create';
const ERRORS = 'https://platform.claude.com/docs/en/api/errors';
const EDITING = 'https://platform.claude.com/docs/en/build-with-claude/context-editing';
const CACHING = 'https://platform.claude.com/docs/en/build-with-claude/prompt-caching';

const EXTRA = 'Extra inputs are not permitted';
const MOST_CACHE_POINTS = 4;
const BETA_NAME = /^[a-z0-9][a-z0-9-]*-\d{4}-?\d{2}-?\d{2}$/;

export const FORM_RULES = {
  'the version header is there': {
    docs: VERSIONS,
    refuse: ({ version }) => (version === '' ? badRequest('header is required', 'anthropic-version') : undefined),
  },
  'beta switches have the name of one': {
    docs: BETAS,
    refuse: ({ betas }) => {
      const wrong = betas.filter((name) => !BETA_NAME.test(name));
      return wrong.length === 0
        ? undefined
        : badRequest(
            `Unexpected value(s) ${wrong.map((name) => `\`${name}\``).join(', ')} for the \`anthropic-beta\` header. Please consult our documentation at docs.claude.com or try again without the header.`,
          );
    },
  },
  'top-level fields are known, and behind their switch': {
    docs: ERRORS,
    refuse: (request) =>
      firstOf(Object.keys(request.body), (name) => (takes(request, name) ? undefined : badRequest(EXTRA, name))),
  },
  'the required fields are there': {
    docs: CREATE,
    refuse: ({ body, counting }) =>
      firstOf(counting ? ['model', 'messages'] : ['model', 'messages', 'max_tokens'], (name) =>
        isGiven(body[name]) ? undefined : badRequest('Field required', name),
      ),
  },
  'max_tokens is a whole number': {
    docs: CREATE,
    refuse: ({ body }) => {
      const most = body['max_tokens'];
      if (most === undefined) return undefined;
      if (!Number.isInteger(most)) return badRequest('Input should be a valid integer', 'max_tokens');
      return (most as number) < 0 ? badRequest('Input should be greater than or equal to 0', 'max_tokens') : undefined;
    },
  },
  'content blocks are of a known type': {
    docs: CREATE,
    refuse: (request) =>
      firstOf(blocksOf(request), ({ type, path }) =>
        isKnownBlock(type)
          ? undefined
          : badRequest(
              `Input tag '${String(type)}' found using 'type' does not match any of the expected tags: ${[...Object.keys(BLOCK_FIELDS), ...SERVER_BLOCKS].map((name) => `'${name}'`).join(', ')}`,
              path,
            ),
      ),
  },
  'content blocks have known fields': {
    docs: CREATE,
    refuse: (request) => firstOf(blocksOf(request), extraField),
  },
  'messages have known fields': {
    docs: CREATE,
    refuse: (request) =>
      firstOf(messagesOf(request), ({ role, fields, at }) => {
        const known = ['role', 'content'];
        if (role === 'system' && hasBeta(request, BETA_PARTS.systemClearAt)) known.push('clear_at');
        if (role === 'system' && hasBeta(request, BETA_PARTS.systemOutputConfig)) known.push('output_config');
        return firstOf(Object.keys(fields), (name) =>
          known.includes(name) ? undefined : badRequest(EXTRA, `messages.${at}.${name}`),
        );
      }),
  },
  'metadata is about the user only': {
    docs: CREATE,
    refuse: ({ body }) =>
      firstOf(Object.keys(asObject(body['metadata'])), (name) =>
        name === 'user_id' ? undefined : badRequest(EXTRA, `metadata.${name}`),
      ),
  },
  'a task budget is behind its switch': {
    docs: BETAS,
    refuse: (request) =>
      isGiven(asObject(request.body['output_config'])['task_budget']) && !hasBeta(request, BETA_PARTS.taskBudget)
        ? badRequest(EXTRA, 'output_config.task_budget')
        : undefined,
  },
  'the scope of a cache point is behind its switch': {
    docs: BETAS,
    refuse: (request) =>
      firstOf(cachePoints(request), ({ value, path }) =>
        isGiven(value['scope']) && !hasBeta(request, BETA_PARTS.cacheScope)
          ? badRequest(EXTRA, `${path}.cache_control.ephemeral.scope`)
          : undefined,
      ),
  },
  'there are at most four cache points': {
    docs: CACHING,
    refuse: (request) => {
      const found = cachePoints(request).length;
      return found > MOST_CACHE_POINTS
        ? badRequest(`A maximum of ${MOST_CACHE_POINTS} blocks with cache_control may be provided. Found ${found}.`)
        : undefined;
    },
  },
  'edits of the context are known, and behind their switch': {
    docs: EDITING,
    refuse: (request) =>
      firstOf(entriesOf(asObject(request.body['context_management'])['edits']), ({ value, at }) => {
        const accepted = CONTEXT_EDITS[String(value['type'])];
        return accepted && hasBeta(request, accepted)
          ? undefined
          : badRequest(
              `Input tag '${String(value['type'])}' found using 'type' does not match any of the expected tags: ${Object.keys(
                CONTEXT_EDITS,
              )
                .map((name) => `'${name}'`)
                .join(', ')}`,
              `context_management.edits.${at}`,
            );
      }),
  },
  'thinking is cleared only where there is thinking': {
    docs: EDITING,
    refuse: (request) =>
      !thinks(request) &&
      entriesOf(asObject(request.body['context_management'])['edits']).some(
        ({ value }) => value['type'] === 'clear_thinking_20251015',
      )
        ? badRequest('`clear_thinking_20251015` strategy requires `thinking` to be enabled or adaptive')
        : undefined,
  },
  'stop sequences hold more than white space': {
    docs: CREATE,
    refuse: ({ body }) =>
      Array.isArray(body['stop_sequences']) &&
      (body['stop_sequences'] as unknown[]).some((one) => String(one).trim() === '')
        ? badRequest('each stop sequence must contain non-whitespace', 'stop_sequences')
        : undefined,
  },
} as const satisfies Rules<MessagesRequest>;

function takes(request: MessagesRequest, name: string): boolean {
  const field = Object.hasOwn(TOP_FIELDS, name) ? TOP_FIELDS[name] : undefined;
  if (!field || (request.counting && !field.counted)) return false;
  return !field.betas || hasBeta(request, field.betas);
}

function isKnownBlock(type: unknown): boolean {
  return typeof type === 'string' && (Object.hasOwn(BLOCK_FIELDS, type) || SERVER_BLOCKS.includes(type));
}

function extraField({ type, fields, path }: Block): Refusal | undefined {
  const known = BLOCK_FIELDS[String(type)];
  return (
    known &&
    firstOf(Object.keys(fields), (name) =>
      known.includes(name) ? undefined : badRequest(EXTRA, `${path}.${String(type)}.${name}`),
    )
  );
}

function cachePoints(request: MessagesRequest): { value: Loose; path: string }[] {
  const { body } = request;
  const places = [
    { fields: body, path: '' },
    ...entriesOf(body['system']).map(({ value, at }) => ({ fields: value, path: `system.${at}` })),
    ...entriesOf(body['tools']).map(({ value, at }) => ({ fields: value, path: `tools.${at}` })),
    ...blocksOf(request),
  ];
  return places.flatMap(({ fields, path }) =>
    isObject(fields['cache_control']) ? [{ value: fields['cache_control'], path }] : [],
  );
}
