// The conversation in a request to Anthropic: the order of roles, and that no message is empty.
import { badRequest, type Refusal } from '../refusal.ts';
import { entriesOf, firstOf } from './loose.ts';
import { BETA_PARTS } from './messages-fields.ts';
import { blocksOf, hasBeta, type Message, messagesOf, type MessagesRequest } from './messages-request.ts';
import type { Rules } from './rule.ts';

const CREATE = 'https://platform.claude.com/docs/en/api/messages/create';
const ERRORS = 'https://platform.claude.com/docs/en/api/errors';
const SYSTEM = 'https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages';
const CACHING = 'https://platform.claude.com/docs/en/build-with-claude/prompt-caching';

export const TURN_RULES = {
  'there is a message': {
    docs: CREATE,
    refuse: ({ body }) => {
      if (!Array.isArray(body['messages'])) return badRequest('Input should be a valid array', 'messages');
      return body['messages'].length === 0 ? badRequest('at least one message is required', 'messages') : undefined;
    },
  },
  'roles are user and assistant': {
    docs: CREATE,
    refuse: (request) =>
      firstOf(messagesOf(request), ({ role, at }) =>
        role === 'user' || role === 'assistant' || role === 'system'
          ? undefined
          : badRequest("Input should be 'user' or 'assistant'", `messages.${at}.role`),
      ),
  },
  'a system message is for models that take one': {
    docs: SYSTEM,
    refuse: (request) => {
      if (!messagesOf(request).some(({ role }) => role === 'system') || request.model.systemRole === 'yes')
        return undefined;
      if (!hasBeta(request, BETA_PARTS.systemRole))
        return badRequest(
          'Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.',
          'messages',
        );
      return request.model.systemRole === 'no' ? badRequest("role 'system' is not supported on this model") : undefined;
    },
  },
  'a system message stands between a user turn and an answer': {
    docs: SYSTEM,
    refuse: (request) => {
      const messages = messagesOf(request);
      return firstOf(messages, (message) => (message.role === 'system' ? misplaced(message, messages) : undefined));
    },
  },
  'a system message is text': {
    docs: SYSTEM,
    refuse: (request) =>
      firstOf(blocksOf(request), ({ role, type, path }) =>
        role === 'system' && !['text', 'tool_addition', 'tool_removal'].includes(String(type))
          ? badRequest('system messages support only text content', path)
          : undefined,
      ),
  },
  'the user speaks first': {
    docs: CREATE,
    refuse: (request) =>
      messagesOf(request)[0]?.role === 'assistant'
        ? badRequest('first message must use the "user" role', 'messages')
        : undefined,
  },
  'messages have content': {
    docs: ERRORS,
    refuse: (request) => {
      const messages = messagesOf(request);
      return firstOf(messages, ({ role, content, at }) => {
        if (typeof content !== 'string' && !Array.isArray(content))
          return badRequest('Field required', `messages.${at}.content`);
        const mayBeEmpty = role === 'assistant' && at === messages.length - 1;
        return content.length === 0 && !mayBeEmpty
          ? badRequest(
              'all messages must have non-empty content except for the optional final assistant message',
              `messages.${at}`,
            )
          : undefined;
      });
    },
  },
  'an empty text is no cache point': {
    docs: CACHING,
    refuse: (request) =>
      firstOf(texts(request), ({ text, where, cached }) =>
        text === '' && cached ? badRequest('cache_control cannot be set for empty text blocks', where) : undefined,
      ),
  },
  'text is not empty': {
    docs: ERRORS,
    refuse: (request) =>
      firstOf(texts(request), ({ text, where }) =>
        text === '' ? badRequest('text content blocks must be non-empty', where) : undefined,
      ),
  },
  'text is more than white space': {
    docs: ERRORS,
    refuse: (request) =>
      firstOf(texts(request), ({ text, where }) =>
        text.trim() === '' ? badRequest('text content blocks must contain non-whitespace text', where) : undefined,
      ),
  },
  'the last message is the user’s where a model takes no beginning of its answer': {
    docs: ERRORS,
    refuse: (request) =>
      !request.model.prefill && messagesOf(request).findLast(({ role }) => role !== 'system')?.role === 'assistant'
        ? badRequest(
            'This model does not support assistant message prefill. The conversation must end with a user message.',
          )
        : undefined,
  },
  'the beginning of an answer ends in a word': {
    docs: ERRORS,
    refuse: (request) => {
      const last = messagesOf(request).at(-1);
      const said =
        typeof last?.content === 'string' ? last.content : (entriesOf(last?.content).at(-1)?.value['text'] ?? '');
      return last?.role === 'assistant' && typeof said === 'string' && said !== said.trimEnd()
        ? badRequest('final assistant content cannot end with trailing whitespace', 'messages')
        : undefined;
    },
  },
} as const satisfies Rules<MessagesRequest>;

function misplaced({ at }: Message, messages: readonly Message[]): Refusal | undefined {
  const [before, after] = [messages[at - 1], messages[at + 1]];
  const endsInServerTool =
    before?.role === 'assistant' && String(entriesOf(before.content).at(-1)?.value['type']).endsWith('tool_use');
  if (!before)
    return badRequest(
      'a system message cannot be the first message; use the top-level `system` parameter',
      `messages.${at}`,
    );
  if (before.role === 'system') return badRequest('system messages cannot be adjacent', `messages.${at}`);
  if (before.role !== 'user' && !endsInServerTool)
    return badRequest(
      'a system message must immediately follow a user message or an assistant message that ends in a server tool use',
      `messages.${at}`,
    );
  return after && after.role !== 'assistant'
    ? badRequest('a system message must be the last message or be followed by an assistant message', `messages.${at}`)
    : undefined;
}

function texts(request: MessagesRequest): { text: string; where: string; cached: boolean }[] {
  const blocks = [
    ...entriesOf(request.body['system']).map(({ value }) => ({ fields: value, where: 'system' })),
    ...blocksOf(request).flatMap(({ type, fields }) => (type === 'text' ? [{ fields, where: 'messages' }] : [])),
  ];
  return blocks.flatMap(({ fields, where }) =>
    typeof fields['text'] === 'string'
      ? [{ text: fields['text'], where, cached: fields['cache_control'] !== undefined }]
      : [],
  );
}
