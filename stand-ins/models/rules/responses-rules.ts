// What OpenAI refuses on Responses.
import { badRequest, Refusal } from '../refusal.ts';
import { invalidEffort } from './chat-rules.ts';
import { asObject, type Entry, entriesOf, firstOf, isGiven, listOf, type Loose } from './loose.ts';
import { isSealedHere } from './sealed-content.ts';
import { RESPONSES_FIELDS, RESPONSES_ITEMS, RESPONSES_PARTS, RESPONSES_TOOLS } from './openai-fields.ts';
import { type OpenAiModel, reasons } from './openai-models.ts';
import {
  invalidValue,
  missingParameter,
  tooLong,
  unknownParameter,
  unsupportedParameter,
  wrongName,
  wrongPicture,
} from './openai-refusals.ts';
import type { Rules } from './rule.ts';

const CREATE = 'https://developers.openai.com/api/reference/resources/responses/methods/create';
const REASONING = 'https://developers.openai.com/api/docs/guides/reasoning';
const LATEST = 'https://developers.openai.com/api/docs/guides/latest-model';
const TOOLS = 'https://developers.openai.com/api/docs/guides/function-calling';
const COMPACTION = 'https://developers.openai.com/api/docs/guides/compaction';
const STATE = 'https://developers.openai.com/api/docs/guides/conversation-state';
const VISION = 'https://developers.openai.com/api/docs/guides/images-vision';

const LEAST_OUTPUT = 16;
const LONGEST_CALL_ID = 64;

/** Earlier answers that the provider still stores, by id. */
export interface Kept {
  response(id: string): boolean;
  item(id: string): boolean;
}

export interface ResponsesRequest {
  readonly body: Loose;
  readonly model: OpenAiModel;
  readonly kept: Kept;
}

