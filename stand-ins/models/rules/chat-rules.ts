// What OpenAI refuses on Chat Completions.
import { badRequest, Refusal } from '../refusal.ts';
import { asObject, type Entry, entriesOf, firstOf, isGiven, type Loose } from './loose.ts';
import { CHAT_FIELDS, CHAT_MESSAGE_FIELDS, CHAT_PART_FIELDS, CHAT_TOOL_FIELDS } from './openai-fields.ts';
import { type OpenAiModel, reasons } from './openai-models.ts';
import {
  emptyArray,
  invalidValue,
  missingParameter,
  onlyWith,
  tooLong,
  unknownParameter,
  unsupportedParameter,
  wrongName,
  wrongPicture,
} from './openai-refusals.ts';
import type { Rules } from './rule.ts';

const CREATE = 'https://developers.openai.com/api/reference/resources/chat/subresources/completions/methods/create';
const REASONING = 'https://developers.openai.com/api/docs/guides/reasoning';
const LATEST = 'https://developers.openai.com/api/docs/guides/latest-model';
const TOOLS = 'https://developers.openai.com/api/docs/guides/function-calling';
const VISION = 'https://developers.openai.com/api/docs/guides/images-vision';
const JSON_MODE = 'https://developers.openai.com/api/docs/guides/structured-outputs';

const LONGEST_CALL_ID = 40;
const MOST_STOPS = 4;

export interface ChatRequest {
  readonly body: Loose;
  readonly model: OpenAiModel;
}

