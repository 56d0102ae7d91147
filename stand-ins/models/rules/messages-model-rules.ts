// Which thinking, effort and sampling parameters Anthropic's models accept, and how thinking must be sent back.
import { badRequest, type Refusal } from '../refusal.ts';
import { asObject, firstOf, isGiven } from './loose.ts';
import { isSealedHere, signThinking } from './sealed-content.ts';
import { BETA_PARTS } from './messages-fields.ts';
import { blocksOf, hasBeta, messagesOf, type MessagesRequest, thinks } from './messages-request.ts';
import type { Rules } from './rule.ts';

const THINKING = 'https://platform.claude.com/docs/en/build-with-claude/thinking-troubleshooting';
const EXTENDED = 'https://platform.claude.com/docs/en/build-with-claude/extended-thinking';
const EFFORT = 'https://platform.claude.com/docs/en/build-with-claude/effort';
const MIGRATION = 'https://platform.claude.com/docs/en/about-claude/models/migration-guide';

const LEAST_BUDGET = 1024;
const LEAST_TOP_P = 0.95;
/** Values equivalent to leaving the field out. */
const USUAL: Readonly<Record<string, unknown>> = { temperature: 1 };

export const MODEL_RULES = {
  'thinking is of a kind that there is': {
    docs: THINKING,
    refuse: ({ body }) =>
      isGiven(body['thinking']) && !['enabled', 'disabled', 'adaptive', 'between_tools'].includes(kindOf(body))
        ? badRequest(
            `Input tag '${kindOf(body)}' found using 'type' does not match any of the expected tags: 'adaptive', 'between_tools', 'disabled', 'enabled'`,
            'thinking',
          )
        : undefined,
  },
  'thinking by budget is for earlier models': {
    docs: THINKING,
    refuse: ({ body, model }) =>
      kindOf(body) === 'enabled' && ['adaptive', 'always'].includes(model.thinking)
        ? badRequest(
            '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
          )
        : undefined,
  },
  'adaptive thinking is for current models': {
    docs: THINKING,
    refuse: ({ body, model }) =>
      kindOf(body) === 'adaptive' && ['none', 'manual'].includes(model.thinking)
        ? badRequest('adaptive thinking is not supported on this model')
        : undefined,
  },
  'thinking is for models that think': {
    docs: EXTENDED,
    refuse: ({ body, model }) =>
      kindOf(body) === 'enabled' && model.thinking === 'none'
        ? badRequest('thinking is not supported by this model', 'thinking')
        : undefined,
  },
  'thinking is switched off only where it can be': {
    docs: THINKING,
    refuse: ({ body, model }) =>
      kindOf(body) === 'disabled' && model.thinking === 'always'
        ? badRequest('"thinking.type.disabled" is not supported for this model.')
        : undefined,
  },
  'a budget of thinking is at least 1024': {
    docs: EXTENDED,
    refuse: ({ body }) =>
      kindOf(body) === 'enabled' && !(budgetOf(body) >= LEAST_BUDGET)
        ? badRequest(
            isGiven(asObject(body['thinking'])['budget_tokens'])
              ? `Input should be greater than or equal to ${LEAST_BUDGET}`
              : 'Field required',
            'thinking.enabled.budget_tokens',
          )
        : undefined,
  },
  'a budget of thinking is below max_tokens': {
    docs: EXTENDED,
    refuse: (request) => {
      const { body, counting } = request;
      const interleaved = hasBeta(request, BETA_PARTS.interleaved) && isGiven(body['tools']);
      return kindOf(body) === 'enabled' && !counting && !interleaved && budgetOf(body) >= Number(body['max_tokens'])
        ? badRequest(
            '`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#max-tokens-and-context-window-size',
          )
        : undefined;
    },
  },
  'binding of thinking blocks is behind its switch': {
    docs: 'https://platform.claude.com/docs/en/api/beta-headers',
    refuse: (request) =>
      isGiven(asObject(request.body['thinking'])['block_binding']) && !hasBeta(request, BETA_PARTS.blockBinding)
        ? badRequest('Extra inputs are not permitted', `thinking.${kindOf(request.body)}.block_binding`)
        : undefined,
  },
  'thinking forces no tool': {
    docs: EXTENDED,
    refuse: (request) =>
      thinks(request) && ['any', 'tool'].includes(String(asObject(request.body['tool_choice'])['type']))
        ? badRequest('Thinking may not be enabled when tool_choice forces tool use.')
        : undefined,
  },
  'thinking comes back with its signature': {
    docs: EXTENDED,
    refuse: (request) =>
      firstOf(blocksOf(request), ({ type, fields, path }) => {
        if (type !== 'thinking') return undefined;
        if (typeof fields['thinking'] !== 'string') return badRequest('Field required', `${path}.thinking.thinking`);
        if (!isGiven(fields['signature'])) return badRequest('Field required', `${path}.thinking.signature`);
        return fields['signature'] === signThinking(fields['thinking'])
          ? undefined
          : badRequest('Invalid `signature` in `thinking` block', path);
      }),
  },
  'hidden thinking comes back as it was': {
    docs: EXTENDED,
    refuse: (request) =>
      firstOf(blocksOf(request), ({ type, fields, path }) =>
        type === 'redacted_thinking' && !isSealedHere(fields['data'])
          ? badRequest('Invalid `data` in `redacted_thinking` block', path)
          : undefined,
      ),
  },
  'a turn of tool calls begins with its thinking': {
    docs: EXTENDED,
    refuse: (request) => (kindOf(request.body) === 'enabled' ? withoutThinking(request) : undefined),
  },
  'effort is of a kind that there is': {
    docs: EFFORT,
    refuse: ({ body }) => {
      const effort = effortOf(body);
      return effort !== undefined && !['low', 'medium', 'high', 'xhigh', 'max'].includes(effort)
        ? badRequest("Input should be 'low', 'medium', 'high', 'xhigh' or 'max'", 'output_config.effort')
        : undefined;
    },
  },
  'effort is for models that take it': {
    docs: EFFORT,
    refuse: ({ body, model }) => {
      const effort = effortOf(body);
      if (effort === undefined || model.efforts.includes(effort)) return undefined;
      return model.efforts.length === 0
        ? badRequest('This model does not support the effort parameter.')
        : badRequest(
            `This model does not support effort level '${effort}'. Supported levels: ${model.efforts.join(', ')}.`,
          );
    },
  },
  'current models take no sampling': {
    docs: MIGRATION,
    refuse: ({ body, model }) =>
      model.sampling === 'none'
        ? firstOf(['temperature', 'top_p', 'top_k'], (name) =>
            isGiven(body[name]) && body[name] !== USUAL[name]
              ? badRequest(`\`${name}\` is deprecated for this model.`)
              : undefined,
          )
        : undefined,
  },
  'temperature and top_p exclude each other': {
    docs: MIGRATION,
    refuse: ({ body, model }) =>
      model.sampling === 'one' && isGiven(body['temperature']) && isGiven(body['top_p'])
        ? badRequest('`temperature` and `top_p` cannot both be specified for this model. Please use only one.')
        : undefined,
  },
  'temperature is between 0 and 1': {
    docs: 'https://platform.claude.com/docs/en/api/messages/create',
    refuse: ({ body }) =>
      isGiven(body['temperature']) && !(Number(body['temperature']) >= 0 && Number(body['temperature']) <= 1)
        ? badRequest('range: 0..1', 'temperature')
        : undefined,
  },
  'thinking leaves sampling alone': {
    docs: EXTENDED,
    refuse: (request) => {
      const { body } = request;
      if (!thinks(request)) return undefined;
      if (isGiven(body['temperature']) && body['temperature'] !== 1)
        return badRequest(
          '`temperature` may only be set to 1 when thinking is enabled or in adaptive mode. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#important-considerations-when-using-extended-thinking',
        );
      if (isGiven(body['top_p']) && Number(body['top_p']) < LEAST_TOP_P)
        return badRequest(
          '`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled or in adaptive mode.',
        );
      return isGiven(body['top_k'])
        ? badRequest('`top_k` must be unset when thinking is enabled or in adaptive mode.')
        : undefined;
    },
  },
} as const satisfies Rules<MessagesRequest>;

function kindOf(body: MessagesRequest['body']): string {
  return String(asObject(body['thinking'])['type'] ?? '');
}

function budgetOf(body: MessagesRequest['body']): number {
  return Number(asObject(body['thinking'])['budget_tokens']);
}

function effortOf(body: MessagesRequest['body']): string | undefined {
  const effort = asObject(body['output_config'])['effort'];
  return isGiven(effort) ? String(effort) : undefined;
}

/** Only while tool results are being sent: the turn continues. */
function withoutThinking(request: MessagesRequest): Refusal | undefined {
  const blocks = blocksOf(request);
  const last = messagesOf(request).findLastIndex(({ role }) => role === 'assistant');
  if (!blocks.some(({ type, message }) => type === 'tool_result' && message > last)) return undefined;
  const [first] = blocks.filter(({ message }) => message === last);
  return first && first.type !== 'thinking' && first.type !== 'redacted_thinking'
    ? badRequest(
        `Expected \`thinking\` or \`redacted_thinking\`, but found \`${String(first.type)}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). To avoid this requirement, disable \`thinking\`.`,
        `${first.path}.type`,
      )
    : undefined;
}