export const RESPONSES_RULES = {
  'top-level fields are known': {
    docs: CREATE,
    refuse: ({ body }) =>
      firstOf(Object.keys(body), (name) => (RESPONSES_FIELDS.includes(name) ? undefined : unknownParameter(name))),
  },
  'the required fields are there': {
    docs: CREATE,
    refuse: ({ body }) =>
      firstOf(
        [
          'model',
          ...(isGiven(body['prompt']) || isGiven(body['previous_response_id']) || isGiven(body['conversation'])
            ? []
            : ['input']),
        ],
        (name) => (isGiven(body[name]) ? undefined : missingParameter(name)),
      ),
  },
  'an earlier response is one that was kept': {
    docs: STATE,
    refuse: ({ body, kept }) => {
      const id = body['previous_response_id'];
      return isGiven(id) && !kept.response(String(id))
        ? new Refusal(
            'unknown_response',
            `Previous response with id '${String(id)}' not found.`,
            'previous_response_id',
          )
        : undefined;
    },
  },
  'items are of a known type': {
    docs: CREATE,
    refuse: eachItem(({ value, at }) =>
      Object.hasOwn(RESPONSES_ITEMS, typeOf(value))
        ? undefined
        : invalidValue(value['type'], Object.keys(RESPONSES_ITEMS), `input[${at}].type`),
    ),
  },
  'ids of items are of their type': {
    docs: CREATE,
    refuse: eachItem(({ value, at }) => {
      const start = RESPONSES_ITEMS[typeOf(value)];
      return start !== undefined && isGiven(value['id']) && !String(value['id']).startsWith(start)
        ? new Refusal(
            'invalid_value',
            `Invalid 'input[${at}].id': '${String(value['id'])}'. Expected an ID that begins with '${start}'.`,
            `input[${at}].id`,
          )
        : undefined;
    }),
  },
  'an item that is only named is one that was kept': {
    docs: STATE,
    refuse: ({ body, kept }) =>
      firstOf(entriesOf(body['input']), ({ value }) =>
        isOnlyNamed(value) && !kept.item(String(value['id']))
          ? new Refusal(
              'unknown_item',
              `Item with id '${String(value['id'])}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
              'input',
            )
          : undefined,
      ),
  },
  'a conversation is compacted at its end': {
    docs: COMPACTION,
    refuse: ({ body }) =>
      firstOf(entriesOf(body['input']).slice(0, -1), ({ value, at }) =>
        value['type'] === 'compaction_trigger'
          ? badRequest("'compaction_trigger' must be the last input item.", `input[${at}]`)
          : undefined,
      ),
  },
  'sealed reasoning and compactions are the provider’s own': {
    docs: REASONING,
    refuse: eachItem(({ value }) =>
      (value['type'] === 'compaction' || (value['type'] === 'reasoning' && isGiven(value['encrypted_content']))) &&
      !isSealedHere(value['encrypted_content'])
        ? new Refusal(
            'foreign_reasoning',
            `The encrypted content for item ${String(value['id'])} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`,
          )
        : undefined,
    ),
  },
  'reasoning stands before what came of it': {
    docs: REASONING,
    refuse: ({ body }) => {
      const items = entriesOf(body['input']);
      return firstOf(items, ({ value, at }) => {
        const next = asObject(items[at + 1]?.value);
        const follows =
          ['reasoning', 'function_call', 'custom_tool_call', 'item_reference'].includes(String(next['type'])) ||
          next['role'] === 'assistant' ||
          String(next['type']).endsWith('_call');
        return value['type'] === 'reasoning' && !follows
          ? badRequest(
              `Item '${String(value['id'])}' of type 'reasoning' was provided without its required following item.`,
              'input',
            )
          : undefined;
      });
    },
  },
  'messages have a role and content': {
    docs: CREATE,
    refuse: eachItem(({ value, at }) => {
      if (typeOf(value) !== 'message') return undefined;
      const roles = ['assistant', 'system', 'developer', 'user'];
      if (!roles.includes(String(value['role']))) return invalidValue(value['role'], roles, `input[${at}].role`);
      return isGiven(value['content']) ? undefined : missingParameter(`input[${at}].content`);
    }),
  },
  'parts are of the kind of who speaks': {
    docs: CREATE,
    refuse: eachItem(({ value, at }) => {
      if (typeOf(value) !== 'message') return undefined;
      const accepted: readonly string[] =
        value['role'] === 'assistant' ? RESPONSES_PARTS.output : RESPONSES_PARTS.input;
      return firstOf(entriesOf(value['content']), (part) =>
        accepted.includes(String(part.value['type']))
          ? undefined
          : invalidValue(part.value['type'], accepted, `input[${at}].content[${part.at}]`),
      );
    }),
  },
  'pictures are of a known type': {
    docs: VISION,
    refuse: eachItem(({ value, at }) =>
      firstOf([...entriesOf(value['content']), ...entriesOf(value['output'])], (part) =>
        part.value['type'] === 'input_image' && !isGiven(part.value['file_id'])
          ? wrongPicture(part.value['image_url'], `input[${at}].content[${part.at}].image_url`)
          : undefined,
      ),
    ),
  },
  'results answer calls before them': {
    docs: TOOLS,
    refuse: (request) =>
      firstOf(OUTPUTS, ([call, output, name]) =>
        firstOf(unmatched(request, output, call), (id) =>
          badRequest(`No tool call found for ${name} output with call_id ${id}.`, 'input'),
        ),
      ),
  },
  'calls have results': {
    docs: TOOLS,
    refuse: (request) =>
      firstOf(OUTPUTS, ([call, output, name]) =>
        firstOf(unmatched(request, call, output), (id) =>
          badRequest(`No tool output found for ${name} ${id}.`, 'input'),
        ),
      ),
  },
  'ids of calls are short': {
    docs: CREATE,
    refuse: eachItem(({ value, at }) =>
      String(value['call_id'] ?? '').length > LONGEST_CALL_ID
        ? tooLong(String(value['call_id']), LONGEST_CALL_ID, `input[${at}].call_id`)
        : undefined,
    ),
  },
  'arguments and results are there': {
    docs: TOOLS,
    refuse: eachItem(({ value, at }) => {
      const needed: Readonly<Record<string, readonly string[]>> = {
        function_call: ['call_id', 'name', 'arguments'],
        function_call_output: ['call_id', 'output'],
        custom_tool_call: ['call_id', 'name', 'input'],
        custom_tool_call_output: ['call_id', 'output'],
      };
      return firstOf(needed[typeOf(value)] ?? [], (name) =>
        isGiven(value[name]) ? undefined : missingParameter(`input[${at}].${name}`),
      );
    }),
  },
  'tools are of a known type': {
    docs: CREATE,
    refuse: eachTool(({ value }, at) =>
      RESPONSES_TOOLS.includes(String(value['type']))
        ? undefined
        : invalidValue(value['type'], RESPONSES_TOOLS, `${at}.type`),
    ),
  },
  'tools have a name of the allowed letters': {
    docs: TOOLS,
    refuse: eachTool(({ value }, at) =>
      ['function', 'custom', 'namespace'].includes(String(value['type']))
        ? wrongName(value['name'], `${at}.name`)
        : undefined,
    ),
  },
  'a namespace holds functions and custom tools': {
    docs: CREATE,
    refuse: eachTool(({ value }, at) =>
      value['type'] === 'namespace'
        ? firstOf(entriesOf(value['tools']), (inner) =>
            ['function', 'custom'].includes(String(inner.value['type']))
              ? wrongName(inner.value['name'], `${at}.tools[${inner.at}].name`)
              : invalidValue(inner.value['type'], ['function', 'custom'], `${at}.tools[${inner.at}].type`),
          )
        : undefined,
    ),
  },
  'tool_choice names a tool that is there': {
    docs: TOOLS,
    refuse: ({ body }) => {
      const { type, name } = asObject(body['tool_choice']);
      return type === 'function' &&
        !entriesOf(body['tools']).some(
          ({ value }) =>
            value['name'] === name || entriesOf(value['tools']).some((inner) => inner.value['name'] === name),
        )
        ? badRequest(`Tool choice '${String(name)}' not found in 'tools' parameter.`, 'tool_choice')
        : undefined;
    },
  },
  'an answer has room for 16 tokens': {
    docs: CREATE,
    refuse: ({ body }) =>
      isGiven(body['max_output_tokens']) && Number(body['max_output_tokens']) < LEAST_OUTPUT
        ? new Refusal(
            'too_small',
            `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= ${LEAST_OUTPUT}, but got ${String(body['max_output_tokens'])} instead.`,
            'max_output_tokens',
          )
        : undefined,
  },
  'a model that reasons takes no sampling': {
    docs: LATEST,
    refuse: ({ body, model }) =>
      reasons(model) && effortOf(body, model) !== 'none'
        ? firstOf(['temperature', 'top_p', 'top_logprobs'], (name) =>
            isGiven(body[name]) && body[name] !== 1 ? unsupportedParameter(name) : undefined,
          )
        : undefined,
  },
  'effort is for reasoning models': {
    docs: REASONING,
    refuse: ({ body, model }) =>
      !reasons(model) && isGiven(asObject(body['reasoning'])['effort'])
        ? unsupportedParameter('reasoning.effort')
        : undefined,
  },
  'effort is one that the model knows': {
    docs: REASONING,
    refuse: ({ body, model }) => {
      const { effort } = asObject(body['reasoning']);
      return isGiven(effort) && !model.efforts.includes(String(effort))
        ? new Refusal('unsupported_value', invalidEffort('reasoning.effort', effort, model), 'reasoning.effort')
        : undefined;
    },
  },
  'reasoning is sealed only where there is reasoning': {
    docs: REASONING,
    refuse: ({ body, model }) =>
      !reasons(model) && listOf(body['include']).includes('reasoning.encrypted_content')
        ? badRequest('Encrypted content is not supported with this model.', 'include')
        : undefined,
  },
} as const satisfies Rules<ResponsesRequest>;

/** Each kind of call, its output item, and OpenAI's name for it. */
const OUTPUTS = [
  ['function_call', 'function_call_output', 'function call'],
  ['custom_tool_call', 'custom_tool_call_output', 'custom tool call'],
] as const;

/** The call may be stored at the provider: in an earlier response, or in an item given only by id. */
function unmatched({ body }: ResponsesRequest, type: string, other: string): string[] {
  const items = entriesOf(body['input']);
  const elsewhere =
    isGiven(body['previous_response_id']) ||
    isGiven(body['conversation']) ||
    items.some(({ value }) => value['type'] === 'item_reference');
  if (elsewhere) return [];
  const idsOf = (wanted: string): string[] =>
    items.flatMap(({ value }) => (value['type'] === wanted ? [String(value['call_id'])] : []));
  const there = new Set(idsOf(other));
  return idsOf(type).filter((id) => !there.has(id));
}

function eachItem(refuse: (entry: Entry) => Refusal | undefined): (request: ResponsesRequest) => Refusal | undefined {
  return ({ body }) => firstOf(entriesOf(body['input']), refuse);
}

function eachTool(
  refuse: (entry: Entry, at: string) => Refusal | undefined,
): (request: ResponsesRequest) => Refusal | undefined {
  return ({ body }) => firstOf(entriesOf(body['tools']), (entry) => refuse(entry, `tools[${entry.at}]`));
}

function typeOf(item: Loose): string {
  return String(item['type'] ?? 'message');
}

/** Reasoning without content is looked up by its id. */
function isOnlyNamed(item: Loose): boolean {
  return (
    item['type'] === 'item_reference' ||
    (item['type'] === 'reasoning' && isGiven(item['id']) && !isGiven(item['encrypted_content']))
  );
}

function effortOf(body: Loose, model: OpenAiModel): unknown {
  return asObject(body['reasoning'])['effort'] ?? model.usualEffort;
}