export const CHAT_RULES = {
  'top-level fields are known': {
    docs: CREATE,
    refuse: ({ body }) =>
      firstOf(Object.keys(body), (name) => (CHAT_FIELDS.includes(name) ? undefined : unknownParameter(name))),
  },
  'the required fields are there': {
    docs: CREATE,
    refuse: ({ body }) =>
      firstOf(['model', 'messages'], (name) => (isGiven(body[name]) ? undefined : missingParameter(name))),
  },
  'there is a message': {
    docs: CREATE,
    refuse: ({ body }) => (entriesOf(body['messages']).length === 0 ? emptyArray('messages') : undefined),
  },
  'roles are known': {
    docs: CREATE,
    refuse: eachMessage(({ value, at }) =>
      Object.hasOwn(CHAT_MESSAGE_FIELDS, String(value['role']))
        ? undefined
        : invalidValue(value['role'], Object.keys(CHAT_MESSAGE_FIELDS), `messages[${at}].role`),
    ),
  },
  'messages have known fields': {
    docs: CREATE,
    refuse: eachMessage(({ value, at }) =>
      firstOf(Object.keys(value), (name) =>
        CHAT_MESSAGE_FIELDS[String(value['role'])]?.includes(name)
          ? undefined
          : unknownParameter(`messages[${at}].${name}`),
      ),
    ),
  },
  'messages have content': {
    docs: CREATE,
    refuse: eachMessage(({ value, at }) => {
      const { role, content } = value;
      if (typeof content === 'string' || (Array.isArray(content) && content.length > 0)) return undefined;
      const spoke =
        role === 'assistant' &&
        (entriesOf(value['tool_calls']).length > 0 ||
          isGiven(value['function_call']) ||
          isGiven(value['refusal']) ||
          isGiven(value['audio']));
      if (Array.isArray(content)) return emptyArray(`messages[${at}].content`);
      return spoke
        ? undefined
        : badRequest(`Invalid value for 'content': expected a string, got null.`, `messages.[${at}].content`);
    }),
  },
  'parts are of a known type': {
    docs: CREATE,
    refuse: eachPart(({ value }, at) =>
      Object.hasOwn(CHAT_PART_FIELDS, String(value['type']))
        ? undefined
        : invalidValue(value['type'], Object.keys(CHAT_PART_FIELDS), `${at}.type`),
    ),
  },
  'parts have known fields': {
    docs: CREATE,
    refuse: eachPart(({ value }, at) =>
      firstOf(Object.keys(value), (name) =>
        CHAT_PART_FIELDS[String(value['type'])]?.includes(name) ? undefined : unknownParameter(`${at}.${name}`),
      ),
    ),
  },
  'pictures are of a known type': {
    docs: VISION,
    refuse: eachPart(({ value }, at) =>
      value['type'] === 'image_url'
        ? wrongPicture(asObject(value['image_url'])['url'], `${at}.image_url.url`)
        : undefined,
    ),
  },
  'results answer the calls before them': {
    docs: TOOLS,
    refuse: (request) =>
      firstOf(steps(request), ({ orphan, at }) =>
        orphan
          ? badRequest(
              "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
              `messages.[${at}].role`,
            )
          : undefined,
      ),
  },
  'calls have their results right after them': {
    docs: TOOLS,
    refuse: (request) =>
      firstOf(steps(request), ({ unanswered }) =>
        unanswered.length > 0
          ? badRequest(
              `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${unanswered.join(', ')}`,
              'messages',
            )
          : undefined,
      ),
  },
  'ids of calls are short': {
    docs: CREATE,
    refuse: eachMessage(({ value, at }) =>
      firstOf(entriesOf(value['tool_calls']), (call) =>
        String(call.value['id'] ?? '').length > LONGEST_CALL_ID
          ? tooLong(String(call.value['id']), LONGEST_CALL_ID, `messages[${at}].tool_calls[${call.at}].id`)
          : undefined,
      ),
    ),
  },
  'there is no empty list of tools': {
    docs: CREATE,
    refuse: ({ body }) =>
      firstOf(['tools', 'functions'], (name) =>
        Array.isArray(body[name]) && body[name].length === 0 ? emptyArray(name) : undefined,
      ),
  },
  'tools are of a known type': {
    docs: TOOLS,
    refuse: eachTool(({ value, at }) =>
      Object.hasOwn(CHAT_TOOL_FIELDS, String(value['type']))
        ? undefined
        : invalidValue(value['type'], Object.keys(CHAT_TOOL_FIELDS), `tools[${at}].type`),
    ),
  },
  'tools have known fields': {
    docs: TOOLS,
    refuse: eachTool(({ value, at }) => {
      const type = String(value['type']);
      const inside = firstOf(Object.keys(asObject(value[type])), (name) =>
        CHAT_TOOL_FIELDS[type]?.includes(name) ? undefined : unknownParameter(`tools[${at}].${type}.${name}`),
      );
      return (
        inside ??
        firstOf(Object.keys(value), (name) =>
          name === 'type' || name === type ? undefined : unknownParameter(`tools[${at}].${name}`),
        )
      );
    }),
  },
  'tools have a name of the allowed letters': {
    docs: TOOLS,
    refuse: eachTool(({ value, at }) =>
      wrongName(asObject(value[String(value['type'])])['name'], `tools[${at}].${String(value['type'])}.name`),
    ),
  },
  'what is said about tools goes with tools': {
    docs: CREATE,
    refuse: ({ body }) =>
      firstOf(['tool_choice', 'parallel_tool_calls'], (name) =>
        isGiven(body[name]) && !isGiven(body['tools']) ? onlyWith(name, 'tools') : undefined,
      ),
  },
  'tool_choice names a tool that is there': {
    docs: TOOLS,
    refuse: ({ body }) => {
      const { type, function: called } = asObject(body['tool_choice']);
      const name = asObject(called)['name'];
      return type === 'function' &&
        !entriesOf(body['tools']).some(({ value }) => asObject(value['function'])['name'] === name)
        ? badRequest(`Tool choice '${String(name)}' not found in 'tools' parameter.`, 'tool_choice')
        : undefined;
    },
  },
  'stream_options go with a stream': {
    docs: CREATE,
    refuse: ({ body }) =>
      isGiven(body['stream_options']) && body['stream'] !== true
        ? badRequest("The 'stream_options' parameter is only allowed when 'stream' is enabled.", 'stream_options')
        : undefined,
  },
  'metadata goes with store': {
    docs: CREATE,
    refuse: ({ body }) =>
      isGiven(body['metadata']) && body['store'] !== true
        ? badRequest("The 'metadata' parameter is only allowed when 'store' is enabled.", 'metadata')
        : undefined,
  },
  'JSON is asked for in words too': {
    docs: JSON_MODE,
    refuse: ({ body }) =>
      asObject(body['response_format'])['type'] === 'json_object' && !/json/i.test(JSON.stringify(body['messages']))
        ? badRequest(
            "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
            'messages',
          )
        : undefined,
  },
  'reasoning models count all that they write': {
    docs: REASONING,
    refuse: ({ body, model }) =>
      reasons(model) && isGiven(body['max_tokens'])
        ? unsupportedParameter('max_tokens', " Use 'max_completion_tokens' instead.")
        : undefined,
  },
  'reasoning models take no stop sequences': {
    docs: CREATE,
    refuse: ({ body, model }) => (reasons(model) && isGiven(body['stop']) ? unsupportedParameter('stop') : undefined),
  },
  'there are at most four stop sequences': {
    docs: CREATE,
    refuse: ({ body }) =>
      Array.isArray(body['stop']) && body['stop'].length > MOST_STOPS
        ? new Refusal(
            'invalid_value',
            `Invalid 'stop': array too long. Expected an array with maximum length ${MOST_STOPS}, but got an array with length ${body['stop'].length} instead.`,
            'stop',
          )
        : undefined,
  },
  'a model that reasons takes the usual temperature': {
    docs: LATEST,
    refuse: ({ body, model }) =>
      isReasoning(body, model) && isGiven(body['temperature']) && body['temperature'] !== 1
        ? new Refusal(
            'unsupported_value',
            `Unsupported value: 'temperature' does not support ${String(body['temperature'])} with this model. Only the default (1) value is supported.`,
            'temperature',
          )
        : undefined,
  },
  'a model that reasons takes no sampling': {
    docs: LATEST,
    refuse: ({ body, model }) =>
      isReasoning(body, model)
        ? firstOf(
            ['top_p', 'presence_penalty', 'frequency_penalty', 'logprobs', 'top_logprobs', 'logit_bias'],
            (name) => (isGiven(body[name]) && !isUsual(name, body[name]) ? unsupportedParameter(name) : undefined),
          )
        : undefined,
  },
  'effort is for reasoning models': {
    docs: REASONING,
    refuse: ({ body, model }) =>
      !reasons(model) && isGiven(body['reasoning_effort']) ? unsupportedParameter('reasoning_effort') : undefined,
  },
  'effort is one that the model knows': {
    docs: REASONING,
    refuse: ({ body, model }) => {
      const effort = body['reasoning_effort'];
      return isGiven(effort) && !model.efforts.includes(String(effort))
        ? new Refusal('unsupported_value', invalidEffort('reasoning_effort', effort, model), 'reasoning_effort')
        : undefined;
    },
  },
  'function tools and reasoning meet on Responses only': {
    docs: REASONING,
    refuse: ({ body, model }) => {
      const apart =
        model.chatTools === 'never' || (model.chatTools === 'without-reasoning' && isReasoning(body, model));
      return apart && isGiven(body['tools'])
        ? badRequest(
            `Function tools with reasoning_effort are not supported for ${String(body['model'])} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`,
            'reasoning_effort',
          )
        : undefined;
    },
  },
} as const satisfies Rules<ChatRequest>;

function eachMessage(refuse: (entry: Entry) => Refusal | undefined): (request: ChatRequest) => Refusal | undefined {
  return ({ body }) => firstOf(entriesOf(body['messages']), refuse);
}

function eachPart(
  refuse: (part: Entry, at: string) => Refusal | undefined,
): (request: ChatRequest) => Refusal | undefined {
  return eachMessage(({ value, at }) =>
    firstOf(entriesOf(value['content']), (part) => refuse(part, `messages[${at}].content[${part.at}]`)),
  );
}

function eachTool(refuse: (entry: Entry) => Refusal | undefined): (request: ChatRequest) => Refusal | undefined {
  return ({ body }) => firstOf(entriesOf(body['tools']), refuse);
}

interface Step {
  readonly at: number;
  readonly orphan: boolean;
  /** Calls without a result when another message follows, or at the end. */
  readonly unanswered: readonly string[];
}

function steps({ body }: ChatRequest): Step[] {
  const open = new Set<string>();
  const messages = entriesOf(body['messages']);
  return messages.map(({ value, at }): Step => {
    if (value['role'] === 'tool') {
      const orphan = !open.delete(String(value['tool_call_id']));
      return { at, orphan, unanswered: at === messages.length - 1 ? [...open] : [] };
    }
    const left = [...open];
    open.clear();
    for (const call of entriesOf(value['tool_calls'])) open.add(String(call.value['id']));
    return { at, orphan: false, unanswered: at === messages.length - 1 ? [...left, ...open] : left };
  });
}

/** With reasoning turned off, a reasoning model accepts the same as models that do not reason. */
function isReasoning(body: Loose, model: OpenAiModel): boolean {
  return reasons(model) && (body['reasoning_effort'] ?? model.usualEffort) !== 'none';
}

const USUAL: Readonly<Record<string, unknown>> = {
  top_p: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
  logprobs: false,
};

function isUsual(name: string, value: unknown): boolean {
  return Object.hasOwn(USUAL, name) && USUAL[name] === value;
}

export function invalidEffort(field: string, effort: unknown, { efforts }: OpenAiModel): string {
  return `Unsupported value: '${field}' does not support '${String(effort)}' with this model. Supported values are: ${efforts.map((one) => `'${one}'`).join(', ')}.`;
}
